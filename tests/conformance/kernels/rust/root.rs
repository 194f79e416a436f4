use crate::prelude::*;

kernel! {
    /// Return the square roots of the elements of `x`.
    root<T: f32 | f64>(x: &T[...]) -> y: T[...] {
        fail_if(x < 0.0, "x is negative");
        *y = x.sqrt();
    }
}
