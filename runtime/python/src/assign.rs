//! Copies.

use cuvec_core::ops;
use cuvec_spec::Role;
use pyo3::prelude::*;

use crate::argument::Argument;
use crate::error::{guard, to_python};
use crate::stream::StreamArgument;
use crate::stream_cache::StreamCache;

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
        py.detach(|| ops::assign(&x.array, &y.array, stream))
            .map_err(to_python)
    })
}
