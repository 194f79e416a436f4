use crate::prelude::*;

kernel! {
    /// The largest element of each row, and the logarithm of the sum of e to the powers of all.
    log_sum_exp<T: f32 | bf16>(x: &T[..., n]) -> (largest: f32[...], value: f32[...])
    each (largest[row], value[row]) by block {
        let (largest, sum) = block.exp_sum_of(n, |i| f32::from(x[[row, i]]));
        (largest, largest + sum.ln())
    }
}
