use crate::prelude::*;

kernel! {
    /// The rows of `x` with mean 0 and variance 1, times `weight` plus `bias`.
    layer_norm<T: f32 | bf16>(
        x: &T[..., n],
        weight: &T[n],
        bias: &T[n],
        *,
        eps: f32 = 1e-5,
    ) -> (y: T[..., n], mean: saved f32[...], rstd: saved f32[...])
    derivative dx, dweight, dbias = layer_norm_bwd(dy, x, weight, mean, rstd);
    each mean[row] by warp { warp.sum_of(n, |i| f32::from(x[[row, i]])) / n as f32 }
    each rstd[row] by warp {
        let squares = warp.sum_of(n, |i| (f32::from(x[[row, i]]) - mean[row]).powi(2));
        1.0 / (squares / n as f32 + eps).sqrt()
    }
    each y[row, i] {
        T::from((f32::from(x[[row, i]]) - mean[row]) * rstd[row] * f32::from(weight[i]) + f32::from(bias[i]))
    }
}
