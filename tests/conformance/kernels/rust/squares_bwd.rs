use crate::prelude::*;

kernel! {
    /// The gradient of `squares`.
    squares_bwd<T: f32 | f64>(dtotal: &f64[], x: &T[...]) -> dx: T[...]
    each dx[i] { (2.0 * dtotal[[]] * x[i] as f64) as T }
}
