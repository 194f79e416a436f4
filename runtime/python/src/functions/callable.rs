//! A declared function, as Python calls it.

use cuvec_core::functions::Function;
use cuvec_spec::Argument;
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
