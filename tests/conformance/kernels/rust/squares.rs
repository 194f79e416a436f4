use crate::prelude::*;

kernel! {
    /// The sum of the squares of the elements: a number with a derivative.
    squares<T: f32 | f64>(x: &T[...]) -> total: f64
    derivative dx = squares_bwd(dtotal, x);
    fold (x) {
        start: Sum::<T>::ZERO,
        add: |sum, x| sum.plus_product(x, x),
        merge: Sum::plus,
        value: Sum::value,
    }
}
