//! Sets memory to zeros, before threads add to it.

use crate::grid::Grid;

/// # Safety
/// There must be so many bytes, which nothing else uses.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn kernels_zero(start: *mut u8, bytes: usize) {
    let grid = Grid::here();
    let words = if start.addr().is_multiple_of(4) {
        bytes / 4
    } else {
        0
    };
    // SAFETY: inside.
    grid.share(words, |at| unsafe { start.cast::<u32>().add(at).write(0) });
    // SAFETY: inside.
    grid.share(bytes - words * 4, |at| unsafe {
        start.add(words * 4 + at).write(0)
    });
}
