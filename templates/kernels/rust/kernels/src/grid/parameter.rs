//! What a kernel can be given: numbers and arrays.

use core::marker::PhantomData;
use core::ops::Index;

use super::{Element, Grid, panic};

/// Something that a kernel can be given.
pub trait Parameter: Sized {
    /// What the GPU is given for it.
    type Raw: Copy + Send + Sync;
    /// What the caller on the CPU gives.
    type OnCpu<'a>;

    /// Checks that the array has this length. There is one element per block in a [`PerBlock`].
    fn to_raw(given: Self::OnCpu<'_>, length: usize, blocks: usize) -> Self::Raw;

    /// # Safety
    /// An array must have this length and stay valid, and be written to as the type says.
    unsafe fn from_raw(raw: Self::Raw, length: usize) -> Self;
}

macro_rules! numbers {
    ($($number:ty),*) => {
        $(
            impl Parameter for $number {
                type Raw = Self;
                type OnCpu<'a> = Self;

                fn to_raw(given: Self, _length: usize, _blocks: usize) -> Self {
                    given
                }

                #[inline(always)]
                unsafe fn from_raw(raw: Self, _length: usize) -> Self {
                    raw
                }
            }
        )*
    };
}

numbers!(f32, f64, i32, u32, i64, u64, usize);

/// The address of an array that all threads are given.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Address<T>(pub(super) *mut T);

// SAFETY: the views made of it keep the threads apart.
unsafe impl<T: Send> Send for Address<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Address<T> {}

/// An array that all threads read and none writes.
#[derive(Clone, Copy)]
pub struct Input<'a, T> {
    pub(super) start: *const T,
    len: usize,
    owner: PhantomData<&'a [T]>,
}

impl<T> Input<'_, T> {
    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Stops the kernel where there is no such element.
impl<T> Index<usize> for Input<'_, T> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        panic::check_index(index, self.len);
        // SAFETY: inside the array, which nobody writes.
        unsafe { &*self.start.add(index) }
    }
}

impl<T: Element> Parameter for Input<'_, T> {
    type Raw = Address<T>;
    type OnCpu<'a> = &'a [T];

    fn to_raw(given: &[T], length: usize, _blocks: usize) -> Address<T> {
        panic::check_lengths(given.len(), length);
        Address(given.as_ptr().cast_mut())
    }

    #[inline(always)]
    unsafe fn from_raw(raw: Address<T>, length: usize) -> Self {
        Self {
            start: raw.0,
            len: length,
            owner: PhantomData,
        }
    }
}

/// An array whose elements are written, each by one thread.
///
/// A method of [`Grid`] takes it and hands the elements out; it can be taken once, because
/// another method might give an element to another thread.
pub struct Output<'a, T> {
    pub(super) start: *mut T,
    len: usize,
    owner: PhantomData<&'a mut [T]>,
}

impl<T> Output<'_, T> {
    /// Number of elements.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<T: Element> Parameter for Output<'_, T> {
    type Raw = Address<T>;
    type OnCpu<'a> = &'a mut [T];

    fn to_raw(given: &mut [T], length: usize, _blocks: usize) -> Address<T> {
        panic::check_lengths(given.len(), length);
        Address(given.as_mut_ptr())
    }

    #[inline(always)]
    unsafe fn from_raw(raw: Address<T>, length: usize) -> Self {
        Self {
            start: raw.0,
            len: length,
            owner: PhantomData,
        }
    }
}

/// An array with one element for each block of the grid.
pub struct PerBlock<'a, T> {
    start: *mut T,
    owner: PhantomData<&'a mut [T]>,
}

impl<T: Copy> PerBlock<'_, T> {
    /// Sets the element of this block, to what the first thread says.
    #[inline(always)]
    pub fn set(self, grid: Grid, value: T) {
        if grid.0.is_first_of_block() {
            // SAFETY: the array has an element for every block, and only this thread writes it.
            unsafe { self.start.add(grid.block()).write(value) };
        }
    }
}

impl<T: Element> Parameter for PerBlock<'_, T> {
    type Raw = Address<T>;
    type OnCpu<'a> = &'a mut [T];

    fn to_raw(given: &mut [T], _length: usize, blocks: usize) -> Address<T> {
        panic::check_lengths(given.len(), blocks);
        Address(given.as_mut_ptr())
    }

    #[inline(always)]
    unsafe fn from_raw(raw: Address<T>, _length: usize) -> Self {
        Self {
            start: raw.0,
            owner: PhantomData,
        }
    }
}
