use crate::prelude::*;

kernel! {
    /// Add `by`, times `scale`, to `y`.
    shift<T: f32 | f64>(by: Option<&T[n]>, y: &mut T[n], *, scale: Option<&T[n]> = None) {
        *y += match (by, scale) {
            (Some(by), Some(scale)) => by * scale,
            (Some(by), None) => by,
            _ => T::of(0.0),
        };
    }
}
