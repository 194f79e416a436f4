//! The device that is worked on.

use cuvec_core::device as host_device;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{guard, guard_object, to_python};
use crate::finalization;
use crate::retained;

/// The device that is worked on: kind ("cuda" or "cpu"), index, name and why.
#[pyfunction]
pub fn device(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    guard_object(py, || {
        let device = py.detach(host_device::describe).map_err(to_python)?;
        Ok((device.kind, device.index, device.name, device.reason))
    })
}

/// Make GPU `index` the one that this thread allocates and works on.
#[pyfunction]
pub fn dev_set(py: Python<'_>, index: &Bound<'_, PyAny>) -> PyResult<()> {
    guard(py, || {
        let index: isize = finalization::integer(index.as_borrowed())?;
        let index = usize::try_from(index)
            .map_err(|_| PyValueError::new_err(format!("there is no GPU {index}")))?;
        py.detach(|| host_device::set(index)).map_err(to_python)
    })
}

/// Wait until the current GPU has finished everything.
#[pyfunction]
pub fn dev_sync(py: Python<'_>) -> PyResult<()> {
    guard(py, || {
        py.detach(host_device::synchronize).map_err(to_python)?;
        py.detach(cuvec_core::release_done);
        retained::release_done(py);
        Ok(())
    })
}
