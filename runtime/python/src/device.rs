//! Functions of the module for devices and their memory, and copies between them.

use cuvec_core::device as host_device;
use cuvec_spec::Role;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::argument::{self, Argument};
use crate::error::{guard, guard_object, to_python};
use crate::finalization;
use crate::stream::{StreamArgument, StreamCache};

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
        argument::release_done(py);
        Ok(())
    })
}

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

/// Copy the elements of `x` to `y`, wherever the two are.
///
/// Parameters
/// ----------
/// x, y : array, any shape
///     C-contiguous, of the same shape and dtype, not overlapping. `y` is written to.
/// stream : int or stream object, optional
///     Run on this CUDA stream and do not wait. Arrays in host memory are waited for.
///
/// Raises
/// ------
/// TypeError
///     Not arrays, or of different dtypes.
/// ValueError
///     Different shapes, overlapping, not contiguous, on two devices, or `y` is read-only.
/// RuntimeError
///     An error from CUDA.
#[pyfunction]
#[pyo3(signature = (x, y, *, stream=None))]
pub fn assign(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    y: &Bound<'_, PyAny>,
    stream: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    guard(py, || {
        let streams = StreamCache::default();
        let x = Argument::read(x.as_borrowed(), "x", Role::In, &streams)?;
        let y = Argument::read(y.as_borrowed(), "y", Role::Out, &streams)?;
        let stream = StreamArgument::read(stream)?;
        py.detach(|| cuvec_core::assign(&x.array, &y.array, stream))
            .map_err(to_python)
    })
}
