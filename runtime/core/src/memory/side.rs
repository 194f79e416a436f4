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
        match self {
            Self::Host => sys::CUmemLocation {
                type_: LocationType::CU_MEM_LOCATION_TYPE_HOST,
                id: 0,
            },
            Self::Device => sys::CUmemLocation {
                type_: LocationType::CU_MEM_LOCATION_TYPE_DEVICE,
                id: gpu.index as i32,
            },
        }
    }
}
