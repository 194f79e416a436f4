use crate::prelude::*;

kernel! {
    /// Exchange the elements of two arrays, converted, without arithmetic.
    convert_both<T: f16 | bf16 | f8e4m3 | f8e5m2 | f8e8m0>(x: &mut f32[...], y: &mut T[...]) {
        let before = *x;
        *x = f32::from(*y);
        *y = T::from(before);
    }
}
