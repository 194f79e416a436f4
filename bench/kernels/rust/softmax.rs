use crate::prelude::*;

kernel! {
    /// exp(x), divided by its sum over each row.
    softmax<T: f32 | bf16>(x: &T[..., n]) -> y: T[..., n]
    scratch largest: f32[x.shape()[0]], total: f32[x.shape()[0]];
    each largest[row] by block { block.max_of(n, |i| f32::from(x[[row, i]])) }
    each total[row] by block { block.sum_of(n, |i| Float::exp(f32::from(x[[row, i]]) - largest[row])) }
    each y[row, i] { T::from(Float::exp(f32::from(x[[row, i]]) - largest[row]) / total[row]) }
}
