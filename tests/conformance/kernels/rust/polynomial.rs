use crate::prelude::*;

kernel! {
    /// The sum of `a[k]` times `x` to the power of k, for odd ones alone or all.
    polynomial(x: &f32[...], a: [f32; 12], odd: [bool; 1] = [false]) -> y: f32[...] {
        let mut sum = 0.0;
        for k in (0..12).rev() {
            sum = sum * x + if odd[0] && k % 2 == 0 { 0.0 } else { a[k] };
        }
        *y = sum;
    }
}
