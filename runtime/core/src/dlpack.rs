//! Devices, as DLPack names them.
//!
//! <https://dmlc.github.io/dlpack/latest/c_api.html>

use crate::device;
use crate::error::{Error, Result};
use crate::gpu::Gpu;

// Types of devices.
const CPU: i64 = 1;
const CUDA: i64 = 2;
const CUDA_HOST: i64 = 3;
const CUDA_MANAGED: i64 = 13;

/// The GPU that addresses memory of a device, none for the host's.
///
/// # Errors
/// `Kind::Value` for a device that is neither the host nor a GPU that this process works on.
pub fn gpu_of(device_type: i64, index: i32) -> Result<Option<&'static Gpu>> {
    match device_type {
        CPU => Ok(None),
        CUDA | CUDA_HOST | CUDA_MANAGED => match device::gpu_if_any(index as usize)? {
            None if device_type == CUDA => Err(device::works_on_the_cpu()?),
            gpu => Ok(gpu),
        },
        other => Err(Error::wrong_value(format_args!(
            "the array is on a device that is neither a CPU nor a CUDA GPU (DLPack type {other})"
        ))),
    }
}
