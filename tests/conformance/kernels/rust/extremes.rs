use crate::prelude::*;

kernel! {
    /// Return the smallest and the largest element.
    extremes<T: i8 | u8 | i16 | i32 | u32 | i64 | u64 | f16 | bf16 | f32 | f64>(x: &T[n]) -> (low: T, high: T)
    fold (x) {
        start: (T::HIGHEST, T::LOWEST),
        add: |both, x| (both.0.smaller(x), both.1.larger(x)),
        merge: |a, b| (a.0.smaller(b.0), a.1.larger(b.1)),
        value: |both| both,
    }
}
