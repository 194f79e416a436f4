//! Operations on objects that may run their own Python code.

use std::ffi::c_int;
use std::ptr;

use pyo3::exceptions::PyAttributeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::{outlive, unwinding};

/// Takes over the result of an interpreter function.
fn owned(py: Python<'_>, call: impl FnOnce() -> *mut PyObject) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the interpreter's own result, a new reference or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, outlive(call)) }
}

/// The result of an interpreter function that returns -1 with an exception set.
fn answer(py: Python<'_>, call: impl FnOnce() -> c_int) -> PyResult<bool> {
    match outlive(call) {
        -1 => Err(PyErr::fetch(py)),
        answer => Ok(answer != 0),
    }
}

/// An attribute, which a class may calculate.
pub fn attribute<'py>(
    object: Borrowed<'_, 'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let get = unwinding!(PyObject_GetAttr(*mut PyObject, *mut PyObject) -> *mut PyObject);
    // SAFETY: live objects.
    owned(object.py(), || unsafe {
        get(object.as_ptr(), name.as_ptr())
    })
}

/// An attribute of an object that need not have it.
pub fn attribute_opt<'py>(
    object: Borrowed<'_, 'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match attribute(object, name) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_instance_of::<PyAttributeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Checks whether an object has an attribute.
pub fn has(object: Borrowed<'_, '_, PyAny>, name: &str) -> PyResult<bool> {
    let name = PyString::intern(object.py(), name);
    Ok(attribute_opt(object, &name)?.is_some())
}

/// An attribute by a name that is not kept.
pub fn named<'py>(object: Borrowed<'_, 'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    attribute(object, &PyString::new(object.py(), name))
}

/// An attribute by a name that is not kept, of an object that need not have it.
pub fn named_opt<'py>(
    object: Borrowed<'_, 'py, PyAny>,
    name: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    attribute_opt(object, &PyString::new(object.py(), name))
}

/// Calls a callable with these arguments.
pub fn call<'py>(
    callable: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let call =
        unwinding!(PyObject_Call(*mut PyObject, *mut PyObject, *mut PyObject) -> *mut PyObject);
    let keywords = keywords.map_or(ptr::null_mut(), Bound::as_ptr);
    // SAFETY: live objects; the keywords may be null.
    owned(callable.py(), || unsafe {
        call(callable.as_ptr(), arguments.as_ptr(), keywords)
    })
}

/// Calls a method with these arguments.
pub fn call_method<'py>(
    object: Borrowed<'_, 'py, PyAny>,
    name: &str,
    arguments: impl IntoPyObject<
        'py,
        Target = PyTuple,
        Output = Bound<'py, PyTuple>,
        Error: Into<PyErr>,
    >,
) -> PyResult<Bound<'py, PyAny>> {
    let arguments = arguments.into_pyobject(object.py()).map_err(Into::into)?;
    call(&named(object, name)?, &arguments, None)
}

/// An item, by an index or a key.
pub fn item<'py>(
    object: Borrowed<'_, 'py, PyAny>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let get = unwinding!(PyObject_GetItem(*mut PyObject, *mut PyObject) -> *mut PyObject);
    // SAFETY: live objects.
    owned(object.py(), || unsafe {
        get(object.as_ptr(), key.as_ptr())
    })
}

/// The value of a key in a dict, whose other keys may be of any class.
pub fn value_of<'py>(dict: &Bound<'py, PyDict>, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let get = unwinding!(PyDict_GetItemWithError(*mut PyObject, *mut PyObject) -> *mut PyObject);
    let (py, key) = (dict.py(), PyString::new(dict.py(), key));
    // SAFETY: live objects; the dict owns the reference.
    let found = unsafe {
        let found = outlive(|| get(dict.as_ptr(), key.as_ptr()));
        Bound::from_borrowed_ptr_or_opt(py, found)
    };
    match (found, PyErr::take(py)) {
        (None, Some(error)) => Err(error),
        (found, _) => Ok(found),
    }
}

/// How many items an object has.
pub fn length(object: Borrowed<'_, '_, PyAny>) -> PyResult<usize> {
    let size = unwinding!(PyObject_Size(*mut PyObject) -> isize);
    // SAFETY: a live object.
    let size = outlive(|| unsafe { size(object.as_ptr()) });
    usize::try_from(size).map_err(|_| PyErr::fetch(object.py()))
}

/// `bool(object)`.
pub fn is_true(object: Borrowed<'_, '_, PyAny>) -> PyResult<bool> {
    let ask = unwinding!(PyObject_IsTrue(*mut PyObject) -> c_int);
    // SAFETY: a live object.
    answer(object.py(), || unsafe { ask(object.as_ptr()) })
}

/// `isinstance(object, class)`, which the class may decide.
pub fn is_instance(object: Borrowed<'_, '_, PyAny>, class: &Bound<'_, PyAny>) -> PyResult<bool> {
    let ask = unwinding!(PyObject_IsInstance(*mut PyObject, *mut PyObject) -> c_int);
    // SAFETY: live objects.
    answer(object.py(), || unsafe {
        ask(object.as_ptr(), class.as_ptr())
    })
}

/// `issubclass(class, of)`, which the other one may decide.
pub fn is_subclass(class: Borrowed<'_, '_, PyAny>, of: &Bound<'_, PyAny>) -> PyResult<bool> {
    let ask = unwinding!(PyObject_IsSubclass(*mut PyObject, *mut PyObject) -> c_int);
    // SAFETY: live objects.
    answer(class.py(), || unsafe { ask(class.as_ptr(), of.as_ptr()) })
}

/// `one == other`.
pub fn equal(one: Borrowed<'_, '_, PyAny>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
    let compare =
        unwinding!(PyObject_RichCompareBool(*mut PyObject, *mut PyObject, c_int) -> c_int);
    // SAFETY: live objects.
    answer(one.py(), || unsafe {
        compare(one.as_ptr(), other.as_ptr(), ffi::Py_EQ)
    })
}

/// `str(object)`.
pub fn text<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
    let show = unwinding!(PyObject_Str(*mut PyObject) -> *mut PyObject);
    // SAFETY: a live object.
    let text = owned(object.py(), || unsafe { show(object.as_ptr()) })?;
    Ok(text.cast_into()?)
}

/// A module that is imported already.
pub fn imported<'py>(py: Python<'py>, name: &str) -> Option<Bound<'py, PyAny>> {
    // SAFETY: a live string.
    unsafe {
        let module = ffi::PyImport_GetModule(PyString::new(py, name).as_ptr());
        Bound::from_owned_ptr_or_opt(py, module)
    }
}

/// A module, which may have to be found.
pub fn import<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let import = unwinding!(PyImport_Import(*mut PyObject) -> *mut PyObject);
    let name = PyString::new(py, name);
    // SAFETY: a live object.
    owned(py, || unsafe { import(name.as_ptr()) })
}

/// `memoryview(object)`.
pub fn view<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let view = unwinding!(PyMemoryView_FromObject(*mut PyObject) -> *mut PyObject);
    // SAFETY: a live object.
    owned(object.py(), || unsafe { view(object.as_ptr()) })
}

/// `float(object)`, or -1 with an exception set.
pub fn as_float(object: Borrowed<'_, '_, PyAny>) -> f64 {
    let convert = unwinding!(PyFloat_AsDouble(*mut PyObject) -> f64);
    // SAFETY: a live object.
    outlive(|| unsafe { convert(object.as_ptr()) })
}

/// The integer that an object says it is.
pub fn as_index<'py>(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let convert = unwinding!(PyNumber_Index(*mut PyObject) -> *mut PyObject);
    // SAFETY: a live object.
    owned(object.py(), || unsafe { convert(object.as_ptr()) })
}

/// Checks whether a signal handler has raised; the exception stays set.
pub fn check_signals(_py: Python<'_>) -> bool {
    let check = unwinding!(PyErr_CheckSignals() -> c_int);
    // SAFETY: this thread is attached.
    outlive(|| unsafe { check() }) != 0
}

/// Reports an error that nobody can be told of.
pub fn unraisable(py: Python<'_>, error: PyErr) {
    let report = unwinding!(PyErr_WriteUnraisable(*mut PyObject) -> ());
    error.restore(py);
    // SAFETY: the exception is set, and null is allowed: it is of no object.
    outlive(|| unsafe { report(ptr::null_mut()) });
}
