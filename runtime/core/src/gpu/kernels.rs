//! The image of the kernels, and the kernels in it.

mod report;

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::ptr;
use std::sync::Arc;

use cudarc::driver::{CudaContext, result, sys};
use declared::{Kernel, Launch};

use super::stream::Stream;
use crate::error::{Error, Kind, Result};
use report::Reports;

/// One GPU's copy of the kernels. It lives as long as the process.
pub(super) struct Kernels {
    gpu: usize,
    /// By their names.
    functions: HashMap<&'static str, sys::CUfunction>,
    reports: Option<Reports>,
}

// SAFETY: handles of CUDA's, which any thread may use.
unsafe impl Send for Kernels {}
// SAFETY: as above.
unsafe impl Sync for Kernels {}

impl Kernels {
    /// Loads them, and compares each with its declaration.
    pub fn load(gpu: usize, context: &Arc<CudaContext>) -> Result<Self> {
        let mut functions = HashMap::new();
        if !kernels::BUILT {
            return Ok(Self {
                gpu,
                functions,
                reports: None,
            });
        }
        context.bind_to_thread()?;
        // SAFETY: PTX, which ends with a zero.
        let module = unsafe { result::module::load_data(kernels::IMAGE.as_ptr().cast()) }?;
        for kernel in kernels::kernels() {
            functions.insert(kernel.name, function(module, &kernel)?);
        }
        Ok(Self {
            gpu,
            functions,
            reports: Some(Reports::of(module)?),
        })
    }

    /// How many problems were reported until now.
    pub fn reported(&self) -> u64 {
        self.reports.as_ref().map_or(0, Reports::count)
    }

    /// Returns the problem that a kernel has reported since there were so many, if one has.
    pub fn check(&self, since: u64) -> Result<()> {
        self.reports
            .as_ref()
            .map_or(Ok(()), |reports| reports.check(since))
    }

    /// Launches a kernel.
    ///
    /// # Safety
    /// The parameters must be those of the kernel.
    pub unsafe fn launch(&self, stream: Stream, launch: Launch<'_>) -> Result<()> {
        let function = match launch.kernel.found(self.gpu) {
            0 => self.find(launch.kernel)?,
            found => ptr::with_exposed_provenance_mut(found),
        };
        let mut bytes = launch.parameters.len();
        let mut parameters: [*mut c_void; 5] = [
            ptr::without_provenance_mut(sys::CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT as usize),
            launch.parameters.as_ptr().cast_mut().cast(),
            ptr::without_provenance_mut(sys::CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT as usize),
            (&raw mut bytes).cast(),
            ptr::without_provenance_mut(sys::CU_LAUNCH_PARAM_END_AS_INT as usize),
        ];
        // SAFETY: the caller's.
        unsafe {
            sys::cuLaunchKernel(
                function,
                launch.blocks[0],
                launch.blocks[1],
                launch.blocks[2],
                launch.threads[0],
                launch.threads[1],
                launch.threads[2],
                launch.shared,
                stream.raw(),
                ptr::null_mut(),
                parameters.as_mut_ptr(),
            )
        }
        .result()?;
        Ok(())
    }

    /// The kernel on this GPU, which is looked up once.
    #[cold]
    fn find(&self, kernel: &Kernel) -> Result<sys::CUfunction> {
        let name = kernel.name;
        let function = self.functions.get(name).copied().ok_or_else(|| {
            Kind::Kernel(format!(
                "there is no kernel `{name}`: the package was built without CUDA"
            ))
        })?;
        kernel.keep(self.gpu, function.expose_provenance());
        Ok(function)
    }
}

/// The kernel of a module, if its parameters are those that its declaration says.
fn function(module: sys::CUmodule, kernel: &kernels::DeclaredKernel) -> Result<sys::CUfunction> {
    let wrong = |what: &str| {
        let (file, function, name) = (kernel.file, kernel.function, kernel.name);
        Error::from(Kind::Unavailable(format!(
            "{file}: the kernel `{name}` of function `{function}` {what}; kernels.ptx is of other sources: \
             build the package again"
        )))
    };
    let name = CString::new(kernel.name).map_err(|_| wrong("has no name"))?;
    // SAFETY: a live module.
    let function = unsafe { result::module::get_function(module, name) };
    let function = match function {
        Err(error) if error.0 == sys::CUresult::CUDA_ERROR_NOT_FOUND => {
            return Err(wrong("is not in the PTX"));
        }
        function => function?,
    };
    for (index, declared) in kernel.parameters.iter().enumerate() {
        // SAFETY: a function of a live module.
        let has = unsafe { parameter(function, index) };
        if has != Some(*declared) {
            return Err(wrong(&format!(
                "has {has:?} as the place and the bytes of parameter {index}, and is declared with \
                 {declared:?}"
            )));
        }
    }
    Ok(function)
}

/// Where a parameter is, and its bytes. One that is asked for and is not there is an error of CUDA's,
/// which its sanitizer reports: nobody asks what is behind the last one.
///
/// # Safety
/// The function must be one of a live module.
unsafe fn parameter(function: sys::CUfunction, index: usize) -> Option<(usize, usize)> {
    let (mut offset, mut size) = (0, 0);
    // SAFETY: the caller's.
    let code = unsafe { sys::cuFuncGetParamInfo(function, index, &raw mut offset, &raw mut size) };
    (code == sys::CUresult::CUDA_SUCCESS).then_some((offset, size))
}
