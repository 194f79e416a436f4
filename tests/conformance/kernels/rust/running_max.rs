use crate::prelude::*;

kernel! {
    /// Replace each element by the largest one up to it.
    running_max<T: i32 | f64>(x: &mut T[n])
    scan x[i] over x { start: T::LOWEST, value: x, merge: T::larger }
}
