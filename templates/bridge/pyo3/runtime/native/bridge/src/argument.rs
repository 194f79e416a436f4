//! Array arguments: every kind of object that a function takes.

use host::Array;
use host::dtype::DType;
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
    borrowed: Option<Borrowed>,
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
        Self::of(object, asked).map_err(|error| error.named(name))
    }

    /// Tries the interfaces from the cheapest to the dearest; DLPack before
    /// `__cuda_array_interface__`, because it also orders streams and owns its memory.
    fn of(object: pyo3::Borrowed<'_, '_, PyAny>, asked: &Asked) -> Result<Self, Unreadable> {
        let is_torchs = dlpack::exchange::is_torchs(object);
        if !is_torchs
            && let Ok(array) = object.cast::<numpy::PyUntypedArray>()
            && let Some(argument) = ndarray::read(array)?
        {
            return Ok(argument);
        }
        if !is_torchs && let Ok(buffer) = object.cast::<Buffer>() {
            return Ok(buffer.get().array().into());
        }
        if let Some(argument) = dlpack::import(object, asked)? {
            return Ok(argument);
        }
        if let Some(interface) = cuda_array_interface::find(object)? {
            return Ok(cuda_array_interface::read(&interface)?.into());
        }
        if let Some(argument) = buffer_protocol::read(object)? {
            return Ok(argument);
        }
        let class = object.get_type().name()?;
        Err(Unreadable::Other(PyTypeError::new_err(format!(
            "expected an array, not {class}; pass numpy.asarray(...) or cuvec.asarray(...) of it"
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
        Argument::of(object.as_borrowed(), &asked)?;
    }
    dlpack::import(array.as_borrowed(), &asked)?;
    let is_stream = array.extract::<StreamArgument>().is_ok(); // that it is none takes all names
    debug_assert!(!is_stream);
    Ok(())
}

/// The error for elements of a type that is none of [`DType`].
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
