use crate::prelude::*;

kernel! {
    /// The rows of `x` with mean 0 and variance 1, times `weight` plus `bias`.
    layer_norm<T: f32 | f16 | bf16>(
        x: &T[..., n],
        weight: &T[n],
        bias: &T[n],
        *,
        eps: f32 = 1e-5,
    ) -> (y: T[..., n], mean: saved f32[...], rstd: saved f32[...])
    derivative dx, dweight, dbias = layer_norm_bwd(dy, x, weight, mean, rstd);
    each (y[row, ..], mean[row], rstd[row]) by block {
        let mean = block.sum_of(n, |i| f32::from(x[[row, i]])) / n as f32;
        let squares = block.sum_of(n, |i| (f32::from(x[[row, i]]) - mean).powi(2));
        let rstd = 1.0 / (squares / n as f32 + eps).sqrt();
        let normal = move |i| (f32::from(x[[row, i]]) - mean) * rstd;
        (move |i| T::from(normal(i) * f32::from(weight[i]) + f32::from(bias[i])), mean, rstd)
    }
}
