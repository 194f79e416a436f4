use crate::prelude::*;

kernel! {
    /// Return the product of two matrices, on tensor cores.
    matrix_product<T: f16 | bf16 | f32>(a: &T[m, k], b: &T[k, n]) -> c: T[m, n]
    each c[i, j] by tile of [128, 128] {
        let mut sums = tile.zeros();
        sums.add_product(tile, k, a.panel([i, 0]), b.panel([0, j]));
        tile.map(sums, |_index, sum, _| T::from(sum))
    }
}
