//! Reads array arguments: every kind of object that a function takes.

use cuvec_spec::Role;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::argument::Argument;
use crate::buffer::Buffer;
use crate::error::Unreadable;
use crate::finalization;
use crate::hook::CONVERTER;
use crate::numpy::{self, NdArray};
use crate::stream::{StreamArgument, StreamCache};
use crate::{buffer_protocol, cuda_array_interface, dlpack, ndarray, subclass};

impl Argument {
    /// Reads an object, which the caller knows by its name.
    pub fn read(
        object: Borrowed<'_, '_, PyAny>,
        name: &str,
        role: Role,
        streams: &StreamCache,
    ) -> PyResult<Self> {
        let mut slot = None;
        Self::put(object, name, role, streams, &mut slot)?;
        Ok(slot.expect("it has been read"))
    }

    /// The same, where the argument is to be: to move it takes a part of a small call.
    pub fn put(
        object: Borrowed<'_, '_, PyAny>,
        name: &str,
        role: Role,
        streams: &StreamCache,
        slot: &mut Option<Self>,
    ) -> PyResult<()> {
        Self::find(object, name, role, streams, slot).map_err(|error| error.named(name, role))
    }

    /// Tries the interfaces from the cheapest to the dearest; DLPack before
    /// `__cuda_array_interface__`, because it also orders streams and owns its memory.
    fn find(
        object: Borrowed<'_, '_, PyAny>,
        name: &str,
        role: Role,
        streams: &StreamCache,
        slot: &mut Option<Self>,
    ) -> Result<(), Unreadable> {
        let is_known = dlpack::is_known(object);
        if !is_known
            && let Some(array) = NdArray::of(object)
            && ndarray::read(array, slot)?
        {
            return Ok(());
        }
        if !is_known && let Ok(buffer) = object.cast::<Buffer>() {
            *slot = Some(buffer.get().array().into());
            return Ok(());
        }
        if !is_known {
            subclass::refuse_pints(object)?;
        }
        if dlpack::import(object, streams, slot)? {
            return Ok(());
        }
        if let Some(interface) = cuda_array_interface::find(object)? {
            *slot = Some(cuda_array_interface::read(&interface)?.into());
            return Ok(());
        }
        if let Some(argument) = buffer_protocol::read(object)? {
            *slot = Some(argument);
            return Ok(());
        }
        let py = object.py();
        if role.is_written()
            && finalization::has(object.get_type().as_any().as_borrowed(), "__array__")?
        {
            return Err(only_read(object, name)?.into()); // its array may be a copy
        }
        let given = (object, name).into_pyobject(py)?;
        let converted = finalization::call(CONVERTER.get(py)?.bind(py), &given, None)?;
        if let Some(array) = NdArray::of(converted.as_borrowed())
            && ndarray::read(array, slot)?
        {
            return Ok(());
        }
        Err(no_array(object, name, role)?.into())
    }
}

/// The error for what is no array. One that a call makes for what it writes would be lost.
#[cold]
fn no_array(object: Borrowed<'_, '_, PyAny>, name: &str, role: Role) -> PyResult<PyErr> {
    let class = object.get_type().name()?;
    let hint = match role {
        Role::In | Role::Scalar => {
            format!("pass numpy.asarray({name}) or cuvec.asarray({name})")
        }
        Role::InOut | Role::Out => {
            format!("it is written to, so make it an array first: {name} = numpy.asarray({name})")
        }
        Role::Result => "pass an array to write the result to, or None for a new one".to_owned(),
    };
    let message = format!("{name} must be an array, not {class}; {hint}");
    Ok(PyTypeError::new_err(message))
}

/// The error for what NumPy makes an array of, where it is to be written.
#[cold]
fn only_read(object: Borrowed<'_, '_, PyAny>, name: &str) -> PyResult<PyErr> {
    let class = object.get_type().name()?;
    Ok(PyValueError::new_err(format!(
        "{name} is written to, but {class} objects are only read; \
         make it an array first: {name} = numpy.array({name})"
    )))
}

/// Reads arguments once, so that pyo3 looks up now what it looks up when it needs it
/// first. That can go wrong later: a process forked in the middle of it waits for it for ever, and
/// an interpreter that is ending finds nothing any more.
pub fn rehearse(py: Python<'_>) -> PyResult<()> {
    let module = finalization::import(py, "numpy")?;
    let module = module.as_borrowed();
    numpy::load(module)?;
    let array = finalization::call_method(module, "empty", (0,))?;
    let streams = StreamCache::default();
    let view = finalization::view(PyBytes::new(py, b"").as_any().as_borrowed())?;
    for object in [&array, &view] {
        Argument::read(object.as_borrowed(), "it", Role::In, &streams)?;
    }
    dlpack::import(array.as_borrowed(), &streams, &mut None)?;
    numpy::kind_of(array.as_borrowed())?;
    let is_stream = StreamArgument::of(array.as_borrowed()).is_ok(); // refused only after all names
    debug_assert!(!is_stream);
    Ok(())
}
