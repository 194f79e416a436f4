use crate::prelude::*;

kernel! {
    /// Where in each row the first of its largest elements is.
    argmax<T: f32 | f64 | i32>(x: &T[..., n]) -> index: i64[...]
    each index[row] by block {
        fail_if(n == 0, "rows are empty");
        block.argmax_of(n, |i| x[[row, i]]) as i64
    }
}
