//! Host and device, the two sides of the bus.

use cudarc::driver::sys;

use crate::error::{Error, Result};
use crate::gpu::Gpu;

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
    pub(super) fn device(self, gpu: &Gpu) -> sys::CUdevice {
        match self {
            Self::Host => -1,
            Self::Device => gpu.index as i32,
        }
    }
}
