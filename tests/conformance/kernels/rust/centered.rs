use crate::prelude::*;

kernel! {
    /// Write the rows of `x` with mean 0 into `y`, those with a smallest element of 0 into `z`, and return their means.
    centered(x: &f32[a, b, n] strided, y: &out f32[a, b, n] strided, z: &mut f32[a, b, n] rows) -> m: f32[a, b]
    each (m[i, j], y[i, j, ..]) by warp {
        let mean = warp.sum_of(n, |k| x[[i, j, k]]) / n as f32;
        (mean, move |k| x[[i, j, k]] - mean)
    }
    each z[i, j, ..] by warp {
        let least = warp.min_of(n, |k| y[[i, j, k]]);
        move |k| y[[i, j, k]] - least
    }
}
