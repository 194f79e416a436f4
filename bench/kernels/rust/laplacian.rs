use crate::prelude::*;

kernel! {
    /// The sum of the differences to the six neighbours; at the edges a missing one is the element itself.
    laplacian<T: f32 | f64>(x: &T[a, b, c]) -> y: T[a, b, c]
    each y[i, j, k] {
        let before = |index: usize| index.saturating_sub(1);
        let neighbours = x[[before(i), j, k]] + x[[(i + 1).min(a - 1), j, k]]
            + x[[i, before(j), k]] + x[[i, (j + 1).min(b - 1), k]]
            + x[[i, j, before(k)]] + x[[i, j, (k + 1).min(c - 1)]];
        neighbours - T::of(6.0) * x[[i, j, k]]
    }
}
