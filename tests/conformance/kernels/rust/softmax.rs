use crate::prelude::*;

kernel! {
    /// Return the softmax of each row.
    softmax<T: f32 | f64>(x: &T[m, n]) -> y: T[m, n]
    each y[i, ..] by block {
        let most = block.max_of(n, |j| x[[i, j]]);
        let power = move |j| Float::exp(x[[i, j]] - most);
        let sum = block.sum_of(n, power);
        move |j| power(j) / sum
    }
}
