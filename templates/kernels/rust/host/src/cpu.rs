//! The CPU path: the kernels themselves, as they are compiled for the CPU.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use kernels::grid;

use crate::error::{Error, Result};
use crate::parallel::share;
use crate::sum::sum;

/// Calls `kernel` with the number of blocks that suits so many elements, which run on the threads of
/// this process if they are many.
fn run<R>(elements: usize, kernel: impl FnOnce(usize) -> R) -> Result<R> {
    grid::run_with(|tasks, task| share(0..tasks, task));
    let run = || kernel(grid::blocks(elements));
    // What a stopped kernel leaves behind is incomplete, not unsound.
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| stopped(payload.as_ref()))
}

fn stopped(payload: &(dyn Any + Send)) -> Error {
    Error::Kernel(if let Some(panic) = payload.downcast_ref::<grid::Panic>() {
        panic.0.clone()
    } else if let Some(message) = payload.downcast_ref::<String>() {
        format!("a kernel panicked: {message}")
    } else {
        "a kernel panicked".to_owned()
    })
}

/// y += a * x, float32
pub fn axpy_f32(a: f32, x: &[f32], y: &mut [f32]) -> Result<()> {
    let n = x.len();
    run(n, |blocks| kernels::axpy_f32(blocks, a, x, y, n))
}

/// y += a * x, float64
pub fn axpy_f64(a: f64, x: &[f64], y: &mut [f64]) -> Result<()> {
    let n = x.len();
    run(n, |blocks| kernels::axpy_f64(blocks, a, x, y, n))
}

/// sum(x * y), float32
pub fn dot_f32(x: &[f32], y: &[f32]) -> Result<f64> {
    let n = x.len();
    run(n, |blocks| {
        let mut partial = vec![0.0; blocks];
        kernels::dot_f32(blocks, x, y, &mut partial, n);
        sum(&partial)
    })
}

/// sum(x * y), float64
pub fn dot_f64(x: &[f64], y: &[f64]) -> Result<f64> {
    let n = x.len();
    run(n, |blocks| {
        let mut partial = vec![0.0; blocks];
        kernels::dot_f64(blocks, x, y, &mut partial, n);
        sum(&partial)
    })
}
