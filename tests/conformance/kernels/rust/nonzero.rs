use crate::prelude::*;

kernel! {
    /// Where `x` is not zero, in no particular order.
    nonzero<T: f32 | i32>(x: &T[n]) -> index: i64[at most n]
    block over x {
        block.each_index(n, |i| {
            if x[i] != T::default() {
                index.push(i as i64);
            }
        });
    }
}
