use crate::prelude::*;

kernel! {
    /// The sums of the first and the second half of each row.
    pair_sums<T: f32 | f64>(x: &T[..., 2 * d]) -> _y: T[..., d]
    each _y[row, i] { x[[row, i]] + x[[row, i + d]] }
}
