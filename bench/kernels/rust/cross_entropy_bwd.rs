use crate::prelude::*;

kernel! {
    /// The gradient of `cross_entropy`.
    cross_entropy_bwd<T: f32 | f16 | bf16>(dloss: &f32[...], x: &T[..., n], target: &i64[...], lse: &f32[...]) -> dx: T[..., n]
    each dx[row, ..] by block {
        move |i| {
            let one = if i as i64 == target[row] { 1.0 } else { 0.0 };
            T::from(dloss[row] * (fast::exp(f32::from(x[[row, i]]) - lse[row]) - one))
        }
    }
}
