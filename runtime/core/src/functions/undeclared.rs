//! Runs bodies that owners write by hand, without a declared function, like bodies of declared functions.

use std::ffi::c_int;
use std::sync::Arc;

use cudarc::driver::result;
use cuvec_spec::{DType, MAX_ARGUMENTS, Role, Value, c};

use super::body;
use super::on_cpu::OnCpu;
use super::on_gpu::{OnGpu, use_of};
use super::values::{NONE, value_of};
use crate::array::{self, Array, Place};
use crate::check::{self, Fix};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::gpu::graph::{ON_THE_CPU, cannot_synchronize, is_capturing};
use crate::gpu::{Gpu, Stream};
use crate::memory::Block;
use crate::shape;
use crate::stream_call::StreamCall;

/// An array argument of such a call.
#[derive(Clone, Copy)]
pub struct Operand<'a> {
    pub name: &'a str,
    pub array: &'a Array,
    pub role: Role,
}

/// Enters a body: returns its status.
pub type Enter<'a> = dyn FnMut(*mut c::Call, *const Value) -> c_int + 'a;

impl Operand<'_> {
    /// Checks the array by itself.
    ///
    /// # Errors
    /// `Kind::Type` for another dtype than this; `Kind::Value` for another rank, for an array that is
    /// not contiguous, and for one that is read-only and to be written.
    pub fn check(&self, dtype: Option<DType>, rank: Option<usize>) -> Result<()> {
        let (name, array) = (self.name, self.array);
        if let Some(dtype) = dtype {
            check::dtype(name, array, &[dtype])?;
        }
        if let Some(rank) = rank
            && array.shape.len() != rank
        {
            let plural = if rank == 1 { "" } else { "s" };
            return Err(Error::wrong_value(format_args!(
                "{name} must have {rank} dimension{plural}, not shape {}",
                shape::display(&array.shape)
            )));
        }
        if self.role.is_written() {
            check::writable(|| name, array)?; // nothing is copied back into another
        }
        check::contiguous(|| (name, Fix::of(self.role)), array)
    }
}

/// Runs a body with arrays that have passed [`Operand::check`]: on the GPU, if there is one and `on_gpu`
/// says that the body is for it, otherwise on the CPU. With `stream` it is done when the stream has
/// reached it, otherwise on return.
///
/// # Errors
/// `Kind::Value` for too many arrays, for arrays on two devices and where one that is written overlaps
/// another; what the body's status says.
///
/// # Safety
/// The body must be for arrays of these dtypes and ranks, and for the side where it runs.
pub unsafe fn run(
    arrays: &[Operand],
    stream: Option<Stream>,
    on_gpu: bool,
    enter: &mut Enter,
) -> Result<()> {
    if arrays.len() > MAX_ARGUMENTS {
        return Err(Error::wrong_value(format_args!(
            "a body takes {MAX_ARGUMENTS} arrays at most, not {}",
            arrays.len()
        )));
    }
    for (index, second) in arrays.iter().enumerate() {
        for first in &arrays[..index] {
            if first.role.is_written() || second.role.is_written() {
                check::disjoint(|| [first.name, second.name], first.array, second.array)?;
            }
        }
    }
    // SAFETY: the caller's, for all three.
    unsafe {
        match array::common_device(arrays.iter().map(|operand| operand.array))? {
            Device::Gpu(gpu) if on_gpu => run_on_gpu(gpu, arrays, stream, enter),
            Device::Gpu(gpu) => run_on_cpu_after_gpu(gpu, arrays, stream, enter),
            Device::Cpu => run_on_cpu(arrays, &[], enter),
        }
    }
}

unsafe fn run_on_gpu(
    gpu: &Gpu,
    arrays: &[Operand],
    stream: Option<Stream>,
    enter: &mut Enter,
) -> Result<()> {
    let mut slots = [None; MAX_ARGUMENTS];
    for (slot, operand) in slots.iter_mut().zip(arrays) {
        *slot = Some(operand.array);
    }
    let mut call = StreamCall::new(gpu, stream, &slots[..arrays.len()]);
    call.begin()?;
    let mut values = [NONE; MAX_ARGUMENTS];
    for (value, operand) in values.iter_mut().zip(arrays) {
        let address = call.address(operand.array, use_of(operand.role))?;
        *value = value_of(operand.array, address as usize);
    }
    // SAFETY: the caller's; all arrays are checked, and where the GPU has them.
    unsafe {
        body::run_with(&mut OnGpu::new(gpu, &mut call), |call| {
            enter(call, values.as_ptr())
        })?;
    }
    call.finish()
}

/// Runs it on the CPU. `copies` take the place of arrays that only the GPU has.
unsafe fn run_on_cpu(
    arrays: &[Operand],
    copies: &[Option<Arc<Block>>],
    enter: &mut Enter,
) -> Result<()> {
    let mut values = [NONE; MAX_ARGUMENTS];
    for (index, operand) in arrays.iter().enumerate() {
        let copy = copies.get(index).and_then(Option::as_ref);
        let address = copy.map_or(operand.array.address, |block| block.address());
        values[index] = value_of(operand.array, address);
    }
    // SAFETY: the caller's; all arrays are checked, and on the host.
    unsafe { body::run_with(&mut OnCpu::default(), |call| enter(call, values.as_ptr())) }
}

/// Runs it on the CPU after all work of a GPU that concerns the arrays.
unsafe fn run_on_cpu_after_gpu(
    gpu: &Gpu,
    arrays: &[Operand],
    stream: Option<Stream>,
    enter: &mut Enter,
) -> Result<()> {
    let _current = gpu.enter()?;
    let reported = gpu.reported();
    let ready = arrays.iter().filter_map(|operand| operand.array.ready);
    for stream in stream.into_iter().chain(ready) {
        if stream != Stream::LEGACY_DEFAULT && is_capturing(stream.raw())? {
            return Err(cannot_synchronize(ON_THE_CPU));
        }
        gpu.synchronize_stream(stream, reported)?;
    }
    let own = gpu.thread_stream()?;
    let mut copies = [const { None }; MAX_ARGUMENTS];
    for (copy, operand) in copies.iter_mut().zip(arrays) {
        match &operand.array.place {
            Place::Host => {}
            Place::Block(block) => block.synchronize()?,
            Place::Foreign { .. } => {
                let (from, bytes) = (operand.array.address as u64, operand.array.bytes());
                let block = copy.insert(Block::on_host(bytes)?);
                if operand.role != Role::Out {
                    // SAFETY: as many bytes; nothing works on the array any more.
                    unsafe { result::memcpy_dtoh_async(block.bytes(bytes), from, own.raw()) }?;
                }
            }
        }
    }
    gpu.synchronize_stream(own, reported)?;
    // SAFETY: the caller's.
    unsafe { run_on_cpu(arrays, &copies, enter)? };
    for (copy, operand) in copies.iter().zip(arrays) {
        if let Some(block) = copy
            && operand.role.is_written()
        {
            let (to, bytes) = (operand.array.address as u64, operand.array.bytes());
            // SAFETY: as many bytes, and the array is writable; nothing else works on it.
            unsafe { result::memcpy_htod_async(to, block.bytes(bytes), own.raw()) }?;
        }
    }
    gpu.synchronize_stream(own, reported)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Place;

    #[test]
    fn arrays_are_checked_by_themselves() {
        let array = Array {
            address: 4096,
            dtype: DType::F32,
            shape: [2, 3][..].into(),
            strides: None,
            writable: false,
            place: Place::Host,
            ready: None,
        };
        let strided = Array {
            strides: Some([24, 8].into()),
            writable: true,
            ..array.clone()
        };
        let check = |array: &Array, role: Role, dtype: DType, rank: usize| {
            let name = "x";
            let operand = Operand { name, array, role };
            let checked = operand.check(Some(dtype), Some(rank));
            checked.map_err(|error| error.to_string())
        };
        assert_eq!(check(&array, Role::In, DType::F32, 2), Ok(()));
        for (checked, message) in [
            (
                check(&array, Role::In, DType::F64, 2),
                "x has dtype float32, but must have float64",
            ),
            (
                check(&array, Role::In, DType::F32, 1),
                "x must have 1 dimension, not shape (2, 3)",
            ),
            (
                check(&array, Role::In, DType::F32, 3),
                "x must have 3 dimensions, not shape (2, 3)",
            ),
            (
                check(&array, Role::Out, DType::F32, 2),
                "x is written to, but it is read-only",
            ),
        ] {
            assert_eq!(checked, Err(message.to_owned()));
        }
        let read_only = Array {
            writable: false,
            ..strided.clone()
        };
        let error = check(&read_only, Role::InOut, DType::F32, 2).unwrap_err();
        assert_eq!(error, "x is written to, but it is read-only");
        let error = check(&strided, Role::In, DType::F32, 2).unwrap_err();
        assert!(error.ends_with("numpy.ascontiguousarray(x)"), "{error}");
        let error = check(&strided, Role::InOut, DType::F32, 2).unwrap_err();
        assert!(
            error.ends_with("pass a copy that is and copy it back into x"),
            "{error}"
        );
    }
}
