use crate::prelude::*;

kernel! {
    /// Sum of the products of the elements of `x` and `y`.
    ///
    /// Sums are carried in float64 or better, and equal input gives equal bits.
    ///
    /// x, y: vectors, or arrays of one shape
    dot<T: f32 | f64>(x: &T[...], y: &T[...]) -> f64
    fold (x, y) {
        start: Sum::<T>::ZERO,
        add: |sum, x, y| sum.plus_product(x, y),
        merge: Sum::plus,
        value: Sum::value,
    }
}
