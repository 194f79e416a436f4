use crate::prelude::*;

kernel! {
    /// The gradients of `layer_norm`; for `weight` and `bias` one for each row.
    layer_norm_bwd<T: f32 | bf16>(
        dy: &T[..., n],
        x: &T[..., n],
        weight: &T[n],
        mean: &f32[...],
        rstd: &f32[...],
    ) -> (dx: T[..., n], dweight: T[..., n], dbias: T[..., n])
    scratch grads: f32[rstd.len()], products: f32[rstd.len()];
    each grads[row] by warp { warp.sum_of(n, |i| f32::from(dy[[row, i]]) * f32::from(weight[i])) / n as f32 }
    each products[row] by warp {
        let normal = |i| (f32::from(x[[row, i]]) - mean[row]) * rstd[row];
        warp.sum_of(n, |i| f32::from(dy[[row, i]]) * f32::from(weight[i]) * normal(i)) / n as f32
    }
    each dx[row, i] {
        let normal = (f32::from(x[[row, i]]) - mean[row]) * rstd[row];
        T::from(rstd[row] * (f32::from(dy[[row, i]]) * f32::from(weight[i]) - grads[row] - normal * products[row]))
    }
    each dweight[row, i] { T::from(f32::from(dy[[row, i]]) * (f32::from(x[[row, i]]) - mean[row]) * rstd[row]) }
    each dbias[row, i] { dy[[row, i]] }
}
