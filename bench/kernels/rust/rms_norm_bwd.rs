use crate::prelude::*;

kernel! {
    /// The gradients of `rms_norm`; for `weight` one for each row.
    rms_norm_bwd<T: f32 | bf16>(
        dy: &T[..., n],
        x: &T[..., n],
        weight: &T[n],
        rstd: &f32[...],
    ) -> (dx: T[..., n], dweight: T[..., n])
    scratch common: f32[rstd.len()];
    each common[row] by warp {
        let term = |i| f32::from(dy[[row, i]]) * f32::from(weight[i]) * f32::from(x[[row, i]]);
        warp.sum_of(n, term) * rstd[row] * rstd[row] / n as f32
    }
    each dx[row, i] {
        let direct = f32::from(dy[[row, i]]) * f32::from(weight[i]);
        T::from(rstd[row] * (direct - common[row] * f32::from(x[[row, i]])))
    }
    each dweight[row, i] { T::from(f32::from(dy[[row, i]]) * f32::from(x[[row, i]]) * rstd[row]) }
}
