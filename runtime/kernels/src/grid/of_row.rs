//! Functions and scans that a pass writes to a row: `move |j| …`, `y.write(move |j, y| …)`.

use core::marker::PhantomData;
use core::ops::{Deref, Index};

use super::team::Share;
use super::view::Assigned;
use super::{Element, Layout, Mut, Out, Shuffle, View};

/// A row that a pass writes. If its array has values, these are its previous elements, which cannot be used where it is written:
/// other threads have written some of them by then.
pub struct Row<'r, T, M, L: Layout, B> {
    elements: View<'r, T, 1, M, L>,
    before: PhantomData<fn(B)>,
}

impl<T, M, L: Layout, B> Clone for Row<'_, T, M, L, B> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, M, L: Layout, B> Copy for Row<'_, T, M, L, B> {}

impl<'r, T, L: Layout, B> Deref for Row<'r, T, Mut, L, B> {
    type Target = View<'r, T, 1, Mut, L>;

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.elements
    }
}

impl<T, L: Layout, B, I: Assigned> Index<I> for Row<'_, T, Out, L, B> {
    type Output = I::Element;
    fn index(&self, _: I) -> &I::Element {
        unreachable!()
    }
}

impl<'r, T, M, L: Layout, B> Row<'r, T, M, L, B> {
    #[inline(always)]
    pub(super) fn new(elements: View<'r, T, 1, M, L>) -> Self {
        Self {
            elements,
            before: PhantomData,
        }
    }

    /// In the place of a function of the last index: one of this index and of the previous elements there.
    #[inline(always)]
    pub fn write<F: Fn(usize, B) -> T + Sync>(self, f: F) -> Write<F> {
        Write(f)
    }
}

impl<T, L: Layout, B> Row<'_, T, Mut, L, B> {
    /// Scan of what a function makes of a place and its previous element.
    #[inline(always)]
    pub fn scan<F: Fn(usize, B) -> T + Sync, G: Fn(T, T) -> T + Sync>(
        self,
        start: T,
        value: F,
        merge: G,
    ) -> Scan<T, Write<F>, G>
    where
        B: Alone<T>,
    {
        Scan {
            start,
            value: Write(value),
            merge,
        }
    }
}

/// Elements of the only row that a pass writes.
#[diagnostic::on_unimplemented(
    message = "a row that is a scan of its previous elements is all that a pass writes"
)]
pub trait Alone<T> {}

impl<T: Element> Alone<T> for T {}

/// A function of a place, and of the previous elements there.
#[derive(Clone, Copy)]
pub struct Write<F>(F);

/// Scan of a row's elements: in the place of a function of the last index.
#[derive(Clone, Copy)]
pub struct Scan<A, F, G> {
    pub(super) start: A,
    pub(super) value: F,
    pub(super) merge: G,
}

/// A function of a place, or a scan: it is written to a row, where there were such elements.
#[diagnostic::on_unimplemented(
    message = "a pass that writes rows ends with a function for each `y[i, ..]`, `move |j| …`, and a value for each `m[i]`",
    label = "a row has one index fewer than its array, an element has as many"
)]
pub trait OfRow<T, B>: Sync {
    /// True if it is of those, too: what a pass writes to a place is found out before any of it is written.
    const USES_BEFORE: bool = false;

    const SCANS: bool = false;

    /// The value at a place; of a scan, the value that is merged with those before.
    fn value(&self, place: usize, before: &impl Fn(usize) -> B) -> T;

    /// Writes a scan.
    ///
    /// # Safety
    /// There must be so many elements, which no other team has.
    unsafe fn scan(
        &self,
        _end: usize,
        _before: &impl Fn(usize) -> B,
        _team: &impl Share,
        _element: impl Fn(usize) -> *mut T,
    ) {
    }
}

impl<T, B, F: Fn(usize) -> T + Sync> OfRow<T, B> for F {
    #[inline(always)]
    fn value(&self, place: usize, _before: &impl Fn(usize) -> B) -> T {
        self(place)
    }
}

impl<T, B, F: Fn(usize, B) -> T + Sync> OfRow<T, B> for Write<F> {
    const USES_BEFORE: bool = true;

    #[inline(always)]
    fn value(&self, place: usize, before: &impl Fn(usize) -> B) -> T {
        self.0(place, before(place))
    }
}

impl<T: Element + Shuffle, B, V: OfRow<T, B>, G: Fn(T, T) -> T + Sync> OfRow<T, B>
    for Scan<T, V, G>
{
    const USES_BEFORE: bool = V::USES_BEFORE;
    const SCANS: bool = true;

    #[inline(always)]
    fn value(&self, place: usize, before: &impl Fn(usize) -> B) -> T {
        self.value.value(place, before)
    }

    #[inline(always)]
    unsafe fn scan(
        &self,
        end: usize,
        before: &impl Fn(usize) -> B,
        team: &impl Share,
        element: impl Fn(usize) -> *mut T,
    ) {
        let value = |place| self.value(place, before);
        // SAFETY: the caller's.
        unsafe { team.scan_numbers(end, self.start, value, &self.merge, element) };
    }
}
