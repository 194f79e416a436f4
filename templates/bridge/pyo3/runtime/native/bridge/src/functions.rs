//! The functions of the package.

use host::ops;
use pyo3::prelude::*;

use crate::argument::Argument;
use crate::error::to_python;
use crate::stream::StreamArgument;

/// Add `a * x` to `y`, element by element, in place.
///
/// Parameters
/// ----------
/// a : float
///     The factor; rounded to float32 for float32 arrays.
/// x, y : array of float32 or float64, any shape
///     C-contiguous, of the same shape and dtype, not overlapping. Any object with
///     `__dlpack__`, `__cuda_array_interface__` or the buffer protocol. `y` is written to.
/// stream : int or stream object, optional
///     Run on this CUDA stream and do not wait. Arrays in host memory are waited for.
///
/// Raises
/// ------
/// TypeError
///     Not arrays, or of another dtype.
/// ValueError
///     Different shapes, overlapping, not contiguous, on two devices, or `y` is read-only.
/// RuntimeError
///     An error from CUDA.
#[pyfunction]
#[pyo3(signature = (a, x, y, *, stream=None))]
pub fn axpy(
    py: Python<'_>,
    a: f64,
    x: Argument,
    y: Argument,
    stream: Option<StreamArgument>,
) -> PyResult<()> {
    let stream = stream.map(|stream| stream.0);
    py.detach(|| ops::axpy(a, &x.array, &y.array, stream))
        .map_err(to_python)
}

/// Sum of the products of the elements of `x` and `y`.
///
/// Sums are carried in float64 or better, and equal input gives equal bits.
///
/// Parameters
/// ----------
/// x, y : array of float32 or float64, any shape
///     C-contiguous, of the same shape and dtype. Any object with `__dlpack__`,
///     `__cuda_array_interface__` or the buffer protocol.
/// stream : int or stream object, optional
///     Run on this CUDA stream. The result is waited for in any case.
///
/// Returns
/// -------
/// float
///     The sum; 0.0 for empty arrays.
///
/// Raises
/// ------
/// TypeError
///     Not arrays, or of another dtype.
/// ValueError
///     Different shapes, not contiguous, or on two devices.
/// RuntimeError
///     An error from CUDA.
#[pyfunction]
#[pyo3(signature = (x, y, *, stream=None))]
pub fn dot(
    py: Python<'_>,
    x: Argument,
    y: Argument,
    stream: Option<StreamArgument>,
) -> PyResult<f64> {
    let stream = stream.map(|stream| stream.0);
    py.detach(|| ops::dot(&x.array, &y.array, stream))
        .map_err(to_python)
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
    x: Argument,
    y: Argument,
    stream: Option<StreamArgument>,
) -> PyResult<()> {
    let stream = stream.map(|stream| stream.0);
    py.detach(|| ops::assign(&x.array, &y.array, stream))
        .map_err(to_python)
}

/// Address of the first element of `x`, as reported by a kernel that was given `x`.
///
/// Parameters
/// ----------
/// x : array
///     In memory that the GPU can address. Without a GPU, any array.
///
/// Returns
/// -------
/// int
///     The address.
///
/// Raises
/// ------
/// TypeError
///     Not an array.
/// ValueError
///     In host memory that the GPU cannot address.
#[pyfunction]
pub fn address(py: Python<'_>, x: Argument) -> PyResult<usize> {
    py.detach(|| ops::address(&x.array)).map_err(to_python)
}
