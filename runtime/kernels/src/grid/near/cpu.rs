//! They are read where they are: the caches hold what is near.

use core::marker::PhantomData;

use super::beyond::{self, Beyond};
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
        let row = beyond::index::<B>(self.place[0], down, rows);
        let column = beyond::index::<B>(self.place[1], right, columns);
        // SAFETY: inside the array.
        unsafe { pack::load_one(self.array.start.add(row * columns + column)) }
    }
}
