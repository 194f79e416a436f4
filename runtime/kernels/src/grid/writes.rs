//! Writes of a warp or a block to several arrays: `each (y[row, ..], mean[row]) by block { … }`.

use super::team::Share;
use super::view::Before;
use super::{Count, Element, Layout, OfRow, Row, Target, Unwritten, panic};

/// An array of which a row is written, `y[row, ..]`: what a function makes of the places in it.
#[derive(Clone, Copy)]
pub struct Whole<A>(pub A);

/// An array of which an element is written, `mean[row]`.
#[derive(Clone, Copy)]
pub struct Single<A>(pub A);

/// Places of a row that a thread writes together.
pub trait Places {
    /// A value for each of them.
    type Of<T: Element>: Copy;

    /// True if it may write some of them to a row of this length.
    fn are_in(&self, end: usize) -> bool;

    /// The values of the places of a row of this length.
    fn values<T: Element>(&self, end: usize, value: impl Fn(usize) -> T) -> Self::Of<T>;

    fn no_values<T: Element>() -> Self::Of<T>;

    /// Writes the values of those places that are in the row.
    ///
    /// # Safety
    /// There must be such elements, which no other thread has.
    unsafe fn write<T: Element>(&self, values: Self::Of<T>, element: impl Fn(usize) -> *mut T);
}

impl Places for usize {
    type Of<T: Element> = T;

    #[inline(always)]
    fn are_in(&self, end: usize) -> bool {
        *self < end
    }

    #[inline(always)]
    fn values<T: Element>(&self, _end: usize, value: impl Fn(usize) -> T) -> T {
        value(*self)
    }

    #[inline(always)]
    fn no_values<T: Element>() -> T {
        T::default()
    }

    #[inline(always)]
    unsafe fn write<T: Element>(&self, value: T, element: impl Fn(usize) -> *mut T) {
        // SAFETY: the caller's.
        unsafe { element(*self).write(value) };
    }
}

/// Arrays of which a pass writes rows or elements.
pub trait RowsOf: Copy {
    /// The previous elements at a place of the rows.
    type Before: Copy;

    /// The rows as the body has them, `B` being the previous elements of all that the pass writes.
    type Rows<'r, B>;

    /// How many elements their longest row has; none if there are no rows.
    fn places(&self) -> Option<usize>;
}

impl<T: Element, const R: usize, M: Copy, L: Layout> RowsOf for Single<Target<'_, T, R, M, L>> {
    type Before = Unwritten;
    type Rows<'r, B> = Unwritten;

    #[inline(always)]
    fn places(&self) -> Option<usize> {
        None
    }
}

impl<T: Element, const R: usize, M: Copy + Before<T>, L: Layout> RowsOf
    for Whole<Target<'_, T, R, M, L>>
{
    type Before = M::Before;
    type Rows<'r, B> = Row<'r, T, M, L, B>;

    #[inline(always)]
    fn places(&self) -> Option<usize> {
        Some(self.0.0.row())
    }
}

/// Function or value that is written at `R` indices, where there were such elements.
#[diagnostic::on_unimplemented(
    message = "a pass that writes rows ends with a function for each `y[i, ..]`, `move |j| …`, and a value for each `m[i]`",
    label = "a row has one index fewer than its array, an element has as many"
)]
pub trait AtIndices<const R: usize, V, B>: RowsOf {
    /// How many there are of each index.
    fn extents(&self) -> [usize; R];

    /// # Safety
    /// There must be such indices, `at` is their number in the order of C, and nobody writes there meanwhile.
    unsafe fn rows<'r>(&self, index: [usize; R], at: usize) -> Self::Rows<'r, B>;

    /// The previous elements at a place; anything where a row is shorter.
    ///
    /// # Safety
    /// As for [`rows`](Self::rows).
    unsafe fn before(&self, index: [usize; R], at: usize, place: usize) -> Self::Before;

    /// # Safety
    /// There must be such indices, `at` is their number in the order of C, and no other team has them.
    unsafe fn write(
        &self,
        index: [usize; R],
        at: usize,
        value: V,
        before: &impl Fn(usize) -> B,
        team: &impl Share,
    );

    /// True if any places of a row can be written without the others.
    const BY_PLACES: bool = false;

    /// As in [`OfRow`], of any of them.
    const USES_BEFORE: bool = false;

    /// Values of places of a row.
    type Values<P: Places>: Copy;

    fn values<P: Places>(
        &self,
        value: &V,
        before: &impl Fn(usize) -> B,
        places: &P,
    ) -> Self::Values<P>;

    /// Writes values of places of a row.
    ///
    /// # Safety
    /// As for [`write`](Self::write); no other thread has the places.
    unsafe fn write_values<P: Places>(
        &self,
        index: [usize; R],
        at: usize,
        values: Self::Values<P>,
        places: &P,
    );

    /// Writes places of a row.
    ///
    /// # Safety
    /// As for [`write_values`](Self::write_values).
    #[inline(always)]
    unsafe fn write_places(
        &self,
        index: [usize; R],
        at: usize,
        value: &V,
        before: &impl Fn(usize) -> B,
        places: &impl Places,
    ) {
        let values = self.values(value, before, places);
        // SAFETY: the caller's.
        unsafe { self.write_values(index, at, values, places) };
    }
}

impl<T: Element, const R: usize, M: Copy, L: Layout, B> AtIndices<R, T, B>
    for Single<Target<'_, T, R, M, L>>
{
    #[inline(always)]
    fn extents(&self) -> [usize; R] {
        self.0.0.shape()
    }

    #[inline(always)]
    unsafe fn rows<'r>(&self, _: [usize; R], _at: usize) -> Self::Rows<'r, B> {
        Unwritten
    }

    #[inline(always)]
    unsafe fn before(&self, _: [usize; R], _at: usize, _place: usize) -> Unwritten {
        Unwritten
    }

    #[inline(always)]
    unsafe fn write(
        &self,
        index: [usize; R],
        at: usize,
        value: T,
        _before: &impl Fn(usize) -> B,
        team: &impl Share,
    ) {
        if team.thread() == 0 {
            // SAFETY: the caller's.
            unsafe { self.0.0.at(index, at).write(value) };
        }
    }

    type Values<P: Places> = ();

    #[inline(always)]
    fn values<P: Places>(&self, _value: &T, _before: &impl Fn(usize) -> B, _places: &P) {}

    #[inline(always)]
    unsafe fn write_values<P: Places>(&self, _: [usize; R], _at: usize, _: (), _places: &P) {}
}

macro_rules! whole {
    ($($rank:literal of $row:literal: $index:tt $($of:ident $axis:literal)*;)*) => {
        $(
            impl<T, M, L: Layout> Whole<Target<'_, T, $row, M, L>> {
                /// Where a place of the row of an index is, whose number is `at` in the order of C.
                #[inline(always)]
                fn element(&self, $index: [usize; $rank], at: usize, place: usize) -> *mut T {
                    self.0.0.at([$($of,)* place], at * self.0.0.shape()[$rank] + place)
                }
            }

            impl<T: Element, M: Copy + Before<T>, L: Layout, B, V: OfRow<T, B>> AtIndices<$rank, V, B>
                for Whole<Target<'_, T, $row, M, L>>
            {
                #[inline(always)]
                fn extents(&self) -> [usize; $rank] {
                    [$(self.0.0.shape()[$axis]),*]
                }

                #[inline(always)]
                unsafe fn rows<'r>(&self, index: [usize; $rank], at: usize) -> Self::Rows<'r, B> {
                    // SAFETY: the caller's.
                    unsafe { Row::new(self.0.0.row_from(self.element(index, at, 0))) }
                }

                #[inline(always)]
                unsafe fn before(&self, index: [usize; $rank], at: usize, place: usize) -> M::Before {
                    if place >= self.0.0.shape()[$rank] {
                        return M::Before::default();
                    }
                    // SAFETY: the caller's.
                    unsafe { M::before(self.element(index, at, place)) }
                }

                #[inline(always)]
                unsafe fn write(
                    &self, index: [usize; $rank], at: usize, value: V, before: &impl Fn(usize) -> B, team: &impl Share
                ) {
                    let len = self.0.0.shape()[$rank];
                    // SAFETY, of both: the caller's.
                    if V::SCANS {
                        unsafe { value.scan(len, before, team, |place| self.element(index, at, place)) };
                    } else {
                        unsafe { team.write(self, len, index, at, &value, before) };
                    }
                }

                const BY_PLACES: bool = !V::SCANS;
                const USES_BEFORE: bool = V::USES_BEFORE;

                type Values<P: Places> = P::Of<T>;

                #[inline(always)]
                fn values<P: Places>(&self, value: &V, before: &impl Fn(usize) -> B, places: &P) -> P::Of<T> {
                    let len = self.0.0.shape()[$rank];
                    if V::SCANS || !places.are_in(len) {
                        return P::no_values();
                    }
                    places.values(len, |place| value.value(place, before))
                }

                #[inline(always)]
                unsafe fn write_values<P: Places>(
                    &self, index: [usize; $rank], at: usize, values: P::Of<T>, places: &P
                ) {
                    if !V::SCANS && places.are_in(self.0.0.shape()[$rank]) {
                        // SAFETY: the caller's.
                        unsafe { places.write(values, |place| self.element(index, at, place)) };
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
            impl<$first: RowsOf, $($more: RowsOf),*> RowsOf for ($first, $($more),*) {
                type Before = ($first::Before, $($more::Before),*);
                type Rows<'r, B> = ($first::Rows<'r, B>, $($more::Rows<'r, B>),*);

                #[inline(always)]
                fn places(&self) -> Option<usize> {
                    self.0.places()$(.max(self.$at.places()))*
                }
            }

            impl<const R: usize, B, $one, $($value,)* $first: AtIndices<R, $one, B>, $($more: AtIndices<R, $value, B>),*>
                AtIndices<R, ($one, $($value),*), B> for ($first, $($more),*)
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
                unsafe fn rows<'r>(&self, index: [usize; R], at: usize) -> Self::Rows<'r, B> {
                    // SAFETY: the caller's.
                    unsafe { (self.0.rows(index, at), $(self.$at.rows(index, at)),*) }
                }

                #[inline(always)]
                unsafe fn before(&self, index: [usize; R], at: usize, place: usize) -> Self::Before {
                    // SAFETY: the caller's.
                    unsafe { (self.0.before(index, at, place), $(self.$at.before(index, at, place)),*) }
                }

                #[inline(always)]
                unsafe fn write(
                    &self,
                    index: [usize; R],
                    at: usize,
                    values: ($one, $($value),*),
                    before: &impl Fn(usize) -> B,
                    team: &impl Share,
                ) {
                    // A thread of the GPU writes its places of all rows, which are made of the same elements. Vectors of the CPU
                    // are made of the places of one.
                    let is_joint = cfg!(target_arch = "nvptx64") || Self::USES_BEFORE;
                    if is_joint {
                        // SAFETY: the caller's.
                        unsafe { team.write(self, self.places().unwrap_or(0), index, at, &values, before) };
                    }
                    if !(is_joint && $first::BY_PLACES) {
                        // SAFETY: the caller's.
                        unsafe { self.0.write(index, at, values.0, before, team) };
                    }
                    $(if !(is_joint && $more::BY_PLACES) {
                        // SAFETY: the caller's.
                        unsafe { self.$at.write(index, at, values.$at, before, team) };
                    })*
                }

                const USES_BEFORE: bool = $first::USES_BEFORE $(|| $more::USES_BEFORE)*;

                type Values<P: Places> = ($first::Values<P>, $($more::Values<P>),*);

                #[inline(always)]
                fn values<P: Places>(
                    &self,
                    value: &($one, $($value),*),
                    before: &impl Fn(usize) -> B,
                    places: &P,
                ) -> Self::Values<P> {
                    (self.0.values(&value.0, before, places), $(self.$at.values(&value.$at, before, places)),*)
                }

                #[inline(always)]
                unsafe fn write_values<P: Places>(
                    &self,
                    index: [usize; R],
                    at: usize,
                    values: Self::Values<P>,
                    places: &P,
                ) {
                    // SAFETY: the caller's.
                    unsafe {
                        self.0.write_values(index, at, values.0, places);
                        $(self.$at.write_values(index, at, values.$at, places);)*
                    }
                }

                #[inline(always)]
                unsafe fn write_places(
                    &self,
                    index: [usize; R],
                    at: usize,
                    value: &($one, $($value),*),
                    before: &impl Fn(usize) -> B,
                    places: &impl Places,
                ) {
                    if Self::USES_BEFORE {
                        let values = self.values(value, before, places);
                        // SAFETY: the caller's.
                        return unsafe { self.write_values(index, at, values, places) };
                    }
                    // SAFETY: the caller's.
                    unsafe {
                        self.0.write_places(index, at, &value.0, before, places);
                        $(self.$at.write_places(index, at, &value.$at, before, places);)*
                    }
                }
            }
        )*
    };
}

several! {
    A U, H V 1;
    A U, H V 1, C W 2;
    A U, H V 1, C W 2, D X 3;
    A U, H V 1, C W 2, D X 3, E Y 4;
    A U, H V 1, C W 2, D X 3, E Y 4, F Z 5;
}
