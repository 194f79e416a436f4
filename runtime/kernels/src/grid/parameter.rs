//! Arrays as the kernels of the GPU are given them: an address, which is a parameter of its own, and what else there is.
//!
//! The compiler knows that a parameter that is an address is one of global memory. It does not know
//! so of an address inside of another parameter: access through it takes longer. In memory the
//! two lie as in the array itself.

use super::{Found, Layout, Optional, View};

/// Array that a kernel joins from two parameters.
pub trait Parameter {
    type Address;
    type Rest;

    /// # Safety
    /// Both must be of one array, as the host has put them.
    unsafe fn join(address: Self::Address, rest: Self::Rest) -> Self;
}

/// Extents and strides.
#[repr(C)]
pub struct Extents<const R: usize, L: Layout> {
    shape: [usize; R],
    strides: L::Strides<R>,
}

impl<T, const R: usize, M, L: Layout> Parameter for View<'_, T, R, M, L> {
    type Address = *mut T;
    type Rest = Extents<R, L>;

    #[inline(always)]
    unsafe fn join(address: *mut T, rest: Extents<R, L>) -> Self {
        // SAFETY: the caller's.
        unsafe { Self::with_strides(address, rest.shape, rest.strides) }
    }
}

impl<'a, T, const R: usize, M> Parameter for Optional<'a, T, R, M> {
    type Address = <View<'a, T, R, M> as Parameter>::Address;
    type Rest = <View<'a, T, R, M> as Parameter>::Rest;

    #[inline(always)]
    unsafe fn join(address: Self::Address, rest: Self::Rest) -> Self {
        // SAFETY: the caller's.
        Self::from(unsafe { View::join(address, rest) })
    }
}

/// Extents, and where it is counted.
#[repr(C)]
pub struct Counted<const R: usize> {
    shape: [usize; R],
    count: *mut i64,
}

impl<T, const R: usize> Parameter for Found<'_, T, R> {
    type Address = *mut T;
    type Rest = Counted<R>;

    #[inline(always)]
    unsafe fn join(address: *mut T, rest: Counted<R>) -> Self {
        // SAFETY: the caller's.
        unsafe { Self::new(View::new(address, rest.shape), rest.count) }
    }
}
