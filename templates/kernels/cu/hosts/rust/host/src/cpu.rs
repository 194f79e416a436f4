//! The CPU path: the kernels of `kernels.cu` as plain loops, in parallel when it is worth it.

mod vectorized;

use std::ops::{Add, Mul};

use crate::error::Result;
use crate::parallel::share;
use crate::sum::sum;
use vectorized::vectorized;

/// The share of one task, in elements.
const TASK: usize = 1 << 15;

/// Elements below which to wake a second thread costs more than it saves.
const ALONE: usize = 2 * TASK;

/// Elements that are added one after the other, in [`LANES`] sums.
const LEAF: usize = 1024;

/// Independent sums of a leaf, for the CPU's vector units.
const LANES: usize = 32;

/// A floating-point type, as the loops see it.
trait Real: Copy + Send + Sync + Add<Output = Self> + Mul<Output = Self> + Into<f64> {}

impl Real for f32 {}
impl Real for f64 {}

/// y += a * x, float32
pub fn axpy_f32(a: f32, x: &[f32], y: &mut [f32]) -> Result<()> {
    axpy(a, x, y)
}

/// y += a * x, float64
pub fn axpy_f64(a: f64, x: &[f64], y: &mut [f64]) -> Result<()> {
    axpy(a, x, y)
}

/// sum(x * y), float32
pub fn dot_f32(x: &[f32], y: &[f32]) -> Result<f64> {
    dot(x, y)
}

/// sum(x * y), float64
pub fn dot_f64(x: &[f64], y: &[f64]) -> Result<f64> {
    dot(x, y)
}

/// y += a * x
fn axpy<T: Real>(a: T, x: &[T], y: &mut [T]) -> Result<()> {
    if x.len() <= ALONE {
        axpy_serial(a, x, y);
        return Ok(());
    }
    let tasks = y.chunks_mut(TASK).zip(x.chunks(TASK));
    share(tasks, |(y, x)| axpy_serial(a, x, y));
    Ok(())
}

vectorized! {
    fn axpy_serial<T>(a: T, x: &[T], y: &mut [T]) {
        for (y, &x) in y.iter_mut().zip(x) {
            *y = *y + a * x;
        }
    }
}

/// sum(x * y), added pairwise in float64.
///
/// The tree of additions depends on the length alone, not on the number of threads, so
/// that equal input gives equal bits. Its error grows with the logarithm of the length:
/// N. J. Higham, "The accuracy of floating point summation", SIAM J. Sci. Comput. 14 (1993).
fn dot<T: Real>(x: &[T], y: &[T]) -> Result<f64> {
    if x.len() <= ALONE {
        return Ok(dot_serial(x, y));
    }
    let mut sums = vec![0.0; x.len().div_ceil(TASK)];
    let tasks = sums.iter_mut().zip(x.chunks(TASK).zip(y.chunks(TASK)));
    share(tasks, |(sum, (x, y))| *sum = dot_serial(x, y));
    Ok(sum(&sums))
}

fn dot_serial<T: Real>(x: &[T], y: &[T]) -> f64 {
    if x.len() <= LEAF {
        return dot_leaf(x, y);
    }
    let half = (x.len() / 2).next_multiple_of(LANES);
    let (x_left, x_right) = x.split_at(half);
    let (y_left, y_right) = y.split_at(half);
    dot_serial(x_left, y_left) + dot_serial(x_right, y_right)
}

vectorized! {
    fn dot_leaf<T>(x: &[T], y: &[T]) -> f64 {
        let (xs, x_rest) = x.as_chunks::<LANES>();
        let (ys, y_rest) = y.as_chunks::<LANES>();
        let mut sums = [0.0; LANES];
        for (x, y) in xs.iter().zip(ys) {
            for lane in 0..LANES {
                sums[lane] += product(x[lane], y[lane]);
            }
        }
        for (sum, (x, y)) in sums.iter_mut().zip(x_rest.iter().zip(y_rest)) {
            *sum += product(*x, *y);
        }
        let mut half = LANES / 2;
        while half > 0 {
            for lane in 0..half {
                sums[lane] += sums[lane + half];
            }
            half /= 2;
        }
        sums[0]
    }
}

fn product<T: Real>(x: T, y: T) -> f64 {
    x.into() * y.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(n: usize) -> Vec<f64> {
        (0..n)
            .map(|i| ((i * 7919) % 1000) as f64 / 7.0 - 60.0)
            .collect()
    }

    #[test]
    fn axpy_of_every_length_around_a_task() {
        for n in [0, 1, 7, TASK - 1, TASK, TASK + 1, ALONE + 1, 3 * TASK + 5] {
            let x = numbers(n);
            let mut y = vec![1.0; n];
            axpy(2.0, &x, &mut y).unwrap();
            assert!(y.iter().zip(&x).all(|(&y, &x)| y == 1.0 + 2.0 * x), "{n}");
        }
    }

    #[test]
    fn dot_is_exact_where_every_partial_sum_is() {
        for n in [0, 1, 7, 8, 9, LEAF, LEAF + 1, TASK + 3, 5 * TASK + 1] {
            let x: Vec<f32> = (0..n).map(|i| (i % 16) as f32).collect();
            let expected: f64 = x.iter().map(|&x| f64::from(x * x)).sum();
            assert_eq!(dot(&x, &x).unwrap(), expected, "{n}");
        }
    }

    #[test]
    fn dot_does_not_depend_on_the_number_of_threads() {
        let x = numbers(5 * TASK + 1);
        let sums: Vec<f64> = x.chunks(TASK).map(|x| dot_serial(x, x)).collect();
        assert_eq!(sum(&sums).to_bits(), dot(&x, &x).unwrap().to_bits());
    }
}
