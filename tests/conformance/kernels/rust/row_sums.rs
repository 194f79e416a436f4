use crate::prelude::*;

kernel! {
    /// Add to `y` the sums over the last two dimensions of `x`.
    row_sums(x: &f64[..., m, 3], y: &mut f64[...])
    each y[row] {
        let mut sum = 0.0;
        for i in 0..m {
            for j in 0..3 {
                sum += x[[row, i, j]];
            }
        }
        y + sum
    }
}
