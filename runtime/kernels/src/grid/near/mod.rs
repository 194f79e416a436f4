//! Elements around an element: `each y[i, j] with x.edge(1) { x.near(-1, 0) … }`.

mod beyond;
#[cfg(not(target_arch = "nvptx64"))]
mod cpu;
#[cfg(target_arch = "nvptx64")]
mod gpu;

pub use beyond::{Beyond, edge, wrap};
#[cfg(not(target_arch = "nvptx64"))]
pub use cpu::Tiled;
#[cfg(target_arch = "nvptx64")]
pub use gpu::Tiled;

/// Rows and columns that a block of the GPU writes at a time.
pub const TILE: usize = 32;

/// Tiles of an array.
#[must_use]
pub fn tiles([rows, columns]: [usize; 2]) -> usize {
    rows.div_ceil(TILE) * columns.div_ceil(TILE)
}

/// Rows and columns of a tile with what is around it.
#[must_use]
pub const fn side(halo: usize) -> usize {
    TILE + 2 * halo
}
