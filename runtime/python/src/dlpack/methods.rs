//! DLPack through the methods of an object.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::capsule::Imported;
use super::ffi::{DLDevice, DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
use crate::error::instead;
use crate::finalization;
use crate::interned::interned;

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
