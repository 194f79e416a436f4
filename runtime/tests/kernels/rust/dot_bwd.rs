use crate::prelude::*;

kernel! {
    /// The gradients of `dot`.
    dot_bwd<T: f32 | f64>(dtotal: &f64[], x: &T[...], y: &T[...]) -> (dx: T[...], dy: T[...])
    each dx[i] { dtotal[[]] as T * y[i] }
    each dy[i] { dtotal[[]] as T * x[i] }
}
