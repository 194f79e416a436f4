//! A declared function, as Python calls it.

use cuvec_core::functions::Function;
use cuvec_spec::Argument;
use pyo3::prelude::*;
use pyo3::types::PyString;

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
    /// What only a derivative sees comes behind them, and is given in `out` by what calls for it.
    pub saved: usize,
}

impl Callable {
    pub fn new(py: Python<'_>, function: &'static Function) -> Self {
        let parameters = function.spec.parameters();
        let results = function.spec.results().len();
        let mut names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
        if results > 0 {
            names.push("out");
        }
        names.push("stream");
        let interned = |name: &&str| PyString::intern(py, name).unbind();
        Self {
            function,
            names: names.iter().map(interned).collect(),
            positional: parameters.iter().filter(|p| !p.keyword_only).count(),
            parameters,
            results,
            saved: function.spec.saved().len(),
        }
    }

    /// The place of `out` among the names, if there are results.
    pub fn out(&self) -> usize {
        self.parameters.len()
    }

    pub fn stream(&self) -> usize {
        self.names.len() - 1
    }
}
