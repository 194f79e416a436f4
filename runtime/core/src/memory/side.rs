//! Host and device, the two sides of the bus.

use cudarc::driver::sys::{self, CUmemLocationType as LocationType};

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

    pub(super) fn location(self, gpu: &Gpu) -> sys::CUmemLocation {
        let (type_, id) = match self {
            Self::Host => (LocationType::CU_MEM_LOCATION_TYPE_HOST, 0),
            Self::Device => (LocationType::CU_MEM_LOCATION_TYPE_DEVICE, gpu.index as i32),
        };
        sys::CUmemLocation { type_, id }
    }
}
