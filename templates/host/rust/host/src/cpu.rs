//! The CPU path: the kernels' work as plain loops, in parallel when it is worth it.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result};
use crate::fork;

/// Elements below which a second thread costs more than it saves, and the share of one
/// task above.
const TASK: usize = 1 << 16;

/// Elements that are added one after the other, in [`LANES`] sums.
const LEAF: usize = 128;

/// Independent sums of a leaf, for the CPU's vector units.
const LANES: usize = 8;

/// A floating-point type that the CPU path computes with.
pub trait Real: crate::dtype::Element {
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
    /// `self + a * x`
    fn add_product(self, a: Self, x: Self) -> Self;
}

impl Real for f32 {
    fn from_f64(value: f64) -> Self {
        value as Self
    }
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
    fn add_product(self, a: Self, x: Self) -> Self {
        self + a * x
    }
}

impl Real for f64 {
    fn from_f64(value: f64) -> Self {
        value
    }
    fn to_f64(self) -> f64 {
        self
    }
    fn add_product(self, a: Self, x: Self) -> Self {
        self + a * x
    }
}

/// y += a * x
pub fn axpy<T: Real>(a: T, x: &[T], y: &mut [T]) -> Result<()> {
    let serial = |x: &[T], y: &mut [T]| {
        for (y, &x) in y.iter_mut().zip(x) {
            *y = y.add_product(a, x);
        }
    };
    if x.len() <= TASK {
        serial(x, y);
        return Ok(());
    }
    in_parallel(|| {
        y.par_chunks_mut(TASK)
            .zip(x.par_chunks(TASK))
            .for_each(|(y, x)| serial(x, y));
    })
}

/// sum(x * y), added pairwise in float64.
///
/// The tree of additions depends on the length alone, not on the number of threads, so
/// that equal input gives equal bits. Its error grows with the logarithm of the length:
/// N. J. Higham, "The accuracy of floating point summation", SIAM J. Sci. Comput. 14 (1993).
pub fn dot<T: Real>(x: &[T], y: &[T]) -> Result<f64> {
    if x.len() <= TASK {
        Ok(dot_pairwise(x, y))
    } else {
        in_parallel(|| dot_pairwise(x, y))
    }
}

/// sum(x), added pairwise.
pub fn sum(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [x] => *x,
        _ => {
            let (left, right) = x.split_at(x.len() / 2);
            sum(left) + sum(right)
        }
    }
}

fn dot_pairwise<T: Real>(x: &[T], y: &[T]) -> f64 {
    if x.len() <= LEAF {
        return dot_leaf(x, y);
    }
    let half = (x.len() / 2).next_multiple_of(LANES);
    let (x_left, x_right) = x.split_at(half);
    let (y_left, y_right) = y.split_at(half);
    let (left, right) = if x.len() > TASK {
        rayon::join(
            || dot_pairwise(x_left, y_left),
            || dot_pairwise(x_right, y_right),
        )
    } else {
        (dot_pairwise(x_left, y_left), dot_pairwise(x_right, y_right))
    };
    left + right
}

fn dot_leaf<T: Real>(x: &[T], y: &[T]) -> f64 {
    let (xs, x_rest) = x.as_chunks::<LANES>();
    let (ys, y_rest) = y.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (x, y) in xs.iter().zip(ys) {
        for lane in 0..LANES {
            sums[lane] += x[lane].to_f64() * y[lane].to_f64();
        }
    }
    for (sum, (x, y)) in sums.iter_mut().zip(x_rest.iter().zip(y_rest)) {
        *sum += x.to_f64() * y.to_f64();
    }
    sums.chunks(2).map(|pair| pair[0] + pair[1]).sum()
}

/// Runs `work` on the threads of this process.
///
/// The threads do not survive a fork, so a forked process starts its own.
pub fn in_parallel<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R> {
    Ok(threads()?.install(work))
}

fn threads() -> Result<&'static ThreadPool> {
    static POOL: Mutex<Option<(usize, &'static ThreadPool)>> = Mutex::new(None);
    let mut slot = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let generation = fork::generation();
    match *slot {
        Some((made_in, pool)) if made_in == generation => Ok(pool),
        _ => {
            let pool = ThreadPoolBuilder::new().build();
            let pool = pool.map_err(|error| Error::Unavailable(error.to_string()))?;
            let pool: &'static ThreadPool = Box::leak(Box::new(pool));
            *slot = Some((generation, pool));
            Ok(pool)
        }
    }
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
        for n in [0, 1, 7, TASK - 1, TASK, TASK + 1, 3 * TASK + 5] {
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
        let alone = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let one = alone.install(|| dot_pairwise(&x, &x));
        assert_eq!(one.to_bits(), dot(&x, &x).unwrap().to_bits());
    }
}
