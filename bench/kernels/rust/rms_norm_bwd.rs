use crate::prelude::*;

kernel! {
    /// The gradients of `rms_norm`; for `weight` one for each row.
    rms_norm_bwd<T: f32 | f16 | bf16>(
        dy: &T[..., n],
        x: &T[..., n],
        weight: &T[n],
        rstd: &f32[...],
    ) -> (dx: T[..., n], dweight: T[..., n])
    each (dx[row, ..], dweight[row, ..]) by block {
        let grad = move |i| f32::from(dy[[row, i]]) * f32::from(weight[i]);
        let common = block.sum_of(n, |i| grad(i) * f32::from(x[[row, i]])) * rstd[row] * rstd[row] / n as f32;
        (
            move |i| T::from(rstd[row] * (grad(i) - common * f32::from(x[[row, i]]))),
            move |i| T::from(f32::from(dy[[row, i]]) * f32::from(x[[row, i]]) * rstd[row]),
        )
    }
}
