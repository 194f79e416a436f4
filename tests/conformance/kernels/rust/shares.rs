use crate::prelude::*;

kernel! {
    /// Return what each element is of their sum, and the sum.
    shares(x: &f64[n]) -> (y: f64[n], total: f64)
    each (y[..], total[]) by block {
        let total = block.sum_of(n, |i| x[i]);
        (move |i| x[i] / total, total)
    }
}
