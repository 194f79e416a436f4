//! The declared functions, as built-in functions of Python.

mod adapters;
mod call;
mod callable;
mod matching;
mod number;
mod object;
mod record;
mod results;
mod spec;

use std::ffi::{CString, c_char};
use std::path::PathBuf;
use std::ptr;

use cuvec_core::functions::{self, Function, INLINE_ARGS, Scalar};
use cuvec_spec::{DType, MAX_ARGUMENTS, Spec};
use pyo3::exceptions::{PyImportError, PyLookupError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::error::{self, to_python};
use crate::finalization;
use callable::Callable;
pub use matching::similar_name;
pub use object::Object;
pub use record::struct_bytes;

/// Names besides a function's own arguments: `out` and `stream`.
const OTHERS: usize = 2;

/// Loads the library of the functions, which lies beside this module.
fn load(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let suffix = if cfg!(windows) { "dll" } else { "so" };
    let file =
        finalization::named(module.as_any().as_borrowed(), "__file__")?.cast_into::<PyString>()?;
    #[expect(clippy::disallowed_methods, reason = "a string of Python's")]
    let file: PathBuf = file.extract()?;
    let path = file.with_file_name("_functions").with_extension(suffix);
    // SAFETY: the build has made it of the functions of this package.
    let loaded = unsafe { cuvec_core::library::load(&path) };
    loaded.map_err(|error| PyImportError::new_err(error.to_string()))
}

/// Adds the functions, as the tuple `declared`; what they are declared as, as the tuple `specs`; the classes, as
/// the tuple `classes` of a constructor and the tuple of its methods, which take its object first; and the
/// dicts `signatures`, of their texts, and `result_types`, of the named tuples for several results.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    cuvec_core::interrupt::register(check_signals);
    load(module)?;
    let full = module.name()?;
    let full = full.to_str()?;
    // The package is two levels above this module
    let package = full.rsplitn(3, '.').last().unwrap_or(full);
    let package = PyString::new(py, package);
    let functions = functions::all().map_err(to_python)?;
    let (signatures, result_types) = (PyDict::new(py), PyDict::new(py));
    let place = full.rsplit_once('.').map_or("", |(parent, _)| parent);
    let place = format!("{place}.functions");
    let mut built_in = Vec::with_capacity(functions.len());
    let mut specs = Vec::with_capacity(functions.len());
    let mut classes = Vec::new();
    let made = |function: &'static Function| {
        let callable: &'static _ = Box::leak(Box::new(Callable::new(py, function, &place)?));
        if let Some((class, _)) = &callable.result_type {
            result_types.set_item(function.spec.name, class)?;
        }
        make(py, callable, &package)
    };
    for function in functions {
        if function.spec.class.is_some() {
            let methods = function.methods.iter().map(made);
            let methods = PyTuple::new(py, methods.collect::<PyResult<Vec<_>>>()?)?;
            classes.push((made(function)?, methods));
            continue;
        }
        signatures.set_item(function.spec.name, function.spec.signature)?;
        built_in.push(made(function)?);
        specs.push(spec::of(py, function)?);
    }
    module.add("classes", PyTuple::new(py, classes)?)?;
    module.add("declared", PyTuple::new(py, built_in)?)?;
    module.add("specs", PyTuple::new(py, specs)?)?;
    module.add("result_types", result_types)?;
    module.add("signatures", signatures)
}

/// The index of a text among the choices of an option, or of a dtype; TypeError or ValueError for none of them.
#[pyfunction]
pub fn choice(function: &str, argument: &str, value: &Bound<'_, PyAny>) -> PyResult<i128> {
    let function = functions::named(function).map_err(to_python)?;
    let parameters = function.map_or_else(Default::default, |it| it.spec.parameters().iter());
    let mut options = parameters.filter(|it| it.name == argument && !it.choices.is_empty());
    match options.next() {
        Some(it) if it.chooses.is_some() => {
            Ok(matching::index_of_dtype(it, value.as_borrowed())? as i128)
        }
        Some(option) => Ok(number::choice(option, value.as_borrowed())?.as_integer(DType::I32)),
        None => Err(PyLookupError::new_err(format!("no option `{argument}`"))),
    }
}

/// Reads what is given for a number or a tuple, in this dtype; an error as a call would raise it.
#[pyfunction]
pub fn check_number(
    function: &str,
    argument: &str,
    dtype: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let function = functions::named(function).map_err(to_python)?;
    let mut parameters = function.map_or_else(Default::default, |it| it.spec.parameters().iter());
    let parameter = parameters.find(|it| it.name == argument);
    let (Some(parameter), Some(dtype)) = (
        parameter,
        DType::ALL.into_iter().find(|it| it.name() == dtype),
    ) else {
        let message = format!("no number `{argument}` of {dtype}");
        return Err(PyLookupError::new_err(message));
    };
    if parameter.items > 0 {
        let mut tuple = vec![Scalar::default(); parameter.items];
        return number::items(parameter, value.as_borrowed(), dtype, &mut tuple);
    }
    number::read(argument, value.as_borrowed(), dtype).map(|_| ())
}

/// Checks whether a signal handler has raised; the exception stays set.
fn check_signals() -> bool {
    // An interpreter that is ending is not asked.
    Python::try_attach(finalization::check_signals).unwrap_or(false)
}

/// A built-in function. Its `self` is a module of its own, for Python takes a built-in function
/// with a module as one that can be found by its name: pickle does.
fn make<'py>(
    py: Python<'py>,
    callable: &'static Callable,
    package: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let function = callable.function;
    let method = Box::leak(Box::new(ffi::PyMethodDef {
        ml_name: leaked(function.spec.own_name())?,
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionFastWithKeywords: enter,
        },
        ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
        ml_doc: leaked(&format!(
            "{}\n--\n\n{}",
            signature(&function.spec),
            function.docstring()
        ))?,
    }));
    let own = callable::own_module(py, ptr::from_ref(callable).cast())?;
    // SAFETY: the method lives as long as the process.
    unsafe {
        let built_in = ffi::PyCFunction_NewEx(method, own.as_ptr(), package.as_ptr());
        Bound::from_owned_ptr_or_err(py, built_in)
    }
}

/// `name(a, x, y, *, stream=None)`, which `inspect.signature` finds at the beginning of the docstring.
fn signature(spec: &Spec) -> String {
    let mut parameters: Vec<String> = Vec::new();
    if spec.name.contains('.') || spec.class.is_some() {
        parameters.push("self, /".to_owned());
    }
    let mut by_name = false;
    for parameter in spec.parameters() {
        if parameter.keyword_only && !by_name {
            parameters.push("*".to_owned());
            by_name = true;
        }
        let default = parameter.default_literal();
        let default = default.map_or_else(String::new, |default| format!("={default}"));
        parameters.push(format!("{}{default}", parameter.name));
    }
    if !by_name {
        parameters.push("*".to_owned());
    }
    if !spec.results().is_empty() {
        parameters.push("out=None".to_owned());
    }
    parameters.push("stream=None".to_owned());
    format!("{}({})", spec.own_name(), parameters.join(", "))
}

fn leaked(text: &str) -> PyResult<*const c_char> {
    Ok(CString::new(text)?.into_raw())
}

/// Where Python enters. A panic becomes an exception, as in functions that pyo3 makes.
unsafe extern "C" fn enter(
    own: *mut ffi::PyObject,
    values: *const *mut ffi::PyObject,
    positional: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    error::enter(ptr::null_mut(), |py| {
        // SAFETY: `own` is the module that `make` has filled; the interpreter passes the values.
        unsafe {
            let callable = *ffi::PyModule_GetState(own).cast::<&Callable>();
            let (mut few, mut many);
            let matched = if callable.names.len() <= INLINE_ARGS + OTHERS {
                few = [None; INLINE_ARGS + OTHERS];
                &mut few[..callable.names.len()]
            } else {
                many = [None; MAX_ARGUMENTS + OTHERS];
                &mut many[..callable.names.len()]
            };
            let count = positional as usize;
            let object = match callable.is_method {
                true => Some(object::of(py, callable, values, count)?),
                false => None, // as mostly
            };
            let own = usize::from(callable.is_method);
            matching::fill(py, callable, values.add(own), count - own, names, matched)?;
            call::call(py, callable, matched, object.as_ref()).map(Bound::into_ptr)
        }
    })
}
