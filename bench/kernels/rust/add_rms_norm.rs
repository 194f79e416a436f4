use crate::prelude::*;

kernel! {
    /// The rows of `x + residual`, divided by their root mean square and multiplied by `weight`, and this sum.
    add_rms_norm<T: f32 | f16 | bf16>(x: &T[..., n], residual: &T[..., n], weight: &T[n], *, eps: f32 = 1e-6) -> (
        y: T[..., n], sum: T[..., n]
    )
    each (y[row, ..], sum[row, ..]) by block {
        let added = move |i| T::from(f32::from(x[[row, i]]) + f32::from(residual[[row, i]]));
        let squares = block.sum_of(n, |i| f32::from(added(i)).powi(2));
        let scale = 1.0 / (squares / n as f32 + eps).sqrt();
        (move |i| T::from(f32::from(added(i)) * scale * f32::from(weight[i])), added)
    }
}
