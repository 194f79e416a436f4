use crate::prelude::*;

kernel! {
    /// Exchange the elements of two arrays.
    swap<T: i32 | f64>(x: &mut T[...], y: &mut T[...]) { core::mem::swap(x, y) }
}
