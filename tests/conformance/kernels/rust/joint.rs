use crate::prelude::*;

kernel! {
    /// Return of each row and column how many points have both; the sum, the smallest and the largest of their values; and
    /// any one of these.
    joint<T: i32 | f64>(row: &i64[n], column: &i64[n], value: &T[n], rows: usize, columns: usize) -> (
        count: i64[rows, columns], total: T[rows, columns], low: T[rows, columns], high: T[rows, columns], last: T[rows, columns]
    )
    scratch marks: u32[rows, columns];
    block over row {
        block.each_index(n, |i| {
            let at = [row[i] as usize, column[i] as usize];
            total.add(at, value[i]);
            low.min(at, value[i]);
            high.max(at, value[i]);
            last.exchange(at, value[i]);
            marks.or(at, 1);
            marks.and(at, 1);
            marks.cas(at, 0, 1);
            count.add(at, marks.get(at) as i64);
        });
    }
}
