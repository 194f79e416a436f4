use crate::prelude::*;

kernel! {
    /// `6 * a * x * dy * ddx`, without a derivative.
    cube_bwd2<T: f32 | f64>(ddx: &T[...], dy: &T[...], x: &T[...], a: T) -> _dx: T[...]
    { *_dx = 6 as T * a * x * dy * ddx }
}
