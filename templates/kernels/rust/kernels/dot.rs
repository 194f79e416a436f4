use crate::grid::{Input, LONG_FOLDS, PerBlock, Shuffle, kernel, math};

/// A running sum in twice the working precision: `sum + error`.
///
/// Algorithm Dot2 of Ogita, Rump and Oishi, "Accurate sum and dot product",
/// SIAM J. Sci. Comput. 26 (2005): the rounding error of every product and of every
/// addition is computed exactly and summed apart.
#[derive(Clone, Copy, Default)]
struct Sum {
    sum: f64,
    error: f64,
}

impl Sum {
    #[inline(always)]
    fn product(x: f64, y: f64) -> Self {
        let (sum, error) = math::two_product(x, y);
        Self { sum, error }
    }

    #[inline(always)]
    fn plus_product(self, x: f64, y: f64) -> Self {
        self.plus(Self::product(x, y))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let (sum, error) = math::two_sum(self.sum, other.sum);
        Self {
            sum,
            error: self.error + other.error + error,
        }
    }

    /// The errors of infinities are not numbers; the sum is then right without them.
    #[inline(always)]
    fn value(self) -> f64 {
        let value = self.sum + self.error;
        if value.is_finite() { value } else { self.sum }
    }
}

impl Shuffle for Sum {
    #[inline(always)]
    fn shuffle_down(self, lanes: u32, warp: u32) -> Self {
        Self {
            sum: self.sum.shuffle_down(lanes, warp),
            error: self.error.shuffle_down(lanes, warp),
        }
    }
}

kernel! {
    /// partial\[block\] = the block's share of sum(x * y), float32
    fn dot_f32(grid, x: Input<f32>[n], y: Input<f32>[n], partial: PerBlock<f64>, n: usize) {
        // The product of two floats is exact in a double, and so is nearly every sum of them.
        let sums = grid.fold_with(x, y, 0.0, math::add_product);
        if let Some(sum) = grid.reduce(sums, |a, b| a + b) {
            partial.set(grid, sum);
        }
    }
}

kernel! {
    /// partial\[block\] = the block's share of sum(x * y), float64
    fn dot_f64(grid, x: Input<f64>[n], y: Input<f64>[n], partial: PerBlock<f64>, n: usize) {
        if LONG_FOLDS {
            let sums = grid.fold_with(x, y, Sum::default(), Sum::plus_product);
            if let Some(total) = grid.reduce(sums, Sum::plus) {
                partial.set(grid, total.value());
            }
        } else {
            // Few terms need no such care: sums of sums are added pairwise, whose errors stay
            // small by themselves.
            let sums = grid.fold_with(x, y, 0.0, |sum, x, y| sum + x * y);
            if let Some(sum) = grid.reduce(sums, |a, b| a + b) {
                partial.set(grid, sum);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec;
    use std::vec::Vec;

    use super::*;
    use crate::grid::blocks;

    fn dot(x: &[f64], y: &[f64]) -> f64 {
        let mut partial = vec![0.0; blocks(x.len())];
        dot_f64(partial.len(), x, y, &mut partial, x.len());
        partial.iter().sum()
    }

    #[test]
    fn exact_where_every_partial_sum_is() {
        for n in [0, 1, 63, 64, 65, 2047, 2048, 2049, 100_003] {
            let x: Vec<f32> = (0..n).map(|i| (i % 16) as f32).collect();
            let mut partial = vec![0.0; blocks(n)];
            dot_f32(partial.len(), &x, &x, &mut partial, n);
            let expected: f32 = x.iter().map(|x| x * x).sum();
            assert_eq!(partial.iter().sum::<f64>(), f64::from(expected), "{n}");
        }
    }

    #[test]
    fn double_precision_is_doubled_again() {
        let dot = |x: &[f64], y: &[f64]| {
            let products = x.iter().zip(y).map(|(&x, &y)| Sum::product(x, y));
            products.fold(Sum::default(), Sum::plus).value()
        };
        // The sum is 2: everything else cancels, and takes with it what was rounded off.
        let big = 1e17;
        let x = [big, 1.0, 3.0, -big, 1.0 + f64::EPSILON, 1.0 + f64::EPSILON];
        let y = [1.0, 5.0, -1.0, 1.0, 1.0 - f64::EPSILON, -1.0 + f64::EPSILON];
        assert_eq!(dot(&x, &y), 2.0);
        let x = [1.0 + f64::EPSILON, 1.0];
        let y = [1.0 - f64::EPSILON, -1.0];
        assert_eq!(dot(&x, &y), -f64::EPSILON * f64::EPSILON);
    }

    #[test]
    fn errors_stay_small_among_many_terms() {
        let x = vec![0.1; 1 << 20];
        let expected = 0.1 * 0.1 * (1 << 20) as f64;
        assert!((dot(&x, &x) / expected - 1.0).abs() < 1e-13);
    }

    #[test]
    fn infinities_give_infinities() {
        assert_eq!(dot(&[1.0, f64::INFINITY], &[1.0, 1.0]), f64::INFINITY);
        assert_eq!(dot(&[1e200, 1.0], &[1e200, 1.0]), f64::INFINITY);
        assert_eq!(dot(&[1e305, 1.0], &[1.0, 1.0]), 1e305);
        assert!(dot(&[f64::INFINITY, f64::NEG_INFINITY], &[1.0, 1.0]).is_nan());
    }
}
