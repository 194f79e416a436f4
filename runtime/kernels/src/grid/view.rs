//! Arrays as kernels see them, and the one that a pass writes, an element at a time.

use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

use super::{Contiguous, Element, Layout, Rows, pack, panic};

/// An array that is read: `&T[…]`.
#[derive(Clone, Copy)]
pub struct In;

/// An array that is read and written: `&mut T[…]`, and scratch memory.
#[derive(Clone, Copy)]
pub struct Mut;

/// An array that is written, and has no values before: a result.
#[derive(Clone, Copy)]
pub struct Out;

/// How an array is used whose elements have values.
#[diagnostic::on_unimplemented(
    message = "the elements of this array cannot be read here",
    label = "declare an argument with `&mut`, or write the array in an earlier pass",
    note = "`where` and sizes of memory are calculated before there are elements"
)]
pub trait Readable {}

impl Readable for In {}
impl Readable for Mut {}

/// Uses that a pass makes of an array that an earlier one has written.
pub trait Written {
    type As;
    type Again;
    fn readable(self) -> Self::As;
    /// To be written again.
    fn again(self) -> Self::Again;
}

impl<'a, T, const R: usize, L: Layout> Written for View<'a, T, R, Out, L> {
    type As = View<'a, T, R, In, L>;
    type Again = View<'a, T, R, Mut, L>;
    #[inline(always)]
    fn readable(self) -> Self::As {
        self.used_as()
    }
    #[inline(always)]
    fn again(self) -> Self::Again {
        self.used_as()
    }
}

impl<T, const R: usize, L: Layout> Written for View<'_, T, R, Mut, L> {
    type As = Self;
    type Again = Self;
    #[inline(always)]
    fn readable(self) -> Self {
        self
    }
    #[inline(always)]
    fn again(self) -> Self {
        self
    }
}

/// The number of passes that are repeated.
impl Written for usize {
    type As = Self;
    type Again = Self;
    #[inline(always)]
    fn readable(self) -> Self {
        self
    }
    #[inline(always)]
    fn again(self) -> Self {
        self
    }
}

/// An array, C-contiguous unless `L` says otherwise. This is also what the GPU is given for it.
///
/// A copy is as good: nothing is written through a view but by [`Grid`](super::Grid), which keeps the
/// threads apart.
#[repr(C)]
pub struct View<'a, T, const R: usize, M = In, L: Layout = Contiguous> {
    pub(super) start: *mut T,
    shape: [usize; R],
    strides: L::Strides<R>,
    owner: PhantomData<(&'a T, M)>,
}

impl<T, const R: usize, M, L: Layout> Clone for View<'_, T, R, M, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const R: usize, M, L: Layout> Copy for View<'_, T, R, M, L> {}

// SAFETY: the grid keeps the threads apart.
unsafe impl<T: Send, const R: usize, M, L: Layout> Send for View<'_, T, R, M, L> {}
// SAFETY: a view that is shared is read, and the grid keeps those apart who write.
unsafe impl<T: Sync, const R: usize, M, L: Layout> Sync for View<'_, T, R, M, L> {}

impl<T, const R: usize, M> View<'_, T, R, M> {
    /// # Safety
    /// The array must have this shape, stay valid, and be written to as `M` says.
    #[inline(always)]
    pub unsafe fn new(start: *mut T, shape: [usize; R]) -> Self {
        Self {
            start,
            shape,
            strides: [],
            owner: PhantomData,
        }
    }
}

impl<'a, T, const R: usize, M, L: Layout> View<'a, T, R, M, L> {
    /// # Safety
    /// As for [`new`](View::new), and elements must be where the strides say.
    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    pub(super) unsafe fn with_strides(
        start: *mut T,
        shape: [usize; R],
        strides: L::Strides<R>,
    ) -> Self {
        Self {
            start,
            shape,
            strides,
            owner: PhantomData,
        }
    }

    /// The array without its elements.
    #[inline(always)]
    #[must_use]
    pub fn veiled(self) -> View<'a, T, R, Out, L> {
        self.used_as()
    }

    #[inline(always)]
    fn used_as<N>(self) -> View<'a, T, R, N, L> {
        View {
            start: self.start,
            shape: self.shape,
            strides: self.strides,
            owner: PhantomData,
        }
    }
}

impl<T, const R: usize, M, L: Layout> View<'_, T, R, M, L> {
    /// The same array; the compiler knows that an extent is the same number as this one.
    ///
    /// # Safety
    /// It must be.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub unsafe fn with_extent<E>(mut self, axis: usize, extent: E) -> Self
    where
        usize: TryFrom<E>,
    {
        if let Ok(extent) = usize::try_from(extent) {
            debug_assert!(self.shape[axis] == extent);
            self.shape[axis] = extent;
        }
        self
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

    /// The row that begins here.
    ///
    /// # Safety
    /// It must be in the array.
    #[inline(always)]
    pub(super) unsafe fn row_from<'r>(&self, start: *mut T) -> View<'r, T, 1, M, L> {
        View {
            start,
            shape: [self.shape[R - 1]],
            strides: L::of_row(&self.strides),
            owner: PhantomData,
        }
    }

    /// Where the element of an index is, which is also this many elements behind the first in the order of C.
    #[inline(always)]
    pub(super) fn at(&self, index: [usize; R], flat: usize) -> *mut T {
        self.start
            .wrapping_offset(L::offset(&self.strides, index, flat))
    }
}

impl<T, const R: usize, M, L: Layout<Strides<R> = [isize; R]>> View<'_, T, R, M, L> {
    /// Elements from one to the next along each dimension.
    #[inline(always)]
    pub fn strides(&self) -> [isize; R] {
        self.strides
    }
}

impl<'a, T, M> View<'a, T, 2, M, Rows> {
    /// The row of this index; stops the kernel where there is none.
    #[inline(always)]
    #[track_caller]
    pub fn row(&self, row: usize) -> View<'a, T, 1, M> {
        panic::check_index(row, self.shape[0]);
        View {
            start: self.at([row, 0], 0),
            shape: [self.shape[1]],
            strides: [],
            owner: PhantomData,
        }
    }
}

impl<'a, T, M> View<'a, T, 2, M> {
    /// The row of this index; stops the kernel where there is none.
    #[inline(always)]
    #[track_caller]
    pub fn row(&self, row: usize) -> View<'a, T, 1, M> {
        panic::check_index(row, self.shape[0]);
        // SAFETY: there is this row.
        unsafe { self.row_from(self.at([row, 0], row * self.shape[1])) }
    }
}

/// Index of an element of an array of `R` dimensions: `[row, column]`, and of one dimension a number too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index of an array of {R} dimensions",
    label = "a `usize` for each dimension, such as `[row, column]` or `[]`; of one dimension without brackets too"
)]
pub trait Indices<const R: usize> {
    fn indices(self) -> [usize; R];
}

impl Indices<1> for usize {
    #[inline(always)]
    fn indices(self) -> [usize; 1] {
        [self]
    }
}

impl<const R: usize> Indices<R> for [usize; R] {
    #[inline(always)]
    fn indices(self) -> Self {
        self
    }
}

impl<T, const R: usize, M, L: Layout> View<'_, T, R, M, L> {
    /// The address of the element of this index; stops the kernel where there is none.
    #[inline(always)]
    #[track_caller]
    #[allow(clippy::needless_range_loop)] // iterators over arrays are in memory, which on the GPU is far
    pub(super) fn place(&self, index: impl Indices<R>) -> *mut T {
        let index = index.indices();
        let mut flat = 0;
        for axis in 0..R {
            panic::check_index(index[axis], self.shape[axis]);
            flat = flat * self.shape[axis] + index[axis];
        }
        self.at(index, flat)
    }
}

/// Stops the kernel where there is no such element.
impl<T: Element, const R: usize, M: Readable, L: Layout, I: Indices<R>> Index<I>
    for View<'_, T, R, M, L>
{
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, index: I) -> &T {
        // SAFETY: inside the array, which nobody writes in this pass.
        unsafe { T::borrow(self.place(index)) }
    }
}

/// The array that `each y[…]` writes. Made once for each pass.
#[derive(Clone, Copy)]
pub struct Target<'a, T, const R: usize, M, L: Layout = Contiguous>(
    pub(super) View<'a, T, R, M, L>,
);

/// Array that a pass may write to.
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

/// Value of an element before the pass.
pub trait Before<T> {
    type Before: Copy + Default;

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
    type Before = Unwritten;
    #[inline(always)]
    unsafe fn before(_at: *const T) -> Unwritten {
        Unwritten
    }
}

impl<'a, T, const R: usize, L: Layout> Writable for View<'a, T, R, Mut, L> {
    type As = Target<'a, T, R, Mut, L>;
    #[inline(always)]
    unsafe fn target(self) -> Self::As {
        Target(self)
    }
}

impl<'a, T, const R: usize, L: Layout> Writable for View<'a, T, R, Out, L> {
    type As = Target<'a, T, R, Out, L>;
    #[inline(always)]
    unsafe fn target(self) -> Self::As {
        Target(self)
    }
}

/// Element of a result in the body that makes it: it cannot be read or assigned to.
#[derive(Clone, Copy, Default)]
pub struct Unwritten;

/// Nothing is: it is there for what the compiler says.
#[diagnostic::on_unimplemented(
    message = "a result cannot be read or assigned to in the body that makes its elements: each is what the body ends with",
    label = "in place of `{{ y[i] = x[i]; }}` write `{{ x[i] }}`"
)]
pub trait Assigned {
    type Element;
}

impl<I: Assigned> Index<I> for Unwritten {
    type Output = I::Element;
    fn index(&self, _: I) -> &I::Element {
        unreachable!()
    }
}

impl<I: Assigned> IndexMut<I> for Unwritten {
    fn index_mut(&mut self, _: I) -> &mut I::Element {
        unreachable!()
    }
}
