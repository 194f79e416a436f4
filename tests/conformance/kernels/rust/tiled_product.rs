use crate::prelude::*;

kernel! {
    /// Return the product of two matrices, by squares of them in shared memory.
    tiled_product<T: f32 | f64>(a: &T[m, k], b: &T[k, n]) -> c: T[m, n]
    shared left: T[16 * 16], right: T[16 * 16];
    each c[i, j] by block of [16, 16] {
        let mut sum = block.own(|_| T::ZERO);
        for step in (0..k).step_by(16) {
            left.fill(block, |at| element(a, i + at / 16, step + at % 16));
            right.fill(block, |at| element(b, step + at / 16, j + at % 16));
            sum.update(block, |[row, column], sum| {
                (0..16).fold(sum, |sum, l| sum + left[row * 16 + l] * right[l * 16 + column])
            });
        }
        sum
    }
}

/// An element, or zero beyond the edges.
#[inline(always)]
fn element<T: Float>(x: View<T, 2>, i: usize, j: usize) -> T {
    let [m, n] = x.shape();
    if i < m && j < n { x[[i, j]] } else { T::ZERO }
}
