//! Writes of a warp or a block to several arrays: `each (y[row, ..], mean[row]) by block { … }`.

use super::team::Share;
use super::{Element, Layout, Shuffle, Target, View, panic};

/// An array of which a row is written, `y[row, ..]`: what a function makes of the places in it.
#[derive(Clone, Copy)]
pub struct Whole<A>(pub A);

/// An array of which an element is written, `mean[row]`.
#[derive(Clone, Copy)]
pub struct Single<A>(pub A);

/// Scan of a row's elements: in the place of a function of the last index.
#[derive(Clone, Copy)]
pub struct Scan<A, F, G> {
    pub(super) start: A,
    pub(super) value: F,
    pub(super) merge: G,
}

/// How many rows an array has.
pub fn rows<T, const R: usize, M, L: Layout>(y: &View<'_, T, R, M, L>) -> usize {
    y.shape().iter().take(R - 1).product()
}

/// Function or value that is written at `R` indices.
#[diagnostic::on_unimplemented(
    message = "a pass that writes rows ends with a function for each `y[i, ..]`, `move |j| …`, and a value for each `m[i]`",
    label = "a row has one index fewer than its array, an element has as many"
)]
pub trait AtIndices<const R: usize, V>: Copy {
    /// How many there are of each index.
    fn extents(&self) -> [usize; R];

    /// # Safety
    /// There must be such indices, `at` is their number in the order of C, and no other team has them.
    unsafe fn write(&self, index: [usize; R], at: usize, value: V, team: &impl Share);

    /// How many elements of a row [`write_place`](Self::write_place) writes; none if it is written in another way.
    #[inline(always)]
    fn places(&self) -> Option<usize> {
        None
    }

    /// # Safety
    /// As for [`write`](Self::write); the place is one of [`places`](Self::places), and no other thread has it.
    #[inline(always)]
    unsafe fn write_place(&self, _index: [usize; R], _at: usize, _value: &V, _place: usize) {}
}

impl<T: Element, const R: usize, M: Copy, L: Layout> AtIndices<R, T>
    for Single<Target<'_, T, R, M, L>>
{
    #[inline(always)]
    fn extents(&self) -> [usize; R] {
        self.0.0.shape()
    }

    #[inline(always)]
    unsafe fn write(&self, index: [usize; R], at: usize, value: T, team: &impl Share) {
        if team.thread() == 0 {
            // SAFETY: the caller's.
            unsafe { self.0.0.at(index, at).write(value) };
        }
    }
}

macro_rules! whole {
    ($($rank:literal of $row:literal: $index:tt $($of:ident $axis:literal)*;)*) => {
        $(
            impl<T: Element, M: Copy, L: Layout, F: Fn(usize) -> T + Sync> AtIndices<$rank, F>
                for Whole<Target<'_, T, $row, M, L>>
            {
                #[inline(always)]
                fn extents(&self) -> [usize; $rank] {
                    [$(self.0.0.shape()[$axis]),*]
                }

                #[inline(always)]
                unsafe fn write(&self, index: [usize; $rank], at: usize, value: F, team: &impl Share) {
                    team.share(self.0.0.shape()[$rank], |place| {
                        // SAFETY: in the row, and no other thread has this place.
                        unsafe { self.write_place(index, at, &value, place) };
                    });
                }

                #[inline(always)]
                fn places(&self) -> Option<usize> {
                    Some(self.0.0.shape()[$rank])
                }

                #[inline(always)]
                unsafe fn write_place(&self, $index: [usize; $rank], at: usize, value: &F, place: usize) {
                    let element = self.0.0.at([$($of,)* place], at * self.0.0.shape()[$rank] + place);
                    // SAFETY: the caller's.
                    unsafe { element.write(value(place)) };
                }
            }

            impl<T: Element + Shuffle, M: Copy, L: Layout, F: Fn(usize) -> T + Sync, G: Fn(T, T) -> T + Sync>
                AtIndices<$rank, Scan<T, F, G>> for Whole<Target<'_, T, $row, M, L>>
            {
                #[inline(always)]
                fn extents(&self) -> [usize; $rank] {
                    [$(self.0.0.shape()[$axis]),*]
                }

                #[inline(always)]
                unsafe fn write(&self, $index: [usize; $rank], at: usize, scan: Scan<T, F, G>, team: &impl Share) {
                    let len = self.0.0.shape()[$rank];
                    let Scan { start, value, merge } = scan;
                    team.scan_numbers(len, start, value, merge, |place, upto| {
                        let element = self.0.0.at([$($of,)* place], at * len + place);
                        // SAFETY: in the row, and no other thread has this place.
                        unsafe { element.write(upto) };
                    });
                }
            }
        )*
    };
}

whole! {
    0 of 1: [];
    1 of 2: [i] i 0;
    2 of 3: [i, j] i 0 j 1;
    3 of 4: [i, j, k] i 0 j 1 k 2;
}

/// Several of them; the kernel stops where they have other extents.
macro_rules! several {
    ($($first:ident $one:ident $(, $more:ident $value:ident $at:tt)*;)*) => {
        $(
            impl<const R: usize, $one, $($value,)* $first: AtIndices<R, $one>, $($more: AtIndices<R, $value>),*>
                AtIndices<R, ($one, $($value),*)> for ($first, $($more),*)
            {
                #[inline(always)]
                #[allow(clippy::needless_range_loop)] // iterators over arrays are in memory, which on the GPU is far
                fn extents(&self) -> [usize; R] {
                    let extents = self.0.extents();
                    $(
                        let others = self.$at.extents();
                        for axis in 0..R {
                            panic::check_lengths(extents[axis], others[axis]);
                        }
                    )*
                    extents
                }

                #[inline(always)]
                unsafe fn write(
                    &self,
                    index: [usize; R],
                    at: usize,
                    values: ($one, $($value),*),
                    team: &impl Share,
                ) {
                    // A thread of the GPU writes its places of all rows, which are made of the same elements. Vectors of the CPU
                    // are made of the places of one.
                    if cfg!(target_arch = "nvptx64") {
                        let most = self.0.places()$(.max(self.$at.places()))*;
                        team.share(most.unwrap_or(0), |place| {
                            if Some(place) < self.0.places() {
                                // SAFETY: in the row, and no other thread has this place.
                                unsafe { self.0.write_place(index, at, &values.0, place) };
                            }
                            $(if Some(place) < self.$at.places() {
                                // SAFETY: in this array's row, and no other thread has this place.
                                unsafe { self.$at.write_place(index, at, &values.$at, place) };
                            })*
                        });
                    }
                    if !cfg!(target_arch = "nvptx64") || self.0.places().is_none() {
                        // SAFETY: the caller's.
                        unsafe { self.0.write(index, at, values.0, team) };
                    }
                    $(if !cfg!(target_arch = "nvptx64") || self.$at.places().is_none() {
                        // SAFETY: the caller's.
                        unsafe { self.$at.write(index, at, values.$at, team) };
                    })*
                }
            }
        )*
    };
}

several! {
    A U, B V 1;
    A U, B V 1, C W 2;
    A U, B V 1, C W 2, D X 3;
    A U, B V 1, C W 2, D X 3, E Y 4;
    A U, B V 1, C W 2, D X 3, E Y 4, F Z 5;
}
