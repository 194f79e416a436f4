use crate::prelude::*;

kernel! {
    /// Return the lesser of `x` and `limit`, add it to `total`, and say in `mask` where `x` is greater.
    clamp<T: f32 | f64>(
        x: &T[n], mask: Option<&out bool[n]> = None, *, total: Option<&mut T[n]> = None, limit: T = 1
    ) -> y: T[n] {
        *y = if x > limit { limit } else { x };
        if let Some(mask) = mask {
            *mask = x > limit;
        }
        if let Some(total) = total {
            *total += *y;
        }
    }
}
