use crate::prelude::*;

kernel! {
    /// The `k` largest elements of each row and their indices.
    ///
    /// Each element counts those that come before it, so a row takes time by its square.
    top_k<T: f32 | f64>(x: &T[..., n], k: usize) -> (values: T[..., k], indices: i64[..., k])
    block over x {
        block.each_index(x.len(), |at| {
            fail_if(k > n, "k is larger than a row");
            let (row, i) = (at / n, at % n);
            let (mut before, value) = (0, x[[row, i]]);
            for j in 0..n {
                let other = x[[row, j]];
                if other > value || (other == value && j < i) { before += 1 }
            }
            if before < k {
                values.add(row * k + before, value);
                indices.add(row * k + before, i as i64);
            }
        });
    }
}
