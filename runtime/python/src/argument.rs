//! Array arguments: every kind of object that a function takes.

use cuvec_core::Array;
use cuvec_core::dtype::DType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyWeakrefReference};

use crate::asked::Asked;
use crate::buffer::Buffer;
use crate::stream::StreamArgument;
use crate::{buffer_protocol, cuda_array_interface, dlpack, ndarray};

/// An array argument, valid during the call.
pub struct Argument {
    pub array: Array,
    /// What an exporter handed out for this call and takes back after it.
    pub borrowed: Option<Borrowed>,
}

/// A loan that ends with the call. Its value is its destructor.
pub enum Borrowed {
    /// Of what the caller holds: [`Asked::may_borrow`].
    FromCaller,
    Dlpack(#[expect(dead_code)] dlpark::AllocationDeleter),
    Buffer(#[expect(dead_code)] pyo3::buffer::PyUntypedBuffer),
    Array(#[expect(dead_code)] Py<PyWeakrefReference>),
}

impl Argument {
    pub fn with(array: Array, borrowed: Borrowed) -> Self {
        Self {
            array,
            borrowed: Some(borrowed),
        }
    }

    /// Whether nobody but the caller holds the array.
    pub fn is_lent(&self) -> bool {
        matches!(self.borrowed, Some(Borrowed::FromCaller))
    }

    /// Reads an object, which the caller knows by its name.
    pub fn read(
        object: pyo3::Borrowed<'_, '_, PyAny>,
        name: &str,
        asked: &Asked,
    ) -> PyResult<Self> {
        let mut slot = None;
        Self::put(object, name, asked, &mut slot)?;
        Ok(slot.expect("it has been read"))
    }

    /// The same, where the argument is to be: to move it takes a part of a small call.
    pub fn put(
        object: pyo3::Borrowed<'_, '_, PyAny>,
        name: &str,
        asked: &Asked,
        slot: &mut Option<Self>,
    ) -> PyResult<()> {
        Self::find(object, name, asked, slot).map_err(|error| error.named(name))
    }

    /// Tries the interfaces from the cheapest to the dearest; DLPack before
    /// `__cuda_array_interface__`, because it also orders streams and owns its memory.
    fn find(
        object: pyo3::Borrowed<'_, '_, PyAny>,
        name: &str,
        asked: &Asked,
        slot: &mut Option<Self>,
    ) -> Result<(), Unreadable> {
        let is_known = dlpack::is_known(object);
        if !is_known
            && let Ok(array) = object.cast::<numpy::PyUntypedArray>()
            && ndarray::read(array, slot)?
        {
            return Ok(());
        }
        if !is_known && let Ok(buffer) = object.cast::<Buffer>() {
            *slot = Some(buffer.get().array().into());
            return Ok(());
        }
        if dlpack::import(object, asked, slot)? {
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
        let class = object.get_type().name()?;
        Err(Unreadable::Other(PyTypeError::new_err(format!(
            "{name} must be an array, not {class}; \
             pass numpy.asarray({name}) or cuvec.asarray({name})"
        ))))
    }
}

impl From<Array> for Argument {
    fn from(array: Array) -> Self {
        Self {
            array,
            borrowed: None,
        }
    }
}

/// Why an object is not read as an array.
pub enum Unreadable {
    /// Its elements are of a type that is none of [`DType`].
    Elements(String),
    Other(PyErr),
}

impl Unreadable {
    /// The error for the caller, who knows the array by this name.
    #[cold]
    pub fn named(self, name: &str) -> PyErr {
        match self {
            Self::Elements(what) => PyTypeError::new_err(format!("{name}: {what}")),
            Self::Other(error) => error,
        }
    }
}

impl From<PyErr> for Unreadable {
    fn from(error: PyErr) -> Self {
        Self::Other(error)
    }
}

impl From<Unreadable> for PyErr {
    fn from(error: Unreadable) -> Self {
        match error {
            Unreadable::Elements(what) => PyTypeError::new_err(what),
            Unreadable::Other(error) => error,
        }
    }
}

/// Reads arguments once, so that pyo3 and numpy look up now what they look up when they need it
/// first. That can go wrong later: a process forked in the middle of it waits for it for ever, and
/// an interpreter that is ending finds nothing any more.
pub fn rehearse(py: Python<'_>) -> PyResult<()> {
    let array = py.import("numpy")?.call_method1("empty", (0,))?;
    let asked = Asked::default();
    let view = py.import("builtins")?.getattr("memoryview")?;
    for object in [&array, &view.call1((PyBytes::new(py, b""),))?] {
        Argument::read(object.as_borrowed(), "it", &asked)?;
    }
    dlpack::import(array.as_borrowed(), &asked, &mut None)?;
    let is_stream = array.extract::<StreamArgument>().is_ok(); // that it is none takes all names
    debug_assert!(!is_stream);
    Ok(())
}

/// The error for elements of a type that is none of [`DType`].
#[cold]
pub fn unsupported(dtype: impl std::fmt::Display) -> Unreadable {
    Unreadable::Elements(format!(
        "arrays of {dtype} are not supported; use bool, an integer, float16, float32, float64, \
         complex64 or complex128, in native byte order"
    ))
}

/// The dtype of a `typestr` from an array interface.
pub fn dtype_of(typestr: &str) -> Result<DType, Unreadable> {
    DType::from_typestr(typestr).ok_or_else(|| unsupported(format_args!("type {typestr:?}")))
}
