use crate::prelude::*;

kernel! {
    /// Rows of `x` times `weight`, plus `bias` if there is one.
    affine<T: f32 | f64>(x: &T[..., n], weight: &T[n], bias: Option<&T[n]> = None) -> y: T[..., n]
    derivative dx, dweight, dbias = affine_bwd(dy, x, weight, bias);
    each y[i, j] {
        let value = x[[i, j]] * weight[j];
        match bias {
            Some(bias) => value + bias[j],
            None => value,
        }
    }
}
