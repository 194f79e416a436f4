//! A block loads a tile and what is around it into shared memory, from where its threads read.

use core::array;
use core::marker::PhantomData;

use super::{Beyond, beyond, side};
use crate::grid::shared::taken_by;
use crate::grid::{BLOCK, Element, Readable, View, pack, panic, ptx};

/// Elements that a thread loads before it stores the first of them.
const IN_FLIGHT: usize = 5;

/// An array of which a block holds a tile.
pub struct Tiled<'a, T, B, const HALO: usize, M> {
    array: View<'a, T, 2, M>,
    first: u32,
    beyond: PhantomData<B>,
}

impl<'a, T: Element, B: Beyond, const HALO: usize, M: Readable> Tiled<'a, T, B, HALO, M> {
    const SIDE: u32 = side(HALO) as u32;

    /// Its tile lies behind what is taken already.
    ///
    /// # Safety
    /// Nothing writes the array in this pass, which was launched with so much shared memory.
    #[inline(always)]
    pub unsafe fn new(array: View<'a, T, 2, M>, taken: &mut usize) -> Self {
        let first = ptx::shared_offset!(KERNEL_SHARED) + *taken as u32;
        *taken += taken_by(side(HALO) * side(HALO) * size_of::<T>());
        Self {
            array,
            first,
            beyond: PhantomData,
        }
    }

    #[inline(always)]
    fn place(&self, at: u32) -> u32 {
        self.first + at * size_of::<T>() as u32
    }

    /// Loads the tile that begins with this element. All threads of the block must come here, and a
    /// barrier must be before it and behind it.
    #[inline(always)]
    pub fn load(&self, [top, left]: [usize; 2]) {
        let [rows, columns] = self.array.shape();
        let threads = BLOCK;
        let mut first = ptx::thread_in_block();
        while first < Self::SIDE * Self::SIDE {
            let values: [T; IN_FLIGHT] = array::from_fn(|k| {
                let at = first + k as u32 * threads;
                let (down, right) = ((at / Self::SIDE) as usize, (at % Self::SIDE) as usize);
                let row = beyond::<B>(top + down, -(HALO as isize), rows);
                let column = beyond::<B>(left + right, -(HALO as isize), columns);
                // SAFETY: inside the array.
                unsafe { pack::load_one(self.array.start.add(row * columns + column)) }
            });
            for (k, value) in values.into_iter().enumerate() {
                let at = first + k as u32 * threads;
                if at < Self::SIDE * Self::SIDE {
                    // SAFETY: inside the tile, and this thread's.
                    unsafe { ptx::store_shared(self.place(at), value) };
                }
            }
            first += IN_FLIGHT as u32 * threads;
        }
    }

    /// The elements around this one of the tile.
    ///
    /// # Safety
    /// It must be there.
    #[inline(always)]
    pub unsafe fn at(&self, [down, right]: [usize; 2]) -> Near<T, HALO> {
        let at = (down + HALO) as u32 * Self::SIDE + (right + HALO) as u32;
        Near {
            center: self.place(at),
            element: PhantomData,
        }
    }
}

/// An element with those around it.
pub struct Near<T, const HALO: usize> {
    center: u32,
    element: PhantomData<T>,
}

impl<T: Element, const HALO: usize> Near<T, HALO> {
    /// The element so many rows below and columns to the right; stops the kernel where the declaration
    /// does not reach.
    #[inline(always)]
    #[track_caller]
    pub fn near(&self, down: isize, right: isize) -> T {
        panic::check_near(down, HALO);
        panic::check_near(right, HALO);
        let distance = (down * side(HALO) as isize + right) * size_of::<T>() as isize;
        // SAFETY: inside the tile.
        unsafe { ptx::load_shared(self.center.wrapping_add_signed(distance as i32)) }
    }
}
