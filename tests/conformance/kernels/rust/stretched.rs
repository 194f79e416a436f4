use super::lib::Grid3;
use crate::prelude::*;

kernel! {
    /// `x` times the last spacing of a grid, in place.
    stretched(x: &mut f64[...], *, grid: Grid3)
    { *x *= grid.spacing[2] }
}
