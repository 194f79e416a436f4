use crate::prelude::*;

kernel! {
    /// The cumulative sums of each row, by parts of 128.
    scan<T: f32 | f64 | i64>(x: &T[..., n]) -> y: T[..., n]
    scratch part: T[x.shape()[0], n.div_ceil(128)], before: T[x.shape()[0], n.div_ceil(128)];
    each part[row, p] { (128 * p..n.min(128 * (p + 1))).fold(T::default(), |sum, i| sum + x[[row, i]]) }
    each before[row, p] { (0..p).fold(T::default(), |sum, p| sum + part[[row, p]]) }
    each y[row, i] { (i / 128 * 128..=i).fold(before[[row, i / 128]], |sum, i| sum + x[[row, i]]) }
}
