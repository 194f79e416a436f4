//! Devices as DLPack numbers them.

use cuvec_core::gpu::Gpu;
use pyo3::prelude::*;

use super::ffi::{CPU, CUDA, DLDevice};
use crate::error::to_python;

/// The GPU that addresses memory of this DLPack device, none for host memory.
pub fn gpu_of(source: DLDevice) -> PyResult<Option<&'static Gpu>> {
    cuvec_core::dlpack::gpu_of(source.device_type.into(), source.device_id).map_err(to_python)
}

/// The device of a GPU, or the host.
pub fn device_of(gpu: Option<usize>) -> DLDevice {
    match gpu {
        Some(gpu) => DLDevice {
            device_type: CUDA,
            device_id: gpu as i32,
        },
        None => DLDevice {
            device_type: CPU,
            device_id: 0,
        },
    }
}
