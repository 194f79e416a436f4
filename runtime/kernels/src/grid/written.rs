//! The array that a pass writes, an element at a time.

use super::{Element, Mut, Out, View, pack};

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
