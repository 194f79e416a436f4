//! The pool that arrays take their memory from.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error::{guard, to_python};

/// Bytes in arrays, and bytes held by the pool: in arrays or ready for new ones.
#[pyfunction]
pub fn memory_stats(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    let statistics = cuvec_core::memory::statistics();
    guard(py, || {
        PyTuple::new(py, [statistics.used, statistics.reserved])
    })
}

/// Give all memory that no array uses back to the system.
#[pyfunction]
pub fn empty_cache(py: Python<'_>) -> PyResult<()> {
    guard(py, || {
        py.detach(cuvec_core::release_done);
        py.detach(cuvec_core::memory::empty_cache)
            .map_err(to_python)
    })
}
