//! Classes for `with` statements.

use pyo3::prelude::*;

/// The base of a class that is used in `with` statements, at whose end its method `close` is called:
/// `#[pyclass(extends = With)]`. Its constructor returns
/// `PyClassInitializer::from(With).add_subclass(Self { … })`.
#[pyclass(subclass, frozen)]
pub struct With;

#[pymethods]
impl With {
    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(this: &Bound<'_, Self>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        this.call_method0("close").map(drop)
    }
}
