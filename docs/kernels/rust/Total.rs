use crate::prelude::*;

class! {
    /// The sum of arrays of `n` elements.
    Total<T: f32 | f64>(n: usize, *, dtype: T = f32)
    state sum: T[n];

    /// Add an array.
    fn add(x: &T[n])
    each sum[i] { sum + x[i] }

    /// The sum of what was added.
    fn value() -> _y: T[n]
    each _y[i] { sum[i] }
}
