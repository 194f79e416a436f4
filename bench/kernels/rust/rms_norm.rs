use crate::prelude::*;

kernel! {
    /// The rows of `x`, divided by their root mean square and multiplied by `weight`.
    rms_norm<T: f32 | bf16>(x: &T[..., n], weight: &T[n], *, eps: f32 = 1e-6) -> (y: T[..., n], rstd: saved f32[...])
    derivative dx, dweight = rms_norm_bwd(dy, x, weight, rstd);
    each rstd[row] by warp {
        let squares = warp.sum(x.row(row), x.row(row), |a, b| f32::from(a) * f32::from(b));
        1.0 / (squares / n as f32 + eps).sqrt()
    }
    each y[row, i] { T::from(f32::from(x[[row, i]]) * rstd[row] * f32::from(weight[i])) }
}
