//! The image of the kernels, and the functions in it.

mod report;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use cudarc::driver::{CudaContext, CudaFunction, CudaModule, CudaStream, result};
use cudarc::nvrtc::Ptx;
use declared::Launch;
use kernels::IMAGE;

use crate::error::Result;
use report::Reports;

/// One GPU's copy of the kernels.
pub(super) struct Kernels {
    module: Arc<CudaModule>,
    functions: RwLock<HashMap<&'static str, CudaFunction>>,
    reports: Option<Reports>,
}

impl Kernels {
    pub fn load(context: &Arc<CudaContext>) -> Result<Self> {
        let mut image = IMAGE.to_vec();
        image.push(0); // PTX is text and ends with a zero; machine code does not mind
        let module = context.load_module(Ptx::from_binary(image))?;
        let reports = Reports::are_in(IMAGE)
            .then(|| Reports::of(&module, &context.default_stream()))
            .transpose()?;
        Ok(Self {
            reports,
            module,
            functions: RwLock::default(),
        })
    }

    /// Returns the problem that a kernel has reported, if one has.
    pub fn check(&self) -> Result<()> {
        self.reports.as_ref().map_or(Ok(()), Reports::check)
    }

    /// Launches a kernel by its name.
    ///
    /// # Safety
    /// The parameters must be those of the kernel.
    pub unsafe fn launch(&self, stream: &CudaStream, launch: Launch<'_>) -> Result<()> {
        let kernel = self.get(launch.kernel)?;
        let [x, y, z] = launch.blocks;
        let [i, j, k] = launch.threads;
        // SAFETY: the caller's.
        Ok(unsafe {
            result::launch_kernel(
                kernel.cu_function(),
                (x, y, z),
                (i, j, k),
                launch.shared,
                stream.cu_stream(),
                launch.parameters,
            )
        }?)
    }

    fn get(&self, name: &'static str) -> Result<CudaFunction> {
        let known = self
            .functions
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(function) = known.get(name) {
            return Ok(function.clone());
        }
        drop(known);
        let function = self.module.load_function(name)?;
        let mut known = self
            .functions
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        known.insert(name, function.clone());
        Ok(function)
    }
}
