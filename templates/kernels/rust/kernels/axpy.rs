use core::ops::{AddAssign, Mul};

use crate::grid::{Element, Grid, Input, Output, kernel};

/// y += a * x
#[inline(always)]
fn axpy<T>(grid: Grid, a: T, x: Input<T>, y: Output<T>)
where
    T: Element + AddAssign + Mul<Output = T>,
{
    grid.for_each_with(x, y, |x, y| *y += a * x);
}

kernel! {
    /// y += a * x, float32
    fn axpy_f32(grid, a: f32, x: Input<f32>[n], y: Output<f32>[n], n: usize) {
        axpy(grid, a, x, y);
    }
}

kernel! {
    /// y += a * x, float64
    fn axpy_f64(grid, a: f64, x: Input<f64>[n], y: Output<f64>[n], n: usize) {
        axpy(grid, a, x, y);
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::grid::blocks;

    #[test]
    fn every_length_around_a_block() {
        for n in [0, 1, 63, 64, 65, 2047, 2048, 2049, 100_003] {
            let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
            let mut y = vec![1.0; n];
            axpy_f32(blocks(n), 2.0, &x, &mut y, n);
            assert!(y.iter().zip(&x).all(|(&y, &x)| y == 2.0 * x + 1.0), "{n}");
        }
    }

    #[test]
    fn any_number_of_blocks_will_do() {
        let x: Vec<f64> = (0..1000).map(f64::from).collect();
        for blocks in [1, 2, 7, 999, 5000] {
            let mut y = vec![1.0; 1000];
            axpy_f64(blocks, -1.0, &x, &mut y, 1000);
            assert!(y.iter().zip(&x).all(|(&y, &x)| y == 1.0 - x), "{blocks}");
        }
    }
}
