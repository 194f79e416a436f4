//! A function written by hand, for work that is no kernel. It shows how to take arrays, let other
//! threads run, look for Ctrl-C, and raise an exception of its own.

use numpy::PyReadwriteArray1;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    ext,
    NotConverged,
    PyRuntimeError,
    "The array still changes after the last round."
);

/// Makes every element but the ends the mean of its neighbours; returns the largest change.
fn smooth(x: &mut [f64]) -> f64 {
    let mut largest = 0.0_f64;
    for i in 1..x.len().saturating_sub(1) {
        let mean = (x[i - 1] + x[i + 1]) / 2.0;
        largest = largest.max((mean - x[i]).abs());
        x[i] = mean;
    }
    largest
}

/// Smooth the float64 array `x` in place; return the number of rounds.
#[pyfunction]
#[pyo3(signature = (x, tolerance = 1e-6, limit = 1_000_000))]
fn relax(
    py: Python<'_>,
    mut x: PyReadwriteArray1<'_, f64>,
    tolerance: f64,
    limit: usize,
) -> PyResult<usize> {
    let elements = x
        .as_slice_mut()
        .map_err(|_| PyValueError::new_err("x must be contiguous"))?;
    for round in 1..=limit {
        let change = py.detach(|| smooth(elements)); // other threads run meanwhile
        py.check_signals()?; // Ctrl-C
        if change <= tolerance {
            return Ok(round);
        }
    }
    Err(NotConverged::new_err(
        "x still changes after the last round",
    ))
}

/// Functions written by hand.
#[pymodule(gil_used = false)]
mod ext {
    #[pymodule_export]
    use super::{NotConverged, relax};
}
