//! Elements around an element: `each y[i, j] with x.edge(1) { x.near(-1, 0) … }`.

mod cached;
#[cfg(target_arch = "nvptx64")]
mod tiled;

pub use cached::Cached;
#[cfg(not(target_arch = "nvptx64"))]
pub use cached::Tiled;
#[cfg(target_arch = "nvptx64")]
pub use tiled::Tiled;

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

/// Replacement of elements beyond the array. The names are from `numpy.pad`.
pub trait Beyond: Copy {
    /// The index of it, for one that is not below `count`.
    fn inside(index: isize, count: usize) -> usize;

    /// The distance of an index below `count` to one so far from it, or to what stands for that.
    #[inline(always)]
    fn away(from: usize, distance: isize, count: usize) -> isize {
        beyond::<Self>(from, distance, count).wrapping_sub(from) as isize
    }
}

/// The nearest element.
#[derive(Clone, Copy)]
#[allow(non_camel_case_types)] // as it is written in a declaration
pub struct edge;

impl Beyond for edge {
    #[inline(always)]
    fn inside(index: isize, count: usize) -> usize {
        if index < 0 { 0 } else { count - 1 }
    }

    #[inline(always)]
    fn away(from: usize, distance: isize, count: usize) -> isize {
        if distance < 0 {
            -(from.min(distance.unsigned_abs()) as isize)
        } else {
            (count - 1 - from).min(distance as usize) as isize
        }
    }
}

/// The array again.
#[derive(Clone, Copy)]
#[allow(non_camel_case_types)] // as above
pub struct wrap;

impl Beyond for wrap {
    #[inline(always)]
    fn inside(index: isize, count: usize) -> usize {
        let (mut index, count) = (index, count as isize);
        while index < 0 {
            index += count; // no remainder: it is slow, and it is not far
        }
        while index >= count {
            index -= count;
        }
        index as usize
    }
}

/// The index that is so far from another, or what stands for it.
#[inline(always)]
fn beyond<B: Beyond>(from: usize, distance: isize, count: usize) -> usize {
    let index = from.wrapping_add_signed(distance);
    if index < count {
        index
    } else {
        B::inside(index as isize, count)
    }
}
