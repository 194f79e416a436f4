use crate::prelude::*;

kernel! {
    /// The gradients of `rms_norm`, for `weight` one for each row.
    rms_norm_bwd<T: f32 | bf16>(
        dy: &T[..., n],
        x: &T[..., n],
        weight: &T[n],
        rstd: &f32[...],
    ) -> (dx: T[..., n], dweight: T[..., n])
    each (dx[row, ..], dweight[row, ..]) by warp {
        let product = move |i| real(dy[[row, i]]) * real(x[[row, i]]);
        let scale = real(rstd[row]);
        let common = warp.sum_of(n, |i| product(i) * real(weight[i])) * scale * scale / n as f64;
        (
            move |i| {
                let direct = real(dy[[row, i]]) * real(weight[i]);
                T::from((scale * (direct - common * real(x[[row, i]]))) as f32)
            },
            move |i| T::from((product(i) * scale) as f32),
        )
    }
}

fn real(value: impl Into<f32>) -> f64 {
    value.into().into()
}
