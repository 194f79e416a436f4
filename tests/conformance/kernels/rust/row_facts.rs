use crate::prelude::*;

kernel! {
    /// Return of each row the smallest and the largest element, where they are, how many are positive, whether any and
    /// whether all are, and the product of their signs.
    row_facts<T: i32 | f64>(x: &T[m, n]) -> (
        low: T[m], high: T[m], first: i64[m], last: i64[m], positive: i64[m], any: bool[m], all: bool[m], sign: i32[m]
    )
    each low[i] by warp { warp.min_of(n, |j| x[[i, j]]) }
    each high[i] by block { block.max_of(n, |j| x[[i, j]]) }
    each first[i] by warp { warp.argmin_of(n, |j| x[[i, j]]) as i64 }
    each last[i] by block { block.argmax_of(n, |j| x[[i, j]]) as i64 }
    each positive[i] by block {
        let all = block.count_of(n, |_| true);
        let signs = |j| (i64::from(x[[i, j]] == T::default()), i64::from(x[[i, j]] < T::default()), 0);
        let add = |(a, b, c), (d, e, f)| (a + d, b + e, c + f);
        let none = (0, 0, 0);
        // Larger than half of the slot in which a warp leaves it.
        let (signs, _) = block.reduce(n, (none, none), |j| (signs(j), none), |(a, b), (c, d)| (add(a, c), add(b, d)));
        all as i64 - signs.0 - signs.1
    }
    each any[i] by block { block.any_of(n, |j| x[[i, j]] > T::default()) }
    each all[i] by warp { warp.all_of(n, |j| x[[i, j]] > T::default()) }
    each sign[i] by block {
        block.reduce(n, 1, |j| if x[[i, j]] < T::default() { -1 } else { 1 }, |a: i32, b| a * b)
    }
}
