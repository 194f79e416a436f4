use crate::prelude::*;

kernel! {
    /// Divide the elements of `x` by how many there are.
    evenly(x: &f64[n]) -> y: f64[n] { *y = x / n as f64 }
}
