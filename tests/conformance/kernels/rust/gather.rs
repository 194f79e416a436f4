use crate::prelude::*;

kernel! {
    /// Return the elements of `x` that `index` names.
    gather<T: f32 | f64>(x: &T[n], index: &i64[m]) -> y: T[m]
    each y[i] { x[index[i] as usize] }
}
