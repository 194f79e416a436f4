//! Functions and a class written by hand with pyo3 over code in C++, for what a declaration cannot say.
//! They take arrays of any library, as declared functions do: see the crate `cuvec`.

use cuvec::{ArrayMut, Call, CuVec, Stop, Stream, With};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

#[cxx::bridge]
mod ffi {
    unsafe extern "C++" {
        include!("smooth.h");
        type cuvec_call;

        unsafe fn sweep(x: *mut f64, n: usize) -> f64;
        /// Throws what CUDA says.
        unsafe fn smooth(
            call: *mut cuvec_call,
            x: *mut f64,
            buffer: *mut f64,
            n: usize,
            strength: f64,
        ) -> Result<()>;
    }
}

pyo3::create_exception!(ext, NotConverged, PyRuntimeError);
cuvec::names!(x); // what messages call an argument

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
            // SAFETY: as many elements.
            if unsafe { ffi::sweep(x.as_mut_ptr(), x.len()) } <= tolerance {
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

/// Smooths arrays of `n` elements, with its own buffer.
#[pyclass(extends = With)]
struct Smoother {
    strength: f64,
    buffer: Option<CuVec<f64>>, // on the GPU, if there is one
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
        let body = |call: &mut Call, (x, buffer): (*mut f64, *mut f64)| {
            // SAFETY: both have n elements, on the side of the call.
            unsafe { ffi::smooth(call.as_raw().cast(), x, buffer, n, self.strength) }
                .map_err(Stop::error)
        };
        let arrays = (&x, buffer);
        // SAFETY: all work is on the stream of the call.
        unsafe { cuvec::run_on_either(py, "apply", stream.as_ref(), arrays, cfg!(cuda), body) }
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
