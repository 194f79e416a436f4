//! Managed tensors of other libraries, and capsules.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::finalization;

use super::ffi::{
    DLManagedTensor, DLManagedTensorVersioned, DLPACK_MAJOR_VERSION, DLTensor, Deleter,
};

pub const LEGACY: &CStr = c"dltensor";
pub const VERSIONED: &CStr = c"dltensor_versioned";

/// A managed tensor that is ours. Whichever thread drops it calls its deleter, once.
pub struct Owner(NonNull<c_void>, Option<Deleter>);

// SAFETY: nobody reads it, and DLPack asks for deleters that any thread can call.
unsafe impl Send for Owner {}
// SAFETY: a shared one has nothing that can be called or read.
unsafe impl Sync for Owner {}

impl Drop for Owner {
    fn drop(&mut self) {
        if let Some(delete) = self.1 {
            // SAFETY: the exporter vouches for it.
            finalization::outlive(|| unsafe { delete(self.0.as_ptr()) });
        }
    }
}

/// A tensor that another library has exported.
pub struct Imported {
    pub owner: Owner,
    tensor: NonNull<DLTensor>,
    /// None from before DLPack 1.0.
    pub flags: Option<u64>,
}

impl Imported {
    pub fn tensor(&self) -> &DLTensor {
        // SAFETY: it is there until its owner is dropped.
        unsafe { self.tensor.as_ref() }
    }

    /// Takes over a tensor, unless it is of another version: that is only freed.
    ///
    /// # Safety
    /// `managed` must be valid until its deleter is called, which nobody else does.
    pub unsafe fn versioned(managed: NonNull<DLManagedTensorVersioned>) -> Result<Self, String> {
        // SAFETY: the caller's; of other versions these fields are there, too.
        let (major, deleter) = unsafe {
            let managed = managed.as_ptr();
            ((*managed).major, (*managed).deleter)
        };
        let owner = Owner(managed.cast(), deleter);
        if major != DLPACK_MAJOR_VERSION {
            return Err(format!(
                "incompatible DLPack major version: expected {DLPACK_MAJOR_VERSION}, got {major}"
            ));
        }
        // SAFETY: the caller's, and this version has all fields.
        let managed = unsafe { managed.as_ref() };
        Ok(Self {
            owner,
            tensor: (&managed.dl_tensor).into(),
            flags: Some(managed.flags),
        })
    }

    /// Takes what `__dlpack__()` has returned. What this raises is not the exporter's.
    pub fn from_capsule(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        taken(capsule).map_err(|why| {
            PyBufferError::new_err(format!("cannot use what __dlpack__() returned: {why}"))
        })
    }
}

fn taken(capsule: &Bound<'_, PyAny>) -> Result<Imported, String> {
    let object = capsule.as_ptr();
    for (name, used) in [
        (VERSIONED, c"used_dltensor_versioned"),
        (LEGACY, c"used_dltensor"),
    ] {
        // SAFETY: a live object, which need not be a capsule; the exporter vouches for what is in one
        // of this name.
        unsafe {
            if ffi::PyCapsule_IsValid(object, name.as_ptr()) == 0 {
                continue;
            }
            let managed = NonNull::new_unchecked(ffi::PyCapsule_GetPointer(object, name.as_ptr()));
            ffi::PyCapsule_SetName(object, used.as_ptr());
            if name == VERSIONED {
                return Imported::versioned(managed.cast());
            }
            let legacy = managed.cast::<DLManagedTensor>().as_ref();
            return Ok(Imported {
                owner: Owner(managed, legacy.deleter),
                tensor: (&legacy.dl_tensor).into(),
                flags: None,
            });
        }
    }
    Err(format!(
        "expected a PyCapsule named {VERSIONED:?} or {LEGACY:?} that has not been consumed"
    ))
}
