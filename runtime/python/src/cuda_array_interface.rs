//! `__cuda_array_interface__`, version 3 and earlier.
//!
//! <https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html>

use cuvec_core::{Array, Place, Stream, device, shape};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::error::{Unreadable, instead, to_python};
use crate::finalization;
use crate::finalization::interned;
use crate::struct_dtype::dtype_of;
use crate::subclass::MASKED;

/// The interface of an object, `None` when it has none.
pub fn find<'py>(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
    let name = interned!(object.py(), "__cuda_array_interface__");
    let Some(interface) = finalization::attribute_opt(object, name)? else {
        return Ok(None);
    };
    let wrong = |_| PyTypeError::new_err("the array's __cuda_array_interface__ is no dict");
    interface.cast_into().map(Some).map_err(wrong)
}

pub fn read(interface: &Bound<'_, PyDict>) -> Result<Array, Unreadable> {
    let typestr = entry(interface, "typestr")?;
    let typestr = expect(
        typestr.cast::<PyString>(),
        "the array's typestr is no string",
    )?;
    let dtype = dtype_of(typestr.to_str()?)?;
    let (address, read_only) = data(interface)?;
    let shape = entry(interface, "shape")?;
    let wrong = || PyValueError::new_err("the array has a negative or too large size");
    let shape: Vec<usize> = finalization::integers(shape.as_borrowed())
        .map_err(|error| instead(shape.py(), error, wrong))?;
    if optional(interface, "mask")?.is_some() {
        return Err(Unreadable::Subclass(MASKED, None));
    }
    let strides: Option<Vec<isize>> = match optional(interface, "strides")? {
        Some(strides) => {
            let strides = finalization::integers(strides.as_borrowed());
            Some(expect(strides, "the array's strides are no integers")?)
        }
        None => None,
    };
    if strides
        .as_ref()
        .is_some_and(|strides| strides.len() != shape.len())
    {
        let what = "the array's shape and strides differ in length";
        return Err(PyValueError::new_err(what).into());
    }
    let bytes = shape::bytes(&shape, dtype).map_err(to_python)?;
    let strides = match strides {
        Some(strides) => {
            let strides = strides.iter().map(|&stride| stride as i128);
            shape::scattered(address, &shape, strides, dtype).map_err(to_python)?
        }
        None => None,
    };
    let mut array = Array {
        address,
        dtype,
        shape: shape[..].into(),
        strides,
        writable: !read_only,
        place: Place::Host,
        ready: Some(stream(interface)?),
    };
    if bytes != 0 {
        // an empty array is nowhere
        let range = array.range();
        let gpu = device::locate(range.start, range.len()).map_err(to_python)?;
        array.place = Place::Foreign { gpu };
    }
    Ok(array)
}

/// Checks whether the array may be written to.
pub fn is_writable(interface: &Bound<'_, PyDict>) -> PyResult<bool> {
    Ok(!data(interface)?.1)
}

/// The address, and whether the memory is read-only.
fn data(interface: &Bound<'_, PyDict>) -> PyResult<(usize, bool)> {
    let data = entry(interface, "data")?;
    expect(
        address_and_flag(&data),
        "the array's data is not an address and flag",
    )
}

fn address_and_flag(data: &Bound<'_, PyAny>) -> PyResult<(usize, bool)> {
    let [address, flag] = finalization::pair(data)?;
    let address = finalization::integer(address)?;
    #[expect(
        clippy::disallowed_methods,
        reason = "a bool, of Python's or of NumPy's"
    )]
    Ok((address, flag.extract()?))
}

/// The stream after which the contents are ready. An exporter that names none works on the legacy
/// default stream: before version 3 none could name another, and since then PyCUDA and Numba say
/// that nothing is left to wait for while a copy of theirs is still under way there.
fn stream(interface: &Bound<'_, PyDict>) -> PyResult<Stream> {
    let version = entry(interface, "version")?;
    let version: u32 = expect(
        finalization::integer(version.as_borrowed()),
        "the array's version is no number",
    )?;
    let Some(stream) = optional(interface, "stream")?.filter(|_| version >= 3) else {
        return Ok(Stream::LEGACY_DEFAULT);
    };
    let stream = finalization::integer(stream.as_borrowed());
    match expect(stream, "the array's stream is no handle")? {
        0 => Err(PyValueError::new_err(
            "the array's stream is 0, which is ambiguous",
        )),
        handle => Ok(Stream(handle)),
    }
}

fn entry<'py>(interface: &Bound<'py, PyDict>, key: &str) -> PyResult<Bound<'py, PyAny>> {
    optional(interface, key)?.ok_or_else(|| {
        PyValueError::new_err(format!(
            "the array's __cuda_array_interface__ has no {key:?}"
        ))
    })
}

/// Returns the value, or a TypeError if it is not as expected.
fn expect<T>(found: Result<T, impl Into<PyErr>>, otherwise: &'static str) -> PyResult<T> {
    let wrong = || PyTypeError::new_err(otherwise);
    found.map_err(|error| Python::attach(|py| instead(py, error.into(), wrong)))
}

/// The value of a key that may be missing or `None`.
fn optional<'py>(interface: &Bound<'py, PyDict>, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(finalization::value_of(interface, key)?.filter(|value| !value.is_none()))
}
