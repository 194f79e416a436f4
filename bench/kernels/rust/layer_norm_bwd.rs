use crate::prelude::*;

kernel! {
    /// The gradients of `layer_norm`; for `weight` and `bias` one for each row.
    layer_norm_bwd<T: f32 | f16 | bf16>(
        dy: &T[..., n],
        x: &T[..., n],
        weight: &T[n],
        mean: &f32[...],
        rstd: &f32[...],
    ) -> (dx: T[..., n], dweight: T[..., n], dbias: T[..., n])
    each (dx[row, ..], dweight[row, ..], dbias[row, ..]) by block {
        let normal = move |i| (f32::from(x[[row, i]]) - mean[row]) * rstd[row];
        let grad = move |i| f32::from(dy[[row, i]]) * f32::from(weight[i]);
        let sums = block.reduce(n, (0.0, 0.0), |i| (grad(i), grad(i) * normal(i)), |(a, b), (c, d)| (a + c, b + d));
        let (mean_grad, product) = (sums.0 / n as f32, sums.1 / n as f32);
        (
            move |i| T::from(rstd[row] * (grad(i) - mean_grad - normal(i) * product)),
            move |i| T::from(f32::from(dy[[row, i]]) * normal(i)),
            move |i| dy[[row, i]],
        )
    }
}
