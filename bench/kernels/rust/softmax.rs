use crate::prelude::*;

kernel! {
    /// exp(x), divided by its sum over each row.
    softmax<T: f32 | bf16>(x: &T[..., n]) -> y: T[..., n]
    scratch total: f32[x.shape()[0]];
    each total[row] by block {
        let (largest, sum) = block.reduce(n, (f32::NEG_INFINITY, 0.0), |i| (f32::from(x[[row, i]]), 1.0), merge);
        largest + Float::ln(sum)
    }
    each y[row, i] { T::from(Float::exp(f32::from(x[[row, i]]) - total[row])) }
}

/// The largest of some numbers, and the sum of exp(x - largest), of all of them.
#[inline(always)]
fn merge(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
    let (large, small) = if a.0 >= b.0 { (a, b) } else { (b, a) };
    if small.0 == f32::NEG_INFINITY {
        large
    } else {
        (large.0, large.1 + small.1 * Float::exp(small.0 - large.0))
    }
}
