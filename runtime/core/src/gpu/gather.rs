//! Copies of arrays of any strides into the order of C, on the GPU.

use std::ffi::CString;
use std::fmt::Write;
use std::ptr;
use std::sync::OnceLock;

use cudarc::driver::{result, sys};
use cuvec_spec::{MAX_RANK, c};

use super::graph::Uncaptured;
use super::kernels::start;
use super::stream::Stream;
use crate::error::Result;
use crate::gather::{Dimension, Gather};

/// Bits of the elements that there are kernels for.
const BITS: [usize; 4] = [8, 16, 32, 64];
const THREADS: usize = 256;
/// As many as keep every GPU busy; a thread copies several elements of a larger array.
const BLOCKS: usize = 4096;

/// One GPU's kernels, loaded when the first array is copied.
#[derive(Default)]
pub(super) struct GatherKernels(OnceLock<[usize; BITS.len()]>);

/// The parameters of the kernels.
#[repr(C)]
struct Parameters {
    from: u64,
    to: u64,
    count: u64,
    rank: u64,
    /// One more for the parts of structs, and of elements of 128 bits.
    dimensions: [Dimension; MAX_RANK + 1],
}

const _: () = assert!(
    size_of::<[Dimension; MAX_RANK + 1]>() == 144 && size_of::<Parameters>() == 4 * 8 + 144,
    "the parameters of gather.ptx"
);

impl GatherKernels {
    fn load(&self) -> Result<&[usize; BITS.len()]> {
        if let Some(functions) = self.0.get() {
            return Ok(functions);
        }
        // The text of a target would pass for code of the package's functions, which `doctor` looks for.
        let mut ptx = ".version 6.3\n.target GPU\n.address_size 64\n".replace("GPU", "sm_60");
        for bits in BITS {
            let text = include_str!("gather.ptx").replace("BITS", &bits.to_string());
            let _ = ptx.write_str(&text.replace("BYTES", &(bits / 8).to_string()));
        }
        let ptx = CString::new(ptx).expect("PTX is text");
        let _uncaptured = Uncaptured::new();
        // SAFETY: PTX, which ends with a zero.
        let module = unsafe { result::module::load_data(ptx.as_ptr().cast()) }?;
        let mut functions = [0; BITS.len()];
        for (function, bits) in functions.iter_mut().zip(BITS) {
            let name = CString::new(format!("gather_{bits}")).expect("a name is text");
            // SAFETY: a live module.
            *function = unsafe { result::module::get_function(module, name) }? as usize;
        }
        Ok(self.0.get_or_init(|| functions))
    }

    /// # Safety
    /// As for [`super::Gpu::gather`].
    pub unsafe fn launch(
        &self,
        gather: &Gather,
        to: sys::CUdeviceptr,
        stream: Stream,
    ) -> Result<()> {
        if gather.count == 0 {
            return Ok(());
        }
        let part = gather.alignment.min(8); // the largest that there is a kernel for
        let parts = gather.element / part;
        let mut parameters = Parameters {
            from: gather.from as u64,
            to,
            count: (gather.count * parts) as u64,
            rank: gather.rank as u64,
            dimensions: Default::default(),
        };
        parameters.dimensions[..gather.rank].copy_from_slice(&gather.dimensions[..gather.rank]);
        if parts > 1 {
            parameters.dimensions[gather.rank] = Dimension {
                size: parts,
                stride: part as isize,
            };
            parameters.rank += 1;
        }
        let function = self.load()?[part.trailing_zeros() as usize];
        let blocks = (parameters.count as usize).div_ceil(THREADS).min(BLOCKS) as u32;
        let launch = c::Launch {
            kernel: ptr::null(),
            blocks: [blocks, 1, 1],
            threads: [THREADS as u32, 1, 1],
            shared: 0,
            bytes: size_of::<Parameters>(),
            parameters: (&raw const parameters).cast(),
        };
        // SAFETY: the kernel's parameters; the caller's for the rest.
        unsafe { start(function as sys::CUfunction, stream, &launch) }
    }
}
