//! Sets memory to zeros, before threads add to it.

use crate::grid::Grid;

/// # Safety
/// There must be so many bytes, which nothing else uses.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn kernels_zero(start: *mut u8, bytes: usize) {
    let grid = Grid::here();
    let words = bytes / 4;
    // SAFETY: inside; the memory of an array with elements of 4 bytes is aligned to that.
    grid.share(words, |at| unsafe { start.cast::<u32>().add(at).write(0) });
    // SAFETY: inside.
    grid.share(bytes % 4, |at| unsafe {
        start.add(words * 4 + at).write(0)
    });
}
