//! Kernels that bodies launch by name: in CUDA C++ there are none. A body is compiled together with
//! its kernels, and launches them through CUDA's runtime.

use std::sync::Arc;

use cudarc::driver::CudaContext;
use declared::Launch;

use super::stream::Stream;
use crate::error::{Kind, Result};

/// One GPU's kernels.
pub(super) struct Kernels;

impl Kernels {
    #[expect(clippy::unnecessary_wraps)] // other kinds of kernels are loaded here
    pub fn load(_gpu: usize, _context: &Arc<CudaContext>) -> Result<Self> {
        Ok(Self)
    }

    /// How many problems were reported until now.
    #[expect(clippy::unused_self)] // as above
    pub fn reported(&self) -> u64 {
        0
    }

    /// Returns the problem that a kernel has reported since there were so many, if one has.
    #[expect(clippy::unnecessary_wraps, clippy::unused_self)] // as above
    pub fn check(&self, _since: u64) -> Result<()> {
        Ok(())
    }

    /// Launches a kernel.
    ///
    /// # Safety
    /// The parameters must be those of the kernel.
    #[expect(clippy::unused_self)] // as above
    pub unsafe fn launch(&self, _stream: Stream, launch: Launch<'_>) -> Result<()> {
        Err(Kind::Kernel(format!(
            "there is no kernel `{}`: kernels in C++ are launched through CUDA's runtime",
            launch.kernel.name
        ))
        .into())
    }
}
