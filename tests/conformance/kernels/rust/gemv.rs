use crate::prelude::*;

kernel! {
    /// `alpha * a @ x + beta`: dimensions that agree, and numbers given by name.
    gemv<T: f32 | f64 | complex64 | complex128>(
        a: &T[m, n],
        x: &T[n],
        *,
        alpha: T = 1,
        beta: T = -0.5,
    ) -> y: T[m]
    each y[i] by warp { alpha * warp.sum(a.row(i), x, |a, x| a * x) + beta }
}
