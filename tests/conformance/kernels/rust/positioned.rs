use crate::prelude::*;

kernel! {
    /// Add to `x` its positions, if there are any, and `shift`.
    positioned<P: i32 | i64>(x: &f64[n], positions: Option<&P[n]> = None, *, shift: P = 0) -> y: f64[n]
    each y[i] {
        let position = match positions {
            Some(positions) => positions[i],
            None => 0,
        };
        x[i] + position as f64 + shift as f64
    }
}
