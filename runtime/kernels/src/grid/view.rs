//! Arrays as kernels see them, and the one that a pass writes, an element at a time.

use core::marker::PhantomData;
use core::ops::Index;

use super::{Element, pack, panic};

/// An array that is read: `&T[…]`.
#[derive(Clone, Copy)]
pub struct In;

/// An array that is read and written: `&mut T[…]`, and scratch memory.
#[derive(Clone, Copy)]
pub struct Mut;

/// An array that is written, and has no values before: a result.
#[derive(Clone, Copy)]
pub struct Out;

/// An array, C-contiguous. This is also what the GPU is given for it.
///
/// A copy is as good: nothing is written through a view but by [`Grid`](super::Grid), which keeps the
/// threads apart.
#[repr(C)]
pub struct View<'a, T, const R: usize, M = In> {
    pub(super) start: *mut T,
    shape: [usize; R],
    owner: PhantomData<(&'a T, M)>,
}

impl<T, const R: usize, M> Clone for View<'_, T, R, M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const R: usize, M> Copy for View<'_, T, R, M> {}

// SAFETY: the grid keeps the threads apart.
unsafe impl<T: Send, const R: usize, M> Send for View<'_, T, R, M> {}
// SAFETY: as above.
unsafe impl<T: Sync, const R: usize, M> Sync for View<'_, T, R, M> {}

impl<T, const R: usize, M> View<'_, T, R, M> {
    /// # Safety
    /// The array must have this shape, stay valid, and be written to as `M` says.
    #[inline(always)]
    pub unsafe fn new(start: *mut T, shape: [usize; R]) -> Self {
        Self {
            start,
            shape,
            owner: PhantomData,
        }
    }

    /// The extents of the array; one, its length, where it is declared with `[...]`.
    #[inline(always)]
    pub fn shape(&self) -> [usize; R] {
        self.shape
    }

    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the first element is.
    #[inline(always)]
    pub fn address(&self) -> u64 {
        self.start.addr() as u64
    }
}

impl<'a, T, M> View<'a, T, 2, M> {
    /// The row of this index; stops the kernel where there is none.
    #[inline(always)]
    #[track_caller]
    pub fn row(&self, row: usize) -> View<'a, T, 1, M> {
        panic::check_index(row, self.shape[0]);
        let start = self.start.wrapping_add(row * self.shape[1]);
        View {
            start,
            shape: [self.shape[1]],
            owner: PhantomData,
        }
    }
}

/// Stops the kernel where there is no such element.
impl<T: Element, M> Index<usize> for View<'_, T, 1, M> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        &self[[index]]
    }
}

/// Stops the kernel where there is no such element.
impl<T: Element, const R: usize, M> Index<[usize; R]> for View<'_, T, R, M> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, index: [usize; R]) -> &T {
        let mut flat = 0;
        for (index, extent) in index.into_iter().zip(self.shape) {
            panic::check_index(index, extent);
            flat = flat * extent + index;
        }
        // SAFETY: inside the array, which nobody writes in this pass.
        unsafe { T::borrow(self.start.add(flat)) }
    }
}

impl<T: Copy> View<'_, T, 0, Out> {
    /// Sets the number that this is.
    ///
    /// # Safety
    /// No other thread sets it.
    #[inline(always)]
    pub unsafe fn set(&self, value: T) {
        // SAFETY: a number has one element.
        unsafe { self.start.write(value) };
    }
}

/// The array that `each y[…]` writes. Made once for each pass.
#[derive(Clone, Copy)]
pub struct Target<'a, T, const R: usize, M>(pub(super) View<'a, T, R, M>);

/// What a pass may write to.
#[diagnostic::on_unimplemented(
    message = "a pass cannot write to an argument that is declared with `&`",
    label = "declare it with `&mut`, or as a result"
)]
pub trait Writable {
    type As;

    /// # Safety
    /// Nothing else may read or write the array in this pass.
    unsafe fn target(self) -> Self::As;
}

/// What an element was before.
pub trait Before<T> {
    type Before: Copy;

    /// # Safety
    /// There must be an element.
    unsafe fn before(at: *const T) -> Self::Before;
}

impl<T: Element> Before<T> for Mut {
    type Before = T;
    #[inline(always)]
    unsafe fn before(at: *const T) -> T {
        // SAFETY: the caller's.
        unsafe { pack::load_one(at) }
    }
}

impl<T> Before<T> for Out {
    type Before = ();
    #[inline(always)]
    unsafe fn before(_at: *const T) {}
}

impl<'a, T, const R: usize> Writable for View<'a, T, R, Mut> {
    type As = Target<'a, T, R, Mut>;
    #[inline(always)]
    unsafe fn target(self) -> Self::As {
        Target(self)
    }
}

impl<'a, T, const R: usize> Writable for View<'a, T, R, Out> {
    type As = Target<'a, T, R, Out>;
    #[inline(always)]
    unsafe fn target(self) -> Self::As {
        Target(self)
    }
}
