//! DLPack's structures and devices, as version 1.3 of its C API has them.
//!
//! <https://dmlc.github.io/dlpack/latest/c_api.html>
//!
//! Other libraries may run Python code there, and so not return: see [`crate::finalization`].

use std::ffi::{c_char, c_int, c_void};

use cuvec_core::device;
use cuvec_core::error::{Error, Result};
use cuvec_core::gpu::Gpu;
use pyo3::prelude::*;

use crate::error::to_python;

pub const DLPACK_MAJOR_VERSION: u32 = 1;
pub const DLPACK_MINOR_VERSION: u32 = 3;
pub const READ_ONLY: u64 = 1; // flags
pub const IS_COPIED: u64 = 2;
pub const CPU: u32 = 1; // types of devices
pub const CUDA: u32 = 2;
const CUDA_HOST: u32 = 3;
const CUDA_MANAGED: u32 = 13;

#[derive(Clone, Copy, PartialEq)]
#[repr(C)]
pub struct DLDevice {
    pub device_type: u32,
    pub device_id: i32,
}

#[repr(C)]
pub struct DLTensor {
    pub data: *mut c_void,
    pub device: DLDevice,
    pub ndim: i32,
    pub code: u8, // these three are a DLDataType
    pub bits: u8,
    pub lanes: u16,
    pub shape: *mut i64,
    pub strides: *mut i64, // in elements; null means C-contiguous, before version 1.2
    pub byte_offset: u64,
}

/// Frees a managed tensor, and what it describes.
pub type Deleter = unsafe extern "C-unwind" fn(*mut c_void);

/// From before DLPack 1.0.
#[repr(C)]
pub struct DLManagedTensor {
    pub dl_tensor: DLTensor,
    pub manager_ctx: *mut c_void,
    pub deleter: Option<Deleter>,
}

/// In another major version, only the first four fields are where they are here.
#[repr(C)]
pub struct DLManagedTensorVersioned {
    pub major: u32,
    pub minor: u32,
    pub manager_ctx: *mut c_void,
    pub deleter: Option<Deleter>,
    pub flags: u64,
    pub dl_tensor: DLTensor,
}

/// The beginning of the functions of any version.
#[repr(C)]
pub struct DLPackExchangeAPIHeader {
    pub major: u32,
    pub minor: u32,
    pub prev_api: *mut Self,
}

/// Takes an error, as its kind and its message.
pub type SetError = unsafe extern "C-unwind" fn(*mut c_void, *const c_char, *const c_char);

/// Functions for C of Python objects; each returns 0, or has set an exception.
#[repr(C)]
pub struct DLPackExchangeAPI {
    pub header: DLPackExchangeAPIHeader,
    /// Allocates a tensor like the first one; errors go to the last two.
    pub managed_tensor_allocator: Option<
        unsafe extern "C-unwind" fn(
            *mut DLTensor,
            *mut *mut DLManagedTensorVersioned,
            *mut c_void,
            SetError,
        ) -> c_int,
    >,
    pub managed_tensor_from_py_object_no_sync: Option<
        unsafe extern "C-unwind" fn(*mut c_void, *mut *mut DLManagedTensorVersioned) -> c_int,
    >,
    pub managed_tensor_to_py_object_no_sync: Option<
        unsafe extern "C-unwind" fn(*mut DLManagedTensorVersioned, *mut *mut c_void) -> c_int,
    >,
    pub dltensor_from_py_object_no_sync:
        Option<unsafe extern "C-unwind" fn(*mut c_void, *mut DLTensor) -> c_int>,
    pub current_work_stream:
        Option<unsafe extern "C-unwind" fn(u32, i32, *mut *mut c_void) -> c_int>,
}

const _: () = assert!(size_of::<DLManagedTensor>() == 64);
const _: () = assert!(size_of::<DLManagedTensorVersioned>() == 80);

impl DLDevice {
    /// The device of a GPU, or the host.
    pub fn of(gpu: Option<usize>) -> Self {
        let (device_type, device_id) = match gpu {
            Some(gpu) => (CUDA, gpu as i32),
            None => (CPU, 0),
        };
        Self {
            device_type,
            device_id,
        }
    }

    /// The GPU that addresses memory of the device, none for the host's.
    pub fn gpu(self) -> PyResult<Option<&'static Gpu>> {
        self.gpu_if_known().map_err(to_python)
    }

    fn gpu_if_known(self) -> Result<Option<&'static Gpu>> {
        match self.device_type {
            CPU => Ok(None),
            CUDA | CUDA_HOST | CUDA_MANAGED => match device::gpu_if_any(self.device_id as usize)? {
                None if self.device_type == CUDA => Err(device::works_on_the_cpu()?),
                gpu => Ok(gpu),
            },
            other => Err(Error::wrong_value(format_args!(
                "the array is on a device that is neither a CPU nor a CUDA GPU (DLPack type {other})"
            ))),
        }
    }
}
