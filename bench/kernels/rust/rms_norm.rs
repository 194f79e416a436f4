use crate::prelude::*;

kernel! {
    /// The rows of `x`, divided by their root mean square and multiplied by `weight`.
    rms_norm<T: f32 | f16 | bf16>(x: &T[..., n], weight: &T[n], *, eps: f32 = 1e-6) -> (y: T[..., n], rstd: saved f32[...])
    derivative dx, dweight = rms_norm_bwd(dy, x, weight, rstd);
    each (y[row, ..], rstd[row]) by block {
        let squares = block.sum_of(n, |i| f32::from(x[[row, i]]).powi(2));
        let rstd = 1.0 / (squares / n as f32 + eps).sqrt();
        (move |i| T::from(f32::from(x[[row, i]]) * rstd * f32::from(weight[i])), rstd)
    }
}
