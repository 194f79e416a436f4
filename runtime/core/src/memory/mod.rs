//! Memory that the host and the GPU both address, pooled.

mod available;
mod block;
mod expectation;
mod migration_policy;
mod pending;
mod placement;
mod pool;
mod residency;
mod source;

use cudarc::driver::sys;

use crate::error::{Error, Result};
use crate::gpu::Gpu;

pub use block::Block;
pub use pool::{Statistics, empty_cache, statistics};

pub(crate) use expectation::Expectation;
pub(crate) use placement::is_large;

/// The kinds of memory a caller can ask for. Without a GPU both are plain host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryKind {
    /// Unified memory, which migrates between host and GPU.
    Managed,
    /// Page-locked host memory that the GPU addresses where it is.
    Pinned,
}

impl MemoryKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Pinned => "pinned",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Managed, Self::Pinned]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// A side of the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Host,
    Device,
}

impl Side {
    /// # Errors
    /// `Kind::Value` when it is neither `host` nor `device`.
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "host" => Ok(Self::Host),
            "device" => Ok(Self::Device),
            _ => Err(Error::wrong_value(format_args!(
                "cannot prefetch to {name:?}: it must be \"device\" or \"host\""
            ))),
        }
    }

    /// As advice and prefetches name it: -1 is the host.
    fn device(self, gpu: &Gpu) -> sys::CUdevice {
        match self {
            Self::Host => -1,
            Self::Device => gpu.index as i32,
        }
    }
}
