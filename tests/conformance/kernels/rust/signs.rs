use crate::prelude::*;

kernel! {
    /// Where `x` is negative, where positive, and its size.
    signs(x: &f32[n]) -> (below: i64[at most n], above: i64[at most n], size: i64)
    block over x {
        block.each_index(n, |i| {
            if x[i] < 0.0 {
                below.push(i as i64);
            } else if x[i] > 0.0 {
                above.push(i as i64);
            }
            size.add([], 1);
        });
    }
}
