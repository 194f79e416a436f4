use crate::prelude::*;

kernel! {
    /// The gradients of `rms_norm`: that of `weight` for each row.
    rms_norm_bwd<T: f32 | bf16>(
        dy: &T[..., n],
        x: &T[..., n],
        weight: &T[n],
        rstd: &f32[...],
    ) -> (dx: T[..., n], dweight: T[..., n])
    scratch common: f64[x.shape()[0]];
    each common[row] {
        let mut products = 0.0;
        for i in 0..n {
            products += real(dy[[row, i]]) * real(weight[i]) * real(x[[row, i]]);
        }
        products * real(rstd[row]) * real(rstd[row]) / n as f64
    }
    each dx[row, i] {
        let direct = real(dy[[row, i]]) * real(weight[i]);
        T::from((real(rstd[row]) * (direct - common[row] * real(x[[row, i]]))) as f32)
    }
    each dweight[row, i] {
        T::from((real(dy[[row, i]]) * real(x[[row, i]]) * real(rstd[row])) as f32)
    }
}

fn real(value: impl Into<f32>) -> f64 {
    value.into().into()
}
