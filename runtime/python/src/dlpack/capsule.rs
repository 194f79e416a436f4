//! Managed tensors of other libraries, in capsules that methods of their objects make.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::ffi::{
    DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLPACK_MAJOR_VERSION,
    DLPACK_MINOR_VERSION, DLTensor, Deleter,
};
use crate::error::instead;
use crate::finalization;
use crate::finalization::interned;

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

/// The device that the object says its array is on.
pub fn device_of(object: Borrowed<'_, '_, PyAny>) -> PyResult<DLDevice> {
    let name = interned!(object.py(), "__dlpack_device__");
    let method = finalization::attribute(object, name)?;
    let answer = finalization::call(&method, &PyTuple::empty(object.py()), None)?;
    let wrong = || PyTypeError::new_err("__dlpack_device__() must return a type and an index");
    let (device_type, device_id): (u32, i32) =
        two_integers(&answer).map_err(|error| instead(object.py(), error, wrong))?;
    if device_id < 0 {
        return Err(PyValueError::new_err(format!(
            "the array is on device {device_id}, but indices are not negative"
        )));
    }
    Ok(DLDevice {
        device_type,
        device_id,
    })
}

fn two_integers(answer: &Bound<'_, PyAny>) -> PyResult<(u32, i32)> {
    let [first, second] = finalization::pair(answer)?;
    Ok((
        finalization::integer(first)?,
        finalization::integer(second)?,
    ))
}

/// The tensor of an array on this device, ready on `stream`.
pub fn import(
    object: Borrowed<'_, '_, PyAny>,
    device: DLDevice,
    stream: Option<usize>,
) -> PyResult<Imported> {
    let arguments = arguments(object.py(), stream)?;
    let tensor = Imported::from_capsule(&capsule_of(object, &arguments)?)?;
    let actual = tensor.tensor().device;
    if actual != device {
        return Err(PyValueError::new_err(format!(
            "__dlpack_device__() says {}:{}, but the array is on {}:{}",
            device.device_type, device.device_id, actual.device_type, actual.device_id,
        )));
    }
    Ok(tensor)
}

/// The tensor of an array, for which nothing has been waited.
pub fn import_without_wait(
    object: Borrowed<'_, '_, PyAny>,
    arguments: &Bound<'_, PyDict>,
) -> PyResult<Imported> {
    Imported::from_capsule(&capsule_of(object, arguments)?)
}

/// Returns the arguments of `__dlpack__` with `stream=-1`: no synchronization.
pub fn arguments_without_wait(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    const NO_WAIT: isize = -1;
    arguments(py, Some(NO_WAIT))
}

fn arguments<'py>(
    py: Python<'py>,
    stream: Option<impl IntoPyObject<'py>>,
) -> PyResult<Bound<'py, PyDict>> {
    let arguments = PyDict::new(py);
    if let Some(stream) = stream {
        arguments.set_item(interned!(py, "stream"), stream)?;
    }
    let version = (DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION);
    arguments.set_item(interned!(py, "max_version"), version)?;
    Ok(arguments)
}

fn capsule_of<'py>(
    object: Borrowed<'_, 'py, PyAny>,
    arguments: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let name = interned!(py, "__dlpack__");
    let (export, none) = (finalization::attribute(object, name)?, PyTuple::empty(py));
    match finalization::call(&export, &none, Some(arguments)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            let fewer = arguments.copy()?;
            fewer.del_item(interned!(py, "max_version"))?; // it is from before DLPack 1.0
            finalization::call(&export, &none, Some(&fewer))
        }
        capsule => capsule,
    }
}
