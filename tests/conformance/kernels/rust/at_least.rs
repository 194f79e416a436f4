use crate::prelude::*;

kernel! {
    /// The larger element of `x` and `limit`: an array by name only.
    at_least(x: &f32[...], *, limit: &f32[...]) -> _larger: f32[...] {
        *_larger = if x < limit { limit } else { x };
    }
}
