use crate::prelude::*;

kernel! {
    /// Where in each row the first of its largest elements is.
    argmax<T: f32 | f64 | i32>(x: &T[..., n]) -> index: i64[...]
    each index[row] {
        fail_if(n == 0, "rows are empty");
        (1..n).fold(0, |best, i| if x[[row, i]] > x[[row, best]] { i } else { best }) as i64
    }
}
