//! Elements around an element: `each y[i, j] with x.edge(1) { x.near(-1, 0) … }`.

#[cfg(target_arch = "nvptx64")]
mod gpu;

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

/// What stands for an element that is not there. The names are those of `numpy.pad`.
pub trait Beyond: Copy {
    /// The index of it, for one that is not below `count`.
    fn inside(index: isize, count: usize) -> usize;
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

/// They are read where they are: the caches hold what is near.
#[cfg(not(target_arch = "nvptx64"))]
mod cpu {
    use core::marker::PhantomData;

    use super::{Beyond, beyond};
    use crate::grid::{Element, View, pack, panic};

    /// An array of which elements near each other are read.
    pub struct Tiled<'a, T, B, const HALO: usize, M>(View<'a, T, 2, M>, PhantomData<B>);

    impl<'a, T: Element, B: Beyond, const HALO: usize, M> Tiled<'a, T, B, HALO, M> {
        /// # Safety
        /// Nothing writes the array in this pass.
        #[must_use]
        pub unsafe fn new(array: View<'a, T, 2, M>, _taken: &mut usize) -> Self {
            Self(array, PhantomData)
        }

        /// Of the threads of the GPU: loads the tile of these elements.
        #[inline(always)]
        pub fn load(&self, _first: [usize; 2]) {}

        /// The elements around this one.
        ///
        /// # Safety
        /// It must be there.
        #[inline(always)]
        #[must_use]
        pub unsafe fn at(&self, place: [usize; 2]) -> Near<'a, T, B, HALO, M> {
            let Self(array, beyond) = *self;
            Near {
                array,
                place,
                beyond,
            }
        }
    }

    /// An element with those around it.
    pub struct Near<'a, T, B, const HALO: usize, M> {
        array: View<'a, T, 2, M>,
        place: [usize; 2],
        beyond: PhantomData<B>,
    }

    impl<T: Element, B: Beyond, const HALO: usize, M> Near<'_, T, B, HALO, M> {
        /// The element so many rows below and columns to the right; stops the kernel where the declaration
        /// does not reach.
        #[inline(always)]
        #[track_caller]
        pub fn near(&self, down: isize, right: isize) -> T {
            panic::check_near(down, HALO);
            panic::check_near(right, HALO);
            let [rows, columns] = self.array.shape();
            let row = beyond::<B>(self.place[0], down, rows);
            let column = beyond::<B>(self.place[1], right, columns);
            // SAFETY: inside the array.
            unsafe { pack::load_one(self.array.start.add(row * columns + column)) }
        }
    }
}
