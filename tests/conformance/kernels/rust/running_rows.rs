use crate::prelude::*;

kernel! {
    /// Return of each row the sums and the largest elements up to each one, by a block and by a warp.
    running_rows<T: i32 | f64>(x: &T[..., n]) -> (sum: T[..., n], most: T[..., n], again: T[..., n], count: i64[...])
    each (sum[row, ..], count[row]) by block {
        (block.scan(T::default(), move |i| x[[row, i]], |a, b| a + b), n as i64)
    }
    each (most[row, ..], again[row, ..]) by warp {
        let element = move |i| x[[row, i]];
        (warp.scan(T::LOWEST, element, T::larger), warp.scan(T::default(), element, |a, b| a + b))
    }
}
