//! The pool that arrays take their memory from.

use pyo3::prelude::*;

use crate::error::to_python;

/// Bytes in arrays, and bytes held by the pool: in arrays or ready for new ones.
#[pyfunction]
pub fn memory_stats() -> (usize, usize) {
    let statistics = cuvec_core::memory::statistics();
    (statistics.used, statistics.reserved)
}

/// Give all memory that no array uses back to the system.
#[pyfunction]
pub fn empty_cache(py: Python<'_>) -> PyResult<()> {
    py.detach(cuvec_core::memory::empty_cache)
        .map_err(to_python)
}
