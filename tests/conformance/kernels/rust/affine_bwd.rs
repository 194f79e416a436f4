use crate::prelude::*;

kernel! {
    /// Gradients of `affine`, with a row for each of `x`: their sums are those of `weight` and of `bias`.
    affine_bwd<T: f32 | f64>(dy: &T[...], x: &T[...], weight: &T[...], bias: Option<&T[...]>)
        -> (dx: T[...], dweight: T[...], dbias: T[...]) {
        *dx = dy * weight;
        *dweight = dy * x;
        *dbias = if bias.is_some() { dy } else { T::of(0.0) };
    }
}
