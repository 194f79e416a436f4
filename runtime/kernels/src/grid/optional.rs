//! Arrays that a call may leave out.

use super::{Element, In, Lanes, Split, View};

/// An array that is read, or None, as kernels are given it: a view, without an address for None.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Optional<'a, T, const R: usize>(View<'a, T, R, In>);

impl<'a, T, const R: usize> Optional<'a, T, R> {
    #[inline(always)]
    #[must_use]
    pub fn view(self) -> Option<View<'a, T, R, In>> {
        (!self.0.start.is_null()).then_some(self.0)
    }
}

/// The elements, or None for each.
impl<T: Element, const R: usize, const L: usize> Lanes<L> for Option<View<'_, T, R, In>> {
    type Pack = Option<[T; L]>;
    type One = Option<T>;
    type Lane<'p> = Option<T>;

    #[inline(always)]
    #[track_caller]
    fn split(&self, split: Split) -> Split {
        match self {
            Some(view) => Lanes::<L>::split(view, split),
            None => split,
        }
    }

    #[inline(always)]
    unsafe fn load(&self, at: usize) -> Option<[T; L]> {
        // SAFETY: the caller's.
        self.map(|view| unsafe { Lanes::<L>::load(&view, at) })
    }

    #[inline(always)]
    unsafe fn load_one(&self, at: usize) -> Option<T> {
        // SAFETY: the caller's.
        self.map(|view| unsafe { Lanes::<L>::load_one(&view, at) })
    }

    #[inline(always)]
    fn lane(pack: &mut Option<[T; L]>, lane: usize) -> Option<T> {
        pack.map(|pack| pack[lane])
    }

    #[inline(always)]
    fn one(one: &mut Option<T>) -> Option<T> {
        *one
    }

    #[inline(always)]
    unsafe fn store(&self, _at: usize, _pack: Option<[T; L]>) {}

    #[inline(always)]
    unsafe fn store_one(&self, _at: usize, _one: Option<T>) {}
}
