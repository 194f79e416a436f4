use crate::prelude::*;

kernel! {
    /// Add a linear layer's output to `y`, in place: `y = beta * y + relu(x @ weight.T + bias)`. The weights have 8 bits.
    linear<T: f16 | bf16>(x: &T[m, k] rows, weight: &i8[n, k], bias: &f32[n], y: &mut f32[m, n], *, beta: f32 = 1.0)
    each y[i, j] by tile of [64, 128] {
        let mut sums = tile.zeros();
        sums.add_product(tile, k, x.panel([i, 0]), computed(|[l, column]| T::from(f32::from(weight[[j + column, l]]))));
        tile.map(sums, |[_, j], sum, before| beta * before + Float::max(sum + bias[j], 0.0))
    }
}
