use crate::prelude::*;

kernel! {
    /// `a * x`, element by element, computed in float32.
    scale<T: f16 | bf16 | f8e4m3 | f8e5m2 | f8e8m0>(a: f32, x: &T[...]) -> _scaled: T[...] {
        *_scaled = (a * f32::from(x)).into();
    }
}
