use crate::prelude::*;

kernel! {
    /// The points above a limit; `extra` is counted and not there.
    rows_above(points: &f32[n, 3], limit: f32, *, extra: i64 = 0) -> _kept: f32[at most n, 3]
    block over points {
        block.each_index(n, |i| {
            if points[[i, 0]] > limit {
                _kept.push_row(|j| points[[i, j]]);
            }
            for _ in 0..if i == 0 { extra } else { 0 } {
                _kept.push_row(|_| 0.0);
            }
        });
    }
}
