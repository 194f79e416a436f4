//! Functions and a class written by hand with pyo3, for what a declaration cannot say. They take arrays
//! of any library, as declared functions do: see runtime/rust.

use cuvec::ArrayMut;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PySlice};

create_exception!(
    ext,
    NotConverged,
    PyRuntimeError,
    "The array still changes after the last round."
);

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
    x: &Bound<'_, PyAny>,
    tolerance: f64,
    limit: usize,
    stream: Option<Bound<'_, PyAny>>,
) -> PyResult<usize> {
    let array = ArrayMut::<f64>::borrow(x, "x")?;
    let stream = stream.as_ref();
    // Other threads run meanwhile.
    cuvec::run(x.py(), "relax", stream, (&array,), |call, (x,)| {
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
fn line(py: Python<'_>, start: f64, stop: f64, n: i64) -> PyResult<ArrayMut<f64>> {
    let array = cuvec::zeros(py, [n])?;
    cuvec::run(py, "line", None, (&array,), |_call, (y,)| {
        let step = (stop - start) / (n - 1).max(1) as f64;
        for (i, y) in y.iter_mut().enumerate() {
            *y = start + step * i as f64;
        }
        Ok(())
    })?;
    Ok(array)
}

/// Smooths arrays of `n` elements, with its own buffer.
#[pyclass]
struct Smoother {
    strength: f64,
    /// On the GPU, if there is one; with views of it, each of all but two elements.
    buffer: Option<(ArrayMut<f64>, [Py<PyAny>; 3])>,
}

#[pymethods]
impl Smoother {
    #[new]
    #[pyo3(signature = (n, strength = 0.5))]
    fn new(py: Python<'_>, n: i64, strength: f64) -> PyResult<Self> {
        let array = cuvec::zeros(py, [n])?;
        let object = array.object(py);
        let from =
            |start| object.get_item(PySlice::new(py, start, (n - 2).max(0) as isize + start, 1));
        let views = [from(0)?.unbind(), from(1)?.unbind(), from(2)?.unbind()];
        Ok(Self {
            strength,
            buffer: Some((array, views)),
        })
    }

    /// Smooth the float64 array `x` in place, twice.
    #[pyo3(signature = (x, stream = None))]
    fn apply(&self, x: &Bound<'_, PyAny>, stream: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let py = x.py();
        let closed = || PyValueError::new_err("the Smoother is closed");
        let (buffer, [left, middle, right]) = self.buffer.as_ref().ok_or_else(closed)?;
        let (n, len) = (buffer.len(), ArrayMut::<f64>::borrow(x, "x")?.len());
        if len != n {
            return Err(PyValueError::new_err(format!(
                "x has {len} elements, but the Smoother is for {n}"
            )));
        }
        // Declared functions do the work, whose kernels run on the GPU.
        let keywords = [("stream", stream)].into_py_dict(py)?;
        let inner = x.get_item(PySlice::new(py, 1, n.saturating_sub(1).max(1) as isize, 1))?;
        for _ in 0..2 {
            cuvec::call(py, "assign", (x, buffer.object(py)), Some(&keywords))?;
            let half = self.strength / 2.0;
            for (a, view) in [(-self.strength, middle), (half, left), (half, right)] {
                cuvec::call(py, "axpy", (a, view, &inner), Some(&keywords))?;
            }
        }
        Ok(())
    }

    /// Release the buffer.
    fn close(&mut self) {
        self.buffer = None;
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&mut self, _exception: &Bound<'_, PyAny>) {
        self.close();
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
