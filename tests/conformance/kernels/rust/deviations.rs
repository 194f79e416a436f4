use crate::prelude::*;

kernel! {
    /// Subtract the mean of `x` from `y`; return how many of each block of 64 elements were larger, and the largest of `x`.
    deviations(x: &f64[m], y: &mut f64[n]) -> (larger: i32[n], largest: f64[n])
    each (y[i], larger[i], largest[i]) by block of [64] {
        let mean = block.sum_of(m, |j| x[j]) / m as f64;
        let most = block.max_of(m, |j| x[j]);
        let larger = y.map(block, |[at], y| i32::from(i + at < n && y > mean));
        let larger = larger.reduce(block, |a, b| a + b);
        (y.map(block, |_, y| y - mean), block.own(|_| larger), block.own(|_| most))
    }
}
