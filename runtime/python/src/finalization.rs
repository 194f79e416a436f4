//! Calls that may run Python code, and outlive the interpreter.
//!
//! Before 3.14 the interpreter ends a thread that comes back to it while it shuts down. It unwinds the stack,
//! which Rust takes for a fault that ends the process. Here the thread hangs instead, as it does from 3.14 on,
//! and the process ends without it. It hangs right where the call is, because what the callers have on their
//! stacks must not be dropped without the interpreter.
//!
//! pyo3's own methods of that kind are disallowed by this crate's `clippy.toml`. These need no guard: checks of a
//! class (`cast`, `is_instance_of`), strings, tuples and lists that are made or read, dicts of ours, and borrowed
//! or temporary objects that are dropped while the caller has another reference. Before 3.12 an allocation may
//! collect garbage, and run finalizers; those are not guarded. Nor are the arguments of functions that pyo3 reads
//! itself: what `cuvec/*.py` passes to them are Python's own numbers and strings.

mod objects;

use std::thread;
use std::time::Duration;

use cuvec_core::fork::Once;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

pub use objects::{
    as_float, as_index, attribute, attribute_opt, call, call_method, check_signals, equal, has,
    import, imported, is_instance, is_subclass, is_true, item, length, named, named_opt, text,
    unraisable, value_of, view,
};

/// A function of the interpreter, as one that may unwind. pyo3 declares all of them as functions that do not. The
/// compiler, where it sees which one is called, believes that.
macro_rules! unwinding {
    ($name:ident($($argument:ty),*) -> $result:ty) => {{
        let function: unsafe extern "C" fn($($argument),*) -> $result =
            std::hint::black_box(pyo3::ffi::$name as _);
        // SAFETY: the same function, of the same arguments.
        unsafe {
            std::mem::transmute::<
                unsafe extern "C" fn($($argument),*) -> $result,
                unsafe extern "C-unwind" fn($($argument),*) -> $result,
            >(function)
        }
    }};
}
use unwinding;

/// Is dropped only where the stack is unwound.
struct HangUnlessReturned;

impl Drop for HangUnlessReturned {
    #[cold]
    fn drop(&mut self) {
        while !thread::panicking() {
            thread::sleep(Duration::from_secs(60 * 60));
        }
    }
}

/// Calls a function of C, one that may unwind, and which may run Python code.
#[inline]
pub fn outlive<R>(call: impl FnOnce() -> R) -> R {
    let guard = HangUnlessReturned;
    let result = call();
    std::mem::forget(guard);
    result
}

/// The integer that an object says it is, if this type holds it.
pub fn integer<'py, T: FromPyObjectOwned<'py>>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<T> {
    let integer = as_index(object)?;
    #[expect(clippy::disallowed_methods, reason = "an integer of Python's")]
    integer.extract().map_err(Into::into)
}

/// The integers that the items of a sequence say they are, if this type holds them.
pub fn integers<'py, T: FromPyObjectOwned<'py>>(
    object: Borrowed<'_, 'py, PyAny>,
) -> PyResult<Vec<T>> {
    let items = tuple(object)?;
    items
        .iter_borrowed()
        .map(integer)
        .collect::<PyResult<Vec<_>>>()
}

/// The items of a tuple of two.
pub fn pair<'a, 'py>(object: &'a Bound<'py, PyAny>) -> PyResult<[Borrowed<'a, 'py, PyAny>; 2]> {
    let tuple = object.cast::<PyTuple>()?;
    match tuple.len() {
        2 => Ok([tuple.get_borrowed_item(0)?, tuple.get_borrowed_item(1)?]),
        count => Err(PyTypeError::new_err(format!(
            "a tuple of {count} items, not 2"
        ))),
    }
}

/// The items of a sequence.
pub fn tuple<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    // SAFETY: a live object, whose class is looked at.
    if unsafe { ffi::PySequence_Check(object.as_ptr()) } == 0 {
        let class = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{class} is no sequence")));
    }
    let convert = unwinding!(PySequence_Tuple(*mut PyObject) -> *mut PyObject);
    // SAFETY: a live object, and the interpreter's own result.
    unsafe {
        let items = outlive(|| convert(object.as_ptr()));
        Bound::from_owned_ptr_or_err(object.py(), items).map(|it| it.cast_into_unchecked())
    }
}

/// An object that may be gone when it is dropped here, and run a finalizer: any class's own, or one of what it
/// keeps.
pub struct Kept(Option<Py<PyAny>>);

impl Kept {
    pub fn bind<'a, 'py>(&'a self, py: Python<'py>) -> Borrowed<'a, 'py, PyAny> {
        let object = self.0.as_ref().expect("it is there until it is dropped");
        object.bind_borrowed(py)
    }
}

impl From<Py<PyAny>> for Kept {
    fn from(object: Py<PyAny>) -> Self {
        Self(Some(object))
    }
}

impl From<Bound<'_, PyAny>> for Kept {
    fn from(object: Bound<'_, PyAny>) -> Self {
        object.unbind().into()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let object = self.0.take();
        // Without an interpreter, objects are nobody's business.
        let _ = Python::try_attach(|_py| {
            let release = unwinding!(Py_DecRef(*mut PyObject) -> ());
            // SAFETY: a reference of ours.
            outlive(|| object.map(|it| unsafe { release(it.into_ptr()) }))
        });
    }
}

/// A string of Python of this text, such as the name of an attribute, which is made once.
///
/// Not pyo3's `intern!`: it detaches from the interpreter while it makes one, and then the process may be forked, and the
/// child waits for ever.
macro_rules! interned {
    ($py:expr, $text:literal) => {{
        static STRING: cuvec_core::fork::Once<pyo3::Py<pyo3::types::PyString>> =
            cuvec_core::fork::Once::new();
        $crate::finalization::string($py, &STRING, $text)
    }};
}

pub(crate) use interned;

#[inline]
pub fn string<'a, 'py>(
    py: Python<'py>,
    made: &'a Once<Py<PyString>>,
    text: &str,
) -> &'a Bound<'py, PyString> {
    let make = || made.keep(PyString::intern(py, text).unbind());
    made.get().unwrap_or_else(make).bind(py)
}
