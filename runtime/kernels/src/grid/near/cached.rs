//! Elements that are read where they are: the caches hold what is near.

use core::marker::PhantomData;

use super::Beyond;
use crate::grid::{Element, Readable, View, pack, panic};

/// An array of which elements near each other are read.
pub struct Cached<'a, T, B, const HALO: usize, const R: usize, M>(
    View<'a, T, R, M>,
    PhantomData<B>,
);

impl<'a, T: Element, B: Beyond, const HALO: usize, const R: usize, M: Readable>
    Cached<'a, T, B, HALO, R, M>
{
    /// # Safety
    /// Nothing writes the array in this pass.
    #[inline(always)]
    #[must_use]
    pub unsafe fn new(array: View<'a, T, R, M>) -> Self {
        Self(array, PhantomData)
    }

    /// The elements around this one.
    ///
    /// # Safety
    /// It must be there.
    #[inline(always)]
    #[must_use]
    pub unsafe fn at(&self, place: [usize; R]) -> Near<'a, T, B, HALO, R, M> {
        let Self(array, beyond) = *self;
        Near {
            array,
            place,
            beyond,
        }
    }
}

/// On the GPU, a tile.
#[cfg(not(target_arch = "nvptx64"))]
pub struct Tiled<'a, T, B, const HALO: usize, M>(Cached<'a, T, B, HALO, 2, M>);

#[cfg(not(target_arch = "nvptx64"))]
impl<'a, T: Element, B: Beyond, const HALO: usize, M: Readable> Tiled<'a, T, B, HALO, M> {
    /// # Safety
    /// Nothing writes the array in this pass.
    #[inline(always)]
    #[must_use]
    pub unsafe fn new(array: View<'a, T, 2, M>, _taken: &mut usize) -> Self {
        Self(Cached(array, PhantomData))
    }

    /// Does nothing; the threads of the GPU load the tile of these elements.
    #[inline(always)]
    pub fn load(&self, _first: [usize; 2]) {}

    /// The elements around this one.
    ///
    /// # Safety
    /// It must be there.
    #[inline(always)]
    #[must_use]
    pub unsafe fn at(&self, place: [usize; 2]) -> Near<'a, T, B, HALO, 2, M> {
        // SAFETY: the caller's.
        unsafe { self.0.at(place) }
    }
}

/// An element with those around it.
pub struct Near<'a, T, B, const HALO: usize, const R: usize, M> {
    array: View<'a, T, R, M>,
    place: [usize; R],
    beyond: PhantomData<B>,
}

impl<T: Element, B: Beyond, const HALO: usize, const R: usize, M> Near<'_, T, B, HALO, R, M> {
    #[inline(always)]
    #[track_caller]
    fn away(&self, distances: [isize; R]) -> T {
        let (mut center, mut away, mut stride, shape) = (0, 0, 1, self.array.shape());
        for axis in (0..R).rev() {
            panic::check_near(distances[axis], HALO);
            center += self.place[axis] * stride;
            if distances[axis] != 0 {
                away += B::away(self.place[axis], distances[axis], shape[axis]) * stride as isize;
            }
            stride *= shape[axis];
        }
        // SAFETY: inside the array.
        unsafe { pack::load_one(self.array.start.add(center).offset(away)) }
    }
}

impl<T: Element, B: Beyond, const HALO: usize, M> Near<'_, T, B, HALO, 1, M> {
    /// The element so far to the right; stops the kernel where the declaration does not reach.
    #[inline(always)]
    #[track_caller]
    pub fn near(&self, right: isize) -> T {
        self.away([right])
    }
}

impl<T: Element, B: Beyond, const HALO: usize, M> Near<'_, T, B, HALO, 2, M> {
    /// The element so many rows below and columns to the right; stops the kernel where the declaration
    /// does not reach.
    #[inline(always)]
    #[track_caller]
    pub fn near(&self, down: isize, right: isize) -> T {
        self.away([down, right])
    }
}

impl<T: Element, B: Beyond, const HALO: usize, M> Near<'_, T, B, HALO, 3, M> {
    /// The element so many planes behind, rows below and columns to the right; stops the kernel where the
    /// declaration does not reach.
    #[inline(always)]
    #[track_caller]
    pub fn near(&self, behind: isize, down: isize, right: isize) -> T {
        self.away([behind, down, right])
    }
}
