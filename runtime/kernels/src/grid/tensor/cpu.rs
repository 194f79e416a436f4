//! One thread of the CPU has all sums.

use std::vec;
use std::vec::Vec;

use super::{Mapped, Multiply, Operand, Warps};
use crate::grid::own::{first, tiles};
use crate::grid::view::Before;
use crate::grid::{Element, Grid, Layout, Target};

/// Columns of depth that are added at a time.
const SLAB: usize = 64;

/// The sums of a tile, in float32.
pub struct Sums<const M: usize, const N: usize>(Vec<f32>);

impl<const M: usize, const N: usize> Sums<M, N> {
    pub(super) fn new() -> Self {
        Self(vec![0.0; M * N])
    }

    /// Adds the product of two factors, of which `depth` columns of the left one and rows of the right one are
    /// multiplied: `sums[row, column] += left[row, l] * right[l, column]`, for all `l`.
    #[inline(always)] // with the instructions of the caller
    pub fn add_product<E: Multiply, T, B>(
        &mut self,
        tile: &mut Warps<T, B, M, N>,
        depth: usize,
        left: impl Operand<E>,
        right: impl Operand<E>,
    ) {
        let [rows, columns] = tile.inside;
        let mut factors = vec![0.0; SLAB * columns];
        for start in (0..depth).step_by(SLAB) {
            let slab = SLAB.min(depth - start);
            for (l, row) in factors.chunks_exact_mut(columns).take(slab).enumerate() {
                for (column, factor) in row.iter_mut().enumerate() {
                    *factor = right.element([start + l, column]).into();
                }
            }
            for (row, sums) in self.0.chunks_exact_mut(N).take(rows).enumerate() {
                for (l, factors) in factors.chunks_exact(columns).take(slab).enumerate() {
                    let by: f32 = left.element([row, start + l]).into();
                    for (sum, factor) in sums.iter_mut().zip(factors) {
                        *sum += by * factor;
                    }
                }
            }
        }
    }
}

impl Grid {
    /// The block writes a tile of `y` at a time.
    #[inline(always)]
    pub fn each_by_product<T, A, L, F, const M: usize, const N: usize>(
        self,
        y: Target<T, 2, A, L>,
        mut f: impl FnMut([usize; 2], &mut Warps<T, A::Before, M, N>) -> Mapped<F, M, N>,
    ) where
        T: Element,
        A: Before<T>,
        L: Layout,
        F: Fn([usize; 2], f32, A::Before) -> T,
    {
        let (y, shape) = (y.0, y.0.shape());
        let (start, end) = self.share(tiles(shape, [M, N]), 1);
        for tile in start..end {
            let [top, left] = first(tile, shape, [M, N]);
            let mut warps = Warps::new([top, left], shape);
            let mapped = f([top, left], &mut warps);
            for row in 0..warps.inside[0] {
                for column in 0..warps.inside[1] {
                    let (i, j) = (top + row, left + column);
                    // SAFETY: inside the array, and no other thread has this index.
                    unsafe {
                        let to = y.at([i, j], i * shape[1] + j);
                        let sum = mapped.sums.0[row * N + column];
                        to.write((mapped.f)([i, j], sum, A::before(to)));
                    }
                }
            }
        }
    }
}
