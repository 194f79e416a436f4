use crate::prelude::*;

kernel! {
    /// Rotate pairs of `a` and `b`, the halves of each head, in place.
    rotate_halves<T: f32 | bf16>(a: &mut T[...], b: &mut T[...], cosine: &f32[...], sine: &f32[...]) {
        let (x, y) = (f32::from(*a), f32::from(*b));
        *a = T::from(x * cosine - y * sine);
        *b = T::from(x * sine + y * cosine);
    }
}
