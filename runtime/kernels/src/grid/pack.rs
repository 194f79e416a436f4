//! Elements that are loaded and stored together.

use super::target::{load_constant, load_written};
#[cfg(target_arch = "nvptx64")]
use super::walk::Step;
use super::{Element, In, Mut, Out, View, panic};

/// Bytes of the widest memory access that a thread can make.
const ACCESS: usize = 16;

/// How many elements of the widest of these sizes are loaded at once; one of a struct that is wider.
#[must_use]
pub const fn lanes(sizes: &[usize]) -> usize {
    let (mut widest, mut index) = (1, 0);
    while index < sizes.len() {
        if sizes[index] > widest {
            widest = sizes[index];
        }
        index += 1;
    }
    match ACCESS / widest {
        0 => 1,
        lanes => lanes,
    }
}

/// A parameter of a pass over elements: `L` of them at a time, or one.
pub trait Lanes<const L: usize>: Copy {
    type Pack: Copy;
    type One: Copy;
    type Lane<'p>;

    /// With the length of this array, and where it starts.
    fn split(&self, split: Split) -> Split;

    /// # Safety
    /// The elements must be inside the array, and a pack of the [`Split`].
    unsafe fn load(&self, at: usize) -> Self::Pack;

    /// # Safety
    /// The element must be inside the array.
    unsafe fn load_one(&self, at: usize) -> Self::One;

    fn lane(pack: &mut Self::Pack, lane: usize) -> Self::Lane<'_>;

    fn one(one: &mut Self::One) -> Self::Lane<'_>;

    /// # Safety
    /// As for `load`, and no other thread has these elements.
    unsafe fn store(&self, at: usize, pack: Self::Pack);

    /// # Safety
    /// As for `load_one`, and no other thread has the element.
    unsafe fn store_one(&self, at: usize, one: Self::One);

    /// The same, so many bytes further.
    #[cfg(target_arch = "nvptx64")]
    fn moved(self, bytes: isize) -> Self;

    /// Some of the first elements, as a walk goes on from one to the next.
    ///
    /// # Safety
    /// They must be inside the array.
    #[cfg(target_arch = "nvptx64")]
    unsafe fn gather(&self, from: &Step) -> Self::Pack;

    /// # Safety
    /// As for `gather`, and no other thread has these elements.
    #[cfg(target_arch = "nvptx64")]
    unsafe fn scatter(&self, to: &Step, pack: Self::Pack);
}

/// A parameter that is the same for all elements.
#[doc(hidden)]
#[macro_export]
macro_rules! __same_for_all {
    ([$($generic:tt)*] $number:ty) => {
        impl<$($generic)* const L: usize> $crate::grid::Lanes<L> for $number {
            type Pack = Self;
            type One = Self;
            type Lane<'p> = Self;
            #[inline(always)]
            fn split(&self, split: $crate::grid::Split) -> $crate::grid::Split {
                split
            }
            #[inline(always)]
            unsafe fn load(&self, _at: usize) -> Self {
                *self
            }
            #[inline(always)]
            unsafe fn load_one(&self, _at: usize) -> Self {
                *self
            }
            #[inline(always)]
            fn lane(pack: &mut Self, _lane: usize) -> Self {
                *pack
            }
            #[inline(always)]
            fn one(one: &mut Self) -> Self {
                *one
            }
            #[inline(always)]
            unsafe fn store(&self, _at: usize, _pack: Self) {}
            #[inline(always)]
            unsafe fn store_one(&self, _at: usize, _one: Self) {}
            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            fn moved(self, _bytes: isize) -> Self {
                self
            }
            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            unsafe fn gather(&self, _from: &$crate::grid::walk::Step) -> Self {
                *self
            }
            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            unsafe fn scatter(&self, _to: &$crate::grid::walk::Step, _pack: Self) {}
        }
    };
}

__same_for_all!([T: Element,] T);
__same_for_all!([] usize);
__same_for_all!([T: Element, const N: usize,] [T; N]);

macro_rules! views {
    ($mode:ty, $p:lifetime $lane:ty, |$element:ident| $hand:expr, $load:ident, $load_one:ident, $writes:literal) => {
        impl<T: Element, const R: usize, const L: usize> Lanes<L> for View<'_, T, R, $mode> {
            type Pack = [T; L];
            type One = T;
            type Lane<$p> = $lane;
            #[inline(always)]
            #[track_caller]
            fn split(&self, split: Split) -> Split {
                split.with(self.len(), self.start.addr(), size_of::<T>())
            }
            #[inline(always)]
            unsafe fn load(&self, at: usize) -> [T; L] {
                // SAFETY: the caller's.
                unsafe { $load(self.start.add(at)) }
            }
            #[inline(always)]
            unsafe fn load_one(&self, at: usize) -> T {
                // SAFETY: the caller's.
                unsafe { $load_one(self.start.add(at)) }
            }
            #[inline(always)]
            fn lane<$p>(pack: &$p mut [T; L], lane: usize) -> $lane {
                let $element = &mut pack[lane];
                $hand
            }
            #[inline(always)]
            fn one<$p>(one: &$p mut T) -> $lane {
                let $element = one;
                $hand
            }
            #[inline(always)]
            unsafe fn store(&self, at: usize, pack: [T; L]) {
                if $writes {
                    // SAFETY: the caller's.
                    unsafe { super::target::store(self.start.add(at), pack) };
                }
            }
            #[inline(always)]
            unsafe fn store_one(&self, at: usize, one: T) {
                if $writes {
                    // SAFETY: the caller's.
                    unsafe { self.start.add(at).write(one) };
                }
            }
            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            fn moved(self, bytes: isize) -> Self {
                // SAFETY: of the same array, which is not read by its shape.
                unsafe { Self::new(self.start.wrapping_byte_offset(bytes), self.shape()) }
            }
            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            unsafe fn gather(&self, from: &Step) -> [T; L] {
                let first = self.start;
                // SAFETY: the caller's.
                unsafe {
                    if from.is_pack {
                        return $load(first);
                    }
                    core::array::from_fn(|lane| {
                        let at = first.wrapping_byte_offset(lane as isize * from.step);
                        if lane < from.count { $load_one(at) } else { T::default() }
                    })
                }
            }
            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            unsafe fn scatter(&self, to: &Step, pack: [T; L]) {
                if !$writes {
                    return;
                }
                let first = self.start;
                // SAFETY: the caller's.
                unsafe {
                    if to.is_pack {
                        return super::target::store(first, pack);
                    }
                    for (lane, one) in pack.into_iter().enumerate() {
                        if lane < to.count {
                            first.wrapping_byte_offset(lane as isize * to.step).write(one);
                        }
                    }
                }
            }
        }
    };
}

views!(In, 'p T, |element| *element, load_constant, load_one, false);
views!(Mut, 'p &'p mut T, |element| element, load_written, load_one, true);
views!(Out, 'p &'p mut T, |element| element, no_elements, no_element, true);

#[inline(always)]
pub(super) unsafe fn load_one<T: Element>(from: *const T) -> T {
    // SAFETY: the caller's.
    unsafe { *T::borrow(from) }
}

#[inline(always)]
unsafe fn no_elements<T: Element, const L: usize>(_from: *const T) -> [T; L] {
    [T::default(); L]
}

#[inline(always)]
unsafe fn no_element<T: Element>(_from: *const T) -> T {
    T::default()
}

/// How the elements of arrays of one length split into single elements, packs, and single elements
/// again. Where the arrays sit differently to the multiples of a pack there are no packs.
#[derive(Clone, Copy)]
pub struct Split {
    /// Elements of a pack.
    pub lanes: usize,
    /// Elements before the first pack.
    pub head: usize,
    /// Elements in all.
    pub len: usize,
    empty: bool,
}

impl Split {
    #[inline(always)]
    #[must_use]
    pub fn of(lanes: usize) -> Self {
        Self {
            lanes,
            head: 0,
            len: 0,
            empty: true,
        }
    }

    /// With an array; stops the kernel where it is not as long as those before.
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn with(self, len: usize, address: usize, size: usize) -> Self {
        if !self.empty {
            panic::check_lengths(self.len, len);
        }
        // Elements up to the next multiple of a pack.
        let before = (address.wrapping_neg() % (size * self.lanes) / size).min(len);
        let fits = address.is_multiple_of(size) && (self.empty || self.head == before);
        Self {
            head: if fits { before } else { len },
            len,
            empty: false,
            ..self
        }
    }

    #[inline(always)]
    #[must_use]
    pub fn packs(&self) -> usize {
        (self.len - self.head) / self.lanes
    }

    /// Index of the first element of a pack.
    #[inline(always)]
    #[must_use]
    pub fn pack(&self, index: usize) -> usize {
        self.head + index * self.lanes
    }
}
