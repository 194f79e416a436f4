use crate::prelude::*;

kernel! {
    /// Return `n` elements that are `value`, of the dtype that is asked for.
    full<D: f64 | i32 | complex64>(dtype: D = f64, n: usize = 3, value: D = 1) -> _y: D[n]
    each _y[i] { value }
}
