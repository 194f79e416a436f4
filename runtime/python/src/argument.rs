//! An array argument, and why an object is none.

use cuvec_core::retained::UntilDone;
use cuvec_core::{Array, DType, Stream};
use cuvec_spec::Role;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::error::to_python;
use crate::finalization::Kept;
use crate::structs;

/// An array argument, valid during the call.
pub struct Argument {
    pub array: Array,
    /// Memory that an exporter handed out for this call and takes back after it.
    pub borrowed: Option<Backing>,
}

/// Owner of an argument's memory for the call. Its value is its destructor.
pub enum Backing {
    /// Memory that the caller owns: [`StreamCache::may_borrow`].
    FromCaller,
    Dlpack(#[expect(dead_code)] crate::dlpack::capsule::Owner),
    Block(std::sync::Arc<cuvec_core::Block>),
    Memory(#[expect(dead_code)] crate::numpy::RetainedMemory),
    Object(#[expect(dead_code)] Kept),
}

impl Argument {
    pub fn with(array: Array, borrowed: Backing) -> Self {
        Self {
            array,
            borrowed: Some(borrowed),
        }
    }

    /// Checks whether only the caller owns the array.
    pub fn is_borrowed(&self) -> bool {
        matches!(self.borrowed, Some(Backing::FromCaller))
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
    /// Its elements alone are not what it is, and what has them alone, if a method returns that.
    Subclass(&'static str, Option<&'static str>),
    Other(PyErr),
}

impl Unreadable {
    /// The error for the caller, who knows the array by this name.
    #[cold]
    pub fn named(self, name: &str, role: Role) -> PyErr {
        match self {
            Self::Elements(what) => PyTypeError::new_err(format!("{name}: {what}")),
            Self::Subclass(what, method) => {
                let plain = method.map(|method| format!("what {name}.{method}(...) returns"));
                let plain = plain.unwrap_or_else(|| "another array".to_owned());
                let fix = match role {
                    Role::In | Role::Scalar => plain,
                    Role::InOut | Role::Out => format!("{plain} and copy it back into {name}"),
                    Role::Result => format!("another array and copy it into {name}"),
                };
                PyValueError::new_err(format!("{name}: {what}; pass {fix}"))
            }
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
            Unreadable::Subclass(what, _) => PyValueError::new_err(what),
            Unreadable::Other(error) => error,
        }
    }
}

/// The error for elements of a type that is none of [`DType`].
#[cold]
pub fn unsupported(dtype: impl std::fmt::Display) -> Unreadable {
    Unreadable::Elements(format!(
        "arrays of {dtype} are not supported; use bool, an integer, a float of 64 bits or fewer, \
         complex64 or complex128, in native byte order"
    ))
}

/// The dtype of a `typestr` from an array interface, or of the name that a [`Buffer`](crate::buffer::Buffer) has
/// for a dtype beyond these.
pub fn dtype_of(typestr: &str) -> Result<DType, Unreadable> {
    let known = DType::from_typestr(typestr).or_else(|| structs::named(typestr));
    known.ok_or_else(|| unsupported(format_args!("type {typestr:?}")))
}

/// Arrays of a call, with their objects. Their value is their destructor.
type Retained = Box<dyn Send>;

static ALL: UntilDone<Retained> = UntilDone::new();

/// Retains the arguments of a call on this stream and GPU, which has not been synchronized, until it is
/// over.
pub fn retain(stream: Stream, gpu: usize, arguments: Retained) -> PyResult<()> {
    let mark = cuvec_core::device::gpu(gpu).and_then(|gpu| gpu.mark(stream));
    ALL.add(vec![mark.map_err(to_python)?], arguments);
    Ok(())
}

/// Releases those whose calls are over. What is freed may run any code.
pub fn release_done(_py: Python<'_>) {
    ALL.release();
}
