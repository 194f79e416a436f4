use crate::prelude::*;

class! {
    /// The mean of arrays of `n` elements, in the precision of `dtype`.
    Averager<T: f32 | f64>(n: usize, *, start: T = 0, dtype: T = f64)
    state sum: T[n], calls: i64[];
    each sum[i] { start }

    /// Add an array of that dtype.
    fn add(x: &T[n])
    each sum[i] { sum + x[i] }
    each calls[] { calls + 1 }

    /// Add an array of integers.
    fn add_integers<U: i16 | i32>(x: &U[n])
    each sum[i] { sum + T::of(f64::from(x[i])) }
    each calls[] { calls + 1 }

    /// The mean of what was added.
    fn mean() -> _y: T[n]
    each _y[i] { sum[i] / T::of(calls[[]] as f64) }
}
