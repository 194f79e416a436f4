use crate::prelude::*;

kernel! {
    /// exp(x), divided by its sum over each row.
    softmax<T: f32 | f16 | bf16>(x: &T[..., n]) -> y: T[..., n]
    each y[row, ..] by block {
        let largest = block.max_of(n, |i| f32::from(x[[row, i]]));
        let power = move |i| fast::exp(f32::from(x[[row, i]]) - largest);
        let scale = 1.0 / block.sum_of(n, power);
        move |i| T::from(power(i) * scale)
    }
}
