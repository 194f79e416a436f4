use crate::prelude::*;

kernel! {
    /// Return the smallest and the largest element of each row, the first place of the largest, and how many are
    /// positive.
    warp_facts<T: i8 | u8 | i32 | i64 | f16 | bf16 | f32 | f64>(x: &T[m, n]) -> (
        low: T[m], high: T[m], first: i64[m], positive: i64[m]
    )
    each low[i] by warp { warp.min_of(n, |j| x[[i, j]]) }
    each high[i] by warp { warp.max_of(n, |j| x[[i, j]]) }
    each first[i] by warp {
        let later = |a: (T, i64), b: (T, i64)| if b.0 > a.0 || b.0 == a.0 && b.1 < a.1 { b } else { a };
        warp.reduce(n, (T::LOWEST, i64::MAX), |j| (x[[i, j]], j as i64), later).1
    }
    each positive[i] by warp { warp.count_of(n, |j| x[[i, j]] > T::default()) as i64 }
}
