//! Arrays that a call may leave out.

#[cfg(target_arch = "nvptx64")]
use super::walk::Step;
use super::{Element, In, Lanes, Layout, Mut, Out, Split, Target, View, Writable, Written};

/// An array or None, as kernels are given it: a view, without an address for None.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Optional<'a, T, const R: usize, M = In>(View<'a, T, R, M>);

#[cfg(target_arch = "nvptx64")]
impl<'a, T, const R: usize, M> From<View<'a, T, R, M>> for Optional<'a, T, R, M> {
    #[inline(always)]
    fn from(view: View<'a, T, R, M>) -> Self {
        Self(view)
    }
}

impl<'a, T, const R: usize, M> Optional<'a, T, R, M> {
    #[inline(always)]
    #[must_use]
    pub fn view(self) -> Option<View<'a, T, R, M>> {
        (!self.0.start.is_null()).then_some(self.0)
    }
}

/// Arrays, or None.
pub trait Count {
    /// How many elements it has: none if it is None.
    fn count(&self) -> usize;

    /// Checks whether it begins where 16 bytes can be loaded at once, which the compiler knows then; None does.
    fn is_aligned(&self) -> bool;

    /// How long its rows are: none if it has no dimension.
    fn row(&self) -> usize;

    /// Checks whether its rows follow one another in memory.
    fn is_contiguous(&self) -> bool;
}

impl<T, const R: usize, M, L: Layout> Count for View<'_, T, R, M, L> {
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn is_aligned(&self) -> bool {
        self.start.addr().is_multiple_of(16)
    }

    #[inline(always)]
    fn row(&self) -> usize {
        self.shape().last().copied().unwrap_or(0)
    }

    #[inline(always)]
    fn is_contiguous(&self) -> bool {
        L::IS_CONTIGUOUS
    }
}

impl<T, const R: usize, M> Count for Option<View<'_, T, R, M>> {
    fn count(&self) -> usize {
        self.map_or(0, |view| view.len())
    }

    #[inline(always)]
    fn is_aligned(&self) -> bool {
        self.is_none_or(|view| view.is_aligned())
    }

    #[inline(always)]
    fn row(&self) -> usize {
        self.map_or(0, |view| view.row())
    }

    #[inline(always)]
    fn is_contiguous(&self) -> bool {
        true
    }
}

/// In the place of an array that does not count.
impl Count for () {
    #[inline(always)]
    fn count(&self) -> usize {
        0
    }

    #[inline(always)]
    fn is_aligned(&self) -> bool {
        true
    }

    #[inline(always)]
    fn row(&self) -> usize {
        0
    }

    #[inline(always)]
    fn is_contiguous(&self) -> bool {
        true
    }
}

/// The array, or one without elements.
impl<'a, T, const R: usize, M> Writable for Option<View<'a, T, R, M>>
where
    View<'a, T, R, M>: Writable<As = Target<'a, T, R, M>>,
{
    type As = Target<'a, T, R, M>;

    #[inline(always)]
    unsafe fn target(self) -> Self::As {
        // SAFETY: nobody reads or writes an element of it.
        let none = || unsafe { View::new(core::ptr::null_mut(), [0; R]) };
        // SAFETY: the caller's.
        unsafe { self.unwrap_or_else(none).target() }
    }
}

impl<W: Written> Written for Option<W> {
    type As = Option<W::As>;
    type Again = Option<W::Again>;

    #[inline(always)]
    fn readable(self) -> Self::As {
        self.map(Written::readable)
    }

    #[inline(always)]
    fn again(self) -> Self::Again {
        self.map(Written::again)
    }
}

/// The elements, or None for each.
macro_rules! optional {
    ($mode:ty, $p:lifetime $lane:ty, |$pack:ident| $borrowed:expr) => {
        impl<T: Element, const R: usize, const L: usize> Lanes<L> for Option<View<'_, T, R, $mode>> {
            type Pack = Option<[T; L]>;
            type One = Option<T>;
            type Lane<$p> = Option<$lane>;

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
            fn lane<$p>(pack: &$p mut Option<[T; L]>, lane: usize) -> Option<$lane> {
                let $pack = pack.as_mut().map(|pack| &mut pack[lane]);
                $borrowed
            }

            #[inline(always)]
            fn one<$p>(one: &$p mut Option<T>) -> Option<$lane> {
                let $pack = one.as_mut();
                $borrowed
            }

            #[inline(always)]
            unsafe fn store(&self, at: usize, pack: Option<[T; L]>) {
                if let (Some(view), Some(pack)) = (self, pack) {
                    // SAFETY: the caller's.
                    unsafe { Lanes::<L>::store(view, at, pack) };
                }
            }

            #[inline(always)]
            unsafe fn store_one(&self, at: usize, one: Option<T>) {
                if let (Some(view), Some(one)) = (self, one) {
                    // SAFETY: the caller's.
                    unsafe { Lanes::<L>::store_one(view, at, one) };
                }
            }

            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            fn moved(self, bytes: isize) -> Self {
                self.map(|view| Lanes::<L>::moved(view, bytes))
            }

            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            unsafe fn gather(&self, from: &Step) -> Option<[T; L]> {
                // SAFETY: the caller's.
                self.map(|view| unsafe { Lanes::<L>::gather(&view, from) })
            }

            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            unsafe fn scatter(&self, to: &Step, pack: Option<[T; L]>) {
                if let (Some(view), Some(pack)) = (self, pack) {
                    // SAFETY: the caller's.
                    unsafe { Lanes::<L>::scatter(view, to, pack) };
                }
            }
        }
    };
}

optional!(In, 'p T, |element| element.copied());
optional!(Mut, 'p &'p mut T, |element| element);
optional!(Out, 'p &'p mut T, |element| element);
