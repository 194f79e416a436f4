//! The image of the kernels, and the functions in it.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use cudarc::driver::{CudaContext, CudaFunction, CudaModule, LaunchConfig};
use cudarc::nvrtc::Ptx;

use super::report::Reports;
use crate::error::Result;

/// Whether kernels were compiled into this library.
pub const BUILT: bool = cfg!(kernels);

#[cfg(kernels)]
const IMAGE: &[u8] = include_bytes!(env!("KERNELS_IMAGE"));
#[cfg(not(kernels))]
const IMAGE: &[u8] = &[];

/// Threads in a block: `BLOCK` of the kernels.
pub const BLOCK: u32 = 256;

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

    pub fn get(&self, name: &'static str) -> Result<CudaFunction> {
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

/// A launch of so many threads, rounded up to whole blocks, of which there are at most
/// `limit`: the kernels stride over the rest.
pub fn grid(threads: usize, limit: u32) -> LaunchConfig {
    let blocks = threads.div_ceil(BLOCK as usize).clamp(1, limit as usize);
    LaunchConfig {
        grid_dim: (blocks as u32, 1, 1),
        block_dim: (BLOCK, 1, 1),
        shared_mem_bytes: 0,
    }
}
