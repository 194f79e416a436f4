use crate::prelude::*;

kernel! {
    /// The cumulative sums of each row.
    scan<T: f32 | f64 | i64>(x: &T[..., n]) -> y: T[..., n]
    each y[row, ..] by block { block.scan(T::default(), move |i| x[[row, i]], |a, b| a + b) }
}
