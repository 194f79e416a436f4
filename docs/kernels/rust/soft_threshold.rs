use crate::prelude::*;

kernel! {
    /// Move the elements of `x` towards zero by `limit`, but not beyond.
    soft_threshold<T: f32 | f64>(x: &T[...], limit: T) -> _y: T[...]
    { *_y = if x > limit { x - limit } else if x < -limit { x + limit } else { 0.0 } }
}
