//! Our arrays, for other libraries.

use std::ffi::c_void;
use std::sync::Arc;

use cuvec_core::Block;
use cuvec_core::DType;
use dlpark::ffi::{DLDataType, DLDataTypeCode, DLDevice, DLDeviceType};
use dlpark::metadata::Dynamic;
use dlpark::{DlpackFlags, Managed, ManagedTensorBase};
use pyo3::prelude::*;

use crate::error::invalid;

/// What a capsule says about a part of a block.
pub struct Export {
    pub address: usize,
    pub shape: Vec<i64>,
    /// In elements.
    pub strides: Vec<i64>,
    pub dtype: DType,
    pub read_only: bool,
    /// DLPack's device type and index.
    pub device: (u32, i32),
    pub copied: bool,
}

impl Export {
    /// A tensor that keeps the block alive, and not the Python object: its deleter needs no
    /// interpreter and can run on any thread.
    pub fn tensor<Abi: ManagedTensorBase>(self, block: Arc<Block>) -> PyResult<Managed<Abi>> {
        let mut flags = DlpackFlags::empty();
        flags.set(DlpackFlags::READ_ONLY, self.read_only);
        flags.set(DlpackFlags::IS_COPIED, self.copied);
        let (data, dtype, device) = (self.data(), self.data_type(), self.device());
        let mut tensor = Dynamic::new(self.shape, self.strides)
            .initialize_as::<Abi>(block)
            .map_err(invalid)?;
        tensor.set_data(data).set_dtype(dtype).set_device(device);
        // SAFETY: `copied` is said by the caller who copied; the pointer and the layout are
        // those of an array in the block, which the tensor keeps alive.
        Ok(unsafe {
            tensor.set_flags_unchecked(flags);
            tensor.finish()
        })
    }

    /// Null for an empty array, as DLPack asks.
    fn data(&self) -> *mut c_void {
        if self.shape.contains(&0) {
            std::ptr::null_mut()
        } else {
            self.address as *mut c_void
        }
    }

    fn data_type(&self) -> DLDataType {
        let (code, bits) = self.dtype.dlpack();
        DLDataType::scalar(DLDataTypeCode(code), bits)
    }

    fn device(&self) -> DLDevice {
        DLDevice {
            device_type: DLDeviceType(self.device.0),
            device_id: self.device.1,
        }
    }
}
