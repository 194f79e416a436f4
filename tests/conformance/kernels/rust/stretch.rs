use super::lib::Grid3;
use crate::prelude::*;

kernel! {
    /// `x` times numbers of all kinds that are in a struct.
    stretch(x: &f64[...], grid: Grid3) -> y: f64[...]
    derivative dx = stretch(dy, grid);
    {
        let size = grid.size as f64;
        let size = if grid.periodic == 0 { size } else { -size };
        *y = x * (grid.spacing[2] * grid.rotation[1][0] as f64 * size)
    }
}
