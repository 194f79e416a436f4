use crate::prelude::*;

kernel! {
    /// `n` integers from `start` on: a function without arrays.
    iota(n: i64, *, start: i64, step: i64 = -1) -> _numbers: i64[n]
    each _numbers[i] { start + i as i64 * step }
}
