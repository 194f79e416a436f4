use crate::prelude::*;

kernel! {
    /// Sums of three neighbours, times `weights`, for each stride.
    strided_sums<T: f32 | f64>(x: &T[m, n], stride: [i64; 2] = [1, 1], *, weights: [T; 3] = [1, 0.5, 0]) -> y: T[m, n]
    each y[i, j] {
        let mut sum = T::of(0.0);
        for k in 0..3 {
            let (row, column) = (i * stride[0] as usize, j * stride[1] as usize + k);
            if row < m && column < n {
                sum += weights[k] * x[[row, column]];
            }
        }
        sum
    }
}
