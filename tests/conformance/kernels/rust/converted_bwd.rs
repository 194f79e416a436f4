use crate::prelude::*;

kernel! {
    /// The gradient of `converted`; `dy` decides the dtype.
    converted_bwd<D: f32 | f64>(dy: &D[...], x: &f32[...]) -> dx: f32[...] { *dx = dy as f32 }
}
