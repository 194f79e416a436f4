//! Devices as DLPack numbers them.

use cuvec_core::gpu::Gpu;
use pyo3::prelude::*;

use super::ffi::DLDevice;
use crate::error::to_python;

/// The GPU that addresses memory of this DLPack device, none for host memory.
pub fn gpu_of(source: DLDevice) -> PyResult<Option<&'static Gpu>> {
    cuvec_core::dlpack::gpu_of(source.device_type.into(), source.device_id).map_err(to_python)
}
