use crate::prelude::*;

kernel! {
    /// Return the softmax of each row.
    softmax<T: f32 | f64>(x: &T[m, n]) -> y: T[m, n]
    scratch most: T[m], sums: T[m];
    each most[i] by block { block.max_of(n, |j| x[[i, j]]) }
    each sums[i] by block { block.sum_of(n, |j| Float::exp(x[[i, j]] - most[i])) }
    each y[i, j] { Float::exp(x[[i, j]] - most[i]) / sums[i] }
}
