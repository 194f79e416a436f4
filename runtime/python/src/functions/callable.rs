//! A declared function, as Python calls it.

use std::ffi::c_void;

use cuvec_core::functions::Function;
use cuvec_spec::Argument;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyString, PyTuple};

use crate::finalization;

/// A function as Python calls it. It lives as long as the process.
pub struct Callable {
    pub function: &'static Function,
    /// Interned: the parameters', then `out` if there are results, then `stream`.
    pub names: Vec<Py<PyString>>,
    /// Without results.
    pub parameters: &'static [Argument],
    /// Those that can be given by position.
    pub positional: usize,
    pub results: usize,
    /// The named tuple for several, and what makes one of a tuple.
    pub result_type: Option<(Py<PyAny>, Py<PyAny>)>,
    /// Results that only a derivative sees. They come last; its caller gives them in `out`.
    pub saved: usize,
    /// True if it takes an object first.
    pub is_method: bool,
}

impl Callable {
    /// `module` is where named tuples of results can be found.
    pub fn new(py: Python<'_>, function: &'static Function, module: &str) -> PyResult<Self> {
        let parameters = function.spec.parameters();
        let results = function.spec.results().len();
        let mut names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
        if results > 0 {
            names.push("out");
        }
        names.push("stream");
        let interned = |name: &&str| PyString::intern(py, name).unbind();
        Ok(Self {
            function,
            names: names.iter().map(interned).collect(),
            positional: parameters.iter().filter(|p| !p.keyword_only).count(),
            parameters,
            results,
            saved: function.spec.saved().len(),
            is_method: function.spec.name.contains('.'),
            result_type: result_type(py, function, module)?,
        })
    }

    /// The place of `out` among the names, if there are results.
    pub fn out(&self) -> usize {
        self.parameters.len()
    }

    pub fn stream(&self) -> usize {
        self.names.len() - 1
    }

    /// True if it is a part of a class, which programs of frameworks leave out.
    pub fn is_of_class(&self) -> bool {
        self.is_method || self.function.spec.class.is_some()
    }
}

/// The named tuple for several results, and `tuple.__new__`.
fn result_type(
    py: Python<'_>,
    function: &Function,
    module: &str,
) -> PyResult<Option<(Py<PyAny>, Py<PyAny>)>> {
    let Some(name) = function.spec.result_type() else {
        return Ok(None);
    };
    let names = function.spec.results().iter().map(|it| it.name);
    let names = PyTuple::new(py, names)?;
    let options = [("module", module)].into_py_dict(py)?;
    let collections = finalization::import(py, "collections")?;
    let make = finalization::named(collections.as_borrowed(), "namedtuple")?;
    let class = finalization::call(&make, &(name, names).into_pyobject(py)?, Some(&options))?;
    let new = finalization::named(py.get_type::<PyTuple>().as_any().as_borrowed(), "__new__")?;
    Ok(Some((class.unbind(), new.unbind())))
}

/// A module for one built-in function, whose state holds `pointer`, its `Callable`; what it is defined by lives as long as the process.
pub fn own_module<'py>(py: Python<'py>, pointer: *const c_void) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the state has the size of a pointer.
    unsafe {
        let own = Bound::from_owned_ptr_or_err(py, made(py, size_of::<*const c_void>() as isize)?)?;
        *ffi::PyModule_GetState(own.as_ptr()).cast::<*const c_void>() = pointer;
        Ok(own)
    }
}

#[cfg(not(all(Py_LIMITED_API, Py_GIL_DISABLED)))]
unsafe fn made(_py: Python<'_>, size: ffi::Py_ssize_t) -> PyResult<*mut ffi::PyObject> {
    let definition = Box::leak(Box::new(ffi::PyModuleDef {
        m_base: ffi::PyModuleDef_HEAD_INIT,
        m_name: c"function".as_ptr(),
        m_doc: std::ptr::null(),
        m_size: size,
        m_methods: std::ptr::null_mut(),
        m_slots: std::ptr::null_mut(),
        m_traverse: None,
        m_clear: None,
        m_free: None,
    }));
    // SAFETY: the definition lives as long as the process.
    Ok(unsafe { ffi::PyModule_Create(definition) })
}

/// abi3t has no `PyModuleDef`: objects are opaque in it.
#[cfg(all(Py_LIMITED_API, Py_GIL_DISABLED))]
unsafe fn made(py: Python<'_>, size: ffi::Py_ssize_t) -> PyResult<*mut ffi::PyObject> {
    let machinery = py.import("importlib.machinery")?;
    let spec = machinery.call_method1("ModuleSpec", ("function", py.None()))?;
    let gil = ffi::Py_MOD_GIL_NOT_USED;
    static mut ABI: ffi::PyABIInfo = ffi::_PyABIInfo_DEFAULT;
    let slots = Box::leak(Box::new([
        ffi::PySlot_STATIC_DATA(ffi::Py_mod_abi, (&raw mut ABI).cast()),
        ffi::PySlot_STATIC_DATA(ffi::Py_mod_name, c"function".as_ptr().cast_mut().cast()),
        ffi::PySlot_SIZE(ffi::Py_mod_state_size, size),
        ffi::PySlot_DATA(ffi::Py_mod_gil, gil),
        ffi::PySlot_END(),
    ]));
    // SAFETY: the slots live as long as the process, and the module is executed before it is used.
    unsafe {
        let own = ffi::PyModule_FromSlotsAndSpec(slots.as_ptr(), spec.as_ptr());
        if !own.is_null() && ffi::PyModule_Exec(own) != 0 {
            ffi::Py_DECREF(own);
            return Err(PyErr::fetch(py));
        }
        Ok(own)
    }
}
