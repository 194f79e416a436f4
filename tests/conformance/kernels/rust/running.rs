use crate::prelude::*;

kernel! {
    /// Return the sums of the elements up to each one.
    running<T: i64 | f32 | f64>(x: &T[n]) -> y: T[n]
    scan y[i] over x { start: T::default(), value: x[i], merge: |a, b| a + b }
}
