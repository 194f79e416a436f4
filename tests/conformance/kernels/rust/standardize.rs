use crate::prelude::*;

kernel! {
    /// Return the rows of `x` with mean 0, divided by their largest magnitude, in both directions, and these two numbers.
    standardize<T: f32 | f64>(x: &T[..., n]) -> (y: T[..., n], mean: T[...], largest: T[...], reversed: T[..., n])
    each (y[row, ..], mean[row], largest[row], reversed[row, ..]) by block {
        let mean = block.sum_of(n, |i| x[[row, i]]) / T::of(n as f64);
        let largest = block.max_of(n, |i| (x[[row, i]] - mean).abs());
        let element = move |i| (x[[row, i]] - mean) / largest;
        (element, mean, largest, move |i| element(n - 1 - i))
    }
}
