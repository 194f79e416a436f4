//! Our arrays, for other libraries.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::Arc;

use cuvec_core::{Block, DType};
use pyo3::ffi;
use pyo3::prelude::*;

use super::capsule::{LEGACY, VERSIONED};
use super::ffi::{
    DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLPACK_MAJOR_VERSION,
    DLPACK_MINOR_VERSION, DLTensor, IS_COPIED, READ_ONLY,
};

/// Description of a part of a block, for a capsule.
pub struct Export {
    pub address: usize,
    pub shape: Vec<i64>,
    /// In elements.
    pub strides: Vec<i64>,
    pub dtype: DType,
    pub read_only: bool,
    pub device: DLDevice,
    pub copied: bool,
}

/// A managed tensor, with what it points to and its memory.
#[repr(C)] // both have one address
struct Exported<M> {
    _managed: M,
    _export: Export,
    _block: Arc<Block>,
}

impl Export {
    /// A capsule of a tensor that keeps the block alive, and not the Python object: its deleter needs
    /// no interpreter and can run on any thread.
    pub fn capsule(
        mut self,
        py: Python<'_>,
        block: Arc<Block>,
        versioned: bool,
    ) -> PyResult<Bound<'_, PyAny>> {
        let (dl_tensor, manager_ctx) = (self.tensor(), ptr::null_mut());
        if versioned {
            let read_only = if self.read_only { READ_ONLY } else { 0 };
            let copied = if self.copied { IS_COPIED } else { 0 };
            let managed = DLManagedTensorVersioned {
                major: DLPACK_MAJOR_VERSION,
                minor: DLPACK_MINOR_VERSION,
                manager_ctx,
                deleter: Some(free::<DLManagedTensorVersioned>),
                flags: read_only | copied,
                dl_tensor,
            };
            return self.keep(py, managed, block, VERSIONED);
        }
        let managed = DLManagedTensor {
            dl_tensor,
            manager_ctx,
            deleter: Some(free::<DLManagedTensor>),
        };
        self.keep(py, managed, block, LEGACY)
    }

    fn tensor(&mut self) -> DLTensor {
        let (code, bits) = self.dtype.dlpack();
        DLTensor {
            data: if self.shape.contains(&0) {
                ptr::null_mut() // as DLPack asks
            } else {
                self.address as *mut c_void
            },
            device: self.device,
            ndim: self.shape.len() as i32, // of an array: they are few
            code,
            bits,
            lanes: 1,
            shape: self.shape.as_mut_ptr(), // which does not move with the vector
            strides: self.strides.as_mut_ptr(),
            byte_offset: 0,
        }
    }

    /// The capsule of this name.
    fn keep<'py, M>(
        self,
        py: Python<'py>,
        managed: M,
        block: Arc<Block>,
        name: &'static CStr,
    ) -> PyResult<Bound<'py, PyAny>> {
        let tensor = Box::into_raw(Box::new(Exported {
            _managed: managed,
            _export: self,
            _block: block,
        }));
        // SAFETY: what the destructor takes back; without a capsule, so do we.
        unsafe {
            let destructor = Some(free_unused::<M> as ffi::PyCapsule_Destructor);
            let capsule = ffi::PyCapsule_New(tensor.cast(), name.as_ptr(), destructor);
            if capsule.is_null() {
                free::<M>(tensor.cast());
            }
            Bound::from_owned_ptr_or_err(py, capsule)
        }
    }
}

/// The deleter.
unsafe extern "C-unwind" fn free<M>(managed: *mut c_void) {
    // SAFETY: what [`Export::keep`] has put into a capsule, once.
    drop(unsafe { Box::from_raw(managed.cast::<Exported<M>>()) });
}

/// The capsule's destructor. Consumers rename a capsule. This touches no exception that is set.
unsafe extern "C" fn free_unused<M>(capsule: *mut ffi::PyObject) {
    for name in [VERSIONED, LEGACY] {
        // SAFETY: a capsule of ours, which has its tensor as long as it has its name.
        unsafe {
            if ffi::PyCapsule_IsValid(capsule, name.as_ptr()) != 0 {
                free::<M>(ffi::PyCapsule_GetPointer(capsule, name.as_ptr()));
            }
        }
    }
}
