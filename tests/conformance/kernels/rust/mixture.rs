use crate::prelude::*;

kernel! {
    /// `n` sums of what there is of `x` and `y`: all arrays are optional.
    mixture(n: i64, x: Option<&f64[n]> = None, y: Option<&f64[n]> = None) -> z: f64[n]
    each z[i] { x.map_or(0.0, |x| x[i]) + y.map_or(0.0, |y| y[i]) }
}
