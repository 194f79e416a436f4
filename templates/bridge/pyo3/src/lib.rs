//! Functions and a class written by hand with pyo3, for what a declaration cannot say. They take arrays
//! of any library, as declared functions do: see the crate `cuvec`. The bodies here run on the CPU, to which
//! arrays of the GPU are copied. What is to run on the GPU is a kernel in kernels/, and called here by
//! `cuvec::call(py, "axpy", (2.0, &x, &y), None)`.

use cuvec::{ArrayMut, CuVec, Stream, With};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(ext, NotConverged, PyRuntimeError);
cuvec::names!(x); // what messages call an argument

/// Makes every element but the ends the mean of its neighbours; returns the largest change.
fn sweep(x: &mut [f64]) -> f64 {
    let mut largest = 0.0_f64;
    for i in 1..x.len().saturating_sub(1) {
        let mean = (x[i - 1] + x[i + 1]) / 2.0;
        largest = largest.max((mean - x[i]).abs());
        x[i] = mean;
    }
    largest
}

/// Relax the float64 array `x` to a line, in place; return the number of rounds.
#[pyfunction]
#[pyo3(signature = (x, tolerance = 1e-6, limit = 1_000_000, stream = None))]
fn relax(
    py: Python<'_>,
    x: ArrayMut<f64, 1, x>,
    tolerance: f64,
    limit: usize,
    stream: Stream<'_>,
) -> PyResult<usize> {
    // Other threads run meanwhile.
    cuvec::run(py, "relax", stream.as_ref(), &x, |call, x| {
        for round in 1..=limit {
            if sweep(x) <= tolerance {
                return Ok(round);
            }
            call.check_interrupt()?; // Ctrl-C
        }
        Err(NotConverged::new_err("x still changes after the last round").into())
    })
}

/// Return `n` numbers, evenly spaced.
#[pyfunction]
fn line(py: Python<'_>, start: f64, stop: f64, n: i64) -> PyResult<CuVec<f64>> {
    let step = (stop - start) / (n - 1).max(1) as f64;
    cuvec::from_fn(py, n, |i| start + step * i as f64)
}

/// Moves every element but the ends towards the mean of its neighbours.
fn smooth(x: &[f64], y: &mut [f64], strength: f64) {
    y.copy_from_slice(x);
    for (y, x) in y.iter_mut().skip(1).zip(x.windows(3)) {
        *y += strength * ((x[0] + x[2]) / 2.0 - x[1]);
    }
}

/// Smooths arrays of `n` elements, with its own buffer.
#[pyclass(extends = With)]
struct Smoother {
    strength: f64,
    buffer: Option<CuVec<f64>>,
}

#[pymethods]
impl Smoother {
    #[new]
    #[pyo3(signature = (n, strength = 0.5))]
    fn new(py: Python<'_>, n: i64, strength: f64) -> PyResult<PyClassInitializer<Self>> {
        let buffer = Some(cuvec::zeros(py, [n])?);
        Ok(PyClassInitializer::from(With).add_subclass(Self { strength, buffer }))
    }

    /// Smooth the float64 array `x` in place, twice.
    #[pyo3(signature = (x, stream = None))]
    fn apply(&self, py: Python<'_>, x: ArrayMut<f64, 1, x>, stream: Stream<'_>) -> PyResult<()> {
        let closed = || PyValueError::new_err("the Smoother is closed");
        let buffer = self.buffer.as_ref().ok_or_else(closed)?;
        let (len, n) = (x.len(), buffer.len());
        if len != n {
            let problem = format!("x has {len} elements, but the Smoother is for {n}");
            return Err(PyValueError::new_err(problem));
        }
        let stream = stream.as_ref();
        cuvec::run(py, "apply", stream, (&x, buffer), |_call, (x, buffer)| {
            smooth(x, buffer, self.strength);
            smooth(buffer, x, self.strength);
            Ok(())
        })
    }

    /// Release the buffer, as the end of a `with` statement does.
    fn close(&mut self) {
        self.buffer = None;
    }
}

/// Functions and classes written by hand.
#[pymodule(gil_used = false)]
mod ext {
    #[pymodule_export]
    use super::{NotConverged, Smoother, line, relax};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        cuvec::load(module)
    }
}
