//! Writes of a warp or a block to several arrays: `each (y[row, ..], mean[row]) by block { … }`.

use super::team::Share;
use super::{BLOCK, Count, Element, Layout, Shuffle, Target, View, lanes, panic};

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

/// Places of a row that a thread writes together.
pub trait Places {
    /// Writes the values of those places that are below the end.
    ///
    /// # Safety
    /// There must be such elements, which no other thread has.
    unsafe fn write<T: Element>(
        &self,
        end: usize,
        value: impl Fn(usize) -> T,
        element: impl Fn(usize) -> *mut T,
    );
}

impl Places for usize {
    #[inline(always)]
    unsafe fn write<T: Element>(
        &self,
        end: usize,
        value: impl Fn(usize) -> T,
        element: impl Fn(usize) -> *mut T,
    ) {
        if *self < end {
            // SAFETY: the caller's.
            unsafe { element(*self).write(value(*self)) };
        }
    }
}

/// Threads of a block that shares a row at most: each may use 128 registers.
pub const THREADS_OF_ROW: usize = 512;

/// How a block goes through rows: an element after the other, or in packs, one or two of each thread at a time. A larger number says
/// how many packs more than that a thread may have, all of which registers keep.
pub const SINGLE: usize = 0;
pub const PAIRS: usize = 2;

/// The kind of rows of which a thread has one pack at most.
pub const AT_ONCE: usize = PAIRS + 1;

/// How the blocks of a launch load rows.
pub enum Loaded {
    Singly,
    InPacks,
    Once,
    AtOnce,
}

/// Packs that registers keep at most.
pub const MOST_KEPT: usize = 8;

/// A row as a thread of the GPU loads it.
#[derive(Clone, Copy)]
pub struct Packs {
    /// Elements of a pack.
    pub lanes: usize,
    /// Packs that it keeps.
    pub kept: usize,
    /// Packs that it works on at a time where it keeps none: the kind of such rows.
    pub at_a_time: usize,
}

impl Packs {
    /// Chooses for arrays whose elements have these sizes in bytes. Few arrays need few registers of many threads; more arrays would leave none
    /// to other blocks, so fewer threads keep more each.
    #[must_use]
    pub const fn of(sizes: &[usize]) -> Self {
        let (mut arrays, mut index) = (0, 0);
        while index < sizes.len() {
            arrays += (sizes[index] > 1) as usize;
            index += 1;
        }
        let at_a_time = if arrays <= 2 { 1 } else { PAIRS };
        Self::kept_in_registers(
            lanes(sizes),
            if arrays <= 4 { 4 } else { MOST_KEPT },
            at_a_time,
        )
    }

    /// Keeps so many packs, or as many as have 32 elements.
    const fn kept_in_registers(lanes: usize, most: usize, at_a_time: usize) -> Self {
        Self {
            lanes,
            kept: if most * lanes > 32 { 32 / lanes } else { most },
            at_a_time,
        }
    }

    /// The same for passes that write an element for each row: what they read takes few registers, and fewer threads make less of one sum.
    #[must_use]
    pub const fn read(self) -> Self {
        Self::kept_in_registers(self.lanes, MOST_KEPT, PAIRS)
    }

    /// The kind of rows that are kept.
    #[must_use]
    pub const fn all_kept(self) -> usize {
        PAIRS + self.kept
    }

    /// Threads that share a row of the GPU, and rows of a block. Threads are as few as keep the row in registers, or more where rows
    /// are few; blocks have several rows if a warp loads one at once. Where rows have no length, they are as always.
    #[must_use]
    pub fn threads(self, row: usize, rows: usize) -> [usize; 2] {
        const ENOUGH: usize = 1 << 17; // for any GPU
        if row == 0 {
            return [BLOCK as usize, 1];
        }
        let most = if self.kept <= 4 {
            THREADS_OF_ROW
        } else {
            THREADS_OF_ROW / 2
        };
        let packs = row.div_ceil(self.lanes);
        let mut threads = 32;
        while threads < most
            && (threads * self.kept < packs
                || (threads < packs && rows.saturating_mul(threads) < ENOUGH))
        {
            threads *= 2;
        }
        let fit = packs.div_ceil(32 * self.kept) * 32;
        if threads / 2 < fit {
            threads = threads.min(fit);
        }
        let together = if packs <= 32 {
            BLOCK as usize / threads
        } else {
            1
        };
        [threads, together]
    }
}

/// Arrays of which a pass writes rows or elements.
pub trait RowsOf {
    /// How many elements their longest row has; none if there are no rows.
    fn places(&self) -> Option<usize>;

    /// Checks whether rows are of this length and consist of packs of so many elements, if the arrays begin with one.
    fn are_packed(&self, row: usize, lanes: usize) -> bool;
}

/// Rows of this length, which a pass reads to write elements.
pub struct Read(pub usize);

impl RowsOf for Read {
    #[inline(always)]
    fn places(&self) -> Option<usize> {
        Some(self.0)
    }

    #[inline(always)]
    fn are_packed(&self, row: usize, lanes: usize) -> bool {
        row.is_multiple_of(lanes)
    }
}

impl<T, const R: usize, M, L: Layout> RowsOf for Single<Target<'_, T, R, M, L>> {
    #[inline(always)]
    fn places(&self) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn are_packed(&self, _row: usize, _lanes: usize) -> bool {
        true
    }
}

impl<T, const R: usize, M, L: Layout> RowsOf for Whole<Target<'_, T, R, M, L>> {
    #[inline(always)]
    fn places(&self) -> Option<usize> {
        Some(self.0.0.row())
    }

    #[inline(always)]
    fn are_packed(&self, row: usize, lanes: usize) -> bool {
        L::IS_CONTIGUOUS && self.places() == Some(row) && row.is_multiple_of(lanes)
    }
}

/// Function or value that is written at `R` indices.
#[diagnostic::on_unimplemented(
    message = "a pass that writes rows ends with a function for each `y[i, ..]`, `move |j| …`, and a value for each `m[i]`",
    label = "a row has one index fewer than its array, an element has as many"
)]
pub trait AtIndices<const R: usize, V>: Copy + RowsOf {
    /// How many there are of each index.
    fn extents(&self) -> [usize; R];

    /// # Safety
    /// There must be such indices, `at` is their number in the order of C, and no other team has them.
    unsafe fn write(&self, index: [usize; R], at: usize, value: V, team: &impl Share);

    /// True if any places of a row can be written without the others.
    const BY_PLACES: bool = false;

    /// Writes places of a row.
    ///
    /// # Safety
    /// As for [`write`](Self::write); no other thread has the places.
    #[inline(always)]
    unsafe fn write_places(
        &self,
        _index: [usize; R],
        _at: usize,
        _value: &V,
        _places: &impl Places,
    ) {
    }
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
                    // SAFETY: the caller's.
                    unsafe { team.write(self, self.0.0.shape()[$rank], index, at, &value) };
                }

                const BY_PLACES: bool = true;

                #[inline(always)]
                unsafe fn write_places(&self, $index: [usize; $rank], at: usize, value: &F, places: &impl Places) {
                    let len = self.0.0.shape()[$rank];
                    // SAFETY: the caller's.
                    unsafe { places.write(len, value, |place| self.0.0.at([$($of,)* place], at * len + place)) };
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
                    // SAFETY: in the row, which no other team has.
                    unsafe {
                        team.scan_numbers(len, start, value, merge, |place| {
                            self.0.0.at([$($of,)* place], at * len + place)
                        });
                    }
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
                    const ON_GPU: bool = cfg!(target_arch = "nvptx64");
                    if ON_GPU {
                        // SAFETY: the caller's.
                        unsafe { team.write(self, self.places().unwrap_or(0), index, at, &values) };
                    }
                    if !(ON_GPU && $first::BY_PLACES) {
                        // SAFETY: the caller's.
                        unsafe { self.0.write(index, at, values.0, team) };
                    }
                    $(if !(ON_GPU && $more::BY_PLACES) {
                        // SAFETY: the caller's.
                        unsafe { self.$at.write(index, at, values.$at, team) };
                    })*
                }

                #[inline(always)]
                unsafe fn write_places(
                    &self,
                    index: [usize; R],
                    at: usize,
                    values: &($one, $($value),*),
                    places: &impl Places,
                ) {
                    // SAFETY: the caller's.
                    unsafe {
                        self.0.write_places(index, at, &values.0, places);
                        $(self.$at.write_places(index, at, &values.$at, places);)*
                    }
                }
            }

            impl<$first: RowsOf, $($more: RowsOf),*> RowsOf for ($first, $($more),*) {
                #[inline(always)]
                fn places(&self) -> Option<usize> {
                    self.0.places()$(.max(self.$at.places()))*
                }

                #[inline(always)]
                fn are_packed(&self, row: usize, lanes: usize) -> bool {
                    self.0.are_packed(row, lanes) $(&& self.$at.are_packed(row, lanes))*
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
