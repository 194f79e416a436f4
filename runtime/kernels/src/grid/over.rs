//! The threads of a pass of whole blocks, `block over x { … }`.

use super::{Element, Grid, Readable, View, pack, panic};

/// The threads of all blocks. What is called outside of the functions that they are given, all of them do.
pub struct Over(pub(super) Grid);

impl Over {
    /// # Safety
    /// Once a pass, and all threads.
    #[inline(always)]
    #[must_use]
    pub unsafe fn new(grid: Grid) -> Self {
        Self(grid)
    }

    /// Calls `f` with every element of an array, or with the index and the elements of several, `(i, x, w)`, each on one
    /// thread of all blocks.
    #[inline(always)]
    #[track_caller]
    pub fn each_of<X: Elements>(&self, x: X, f: impl Fn(X::Item) + Sync) {
        self.0.each_of(x, f);
    }

    /// Calls `f` with each number below `count`, each on one thread of all blocks.
    #[inline(always)]
    pub fn each_index(&self, count: usize, f: impl Fn(usize) + Sync) {
        self.0.each_index(count, f);
    }

    /// Waits for all threads of the block. None of them can be in a function of those above.
    #[inline(always)]
    pub fn wait(&mut self) {
        self.0.wait();
    }
}

/// An array, or several of one length, whose elements threads share.
pub trait Elements: Copy {
    type Item;

    /// How many; stops the kernel where arrays differ in that.
    fn count(&self) -> usize;

    /// # Safety
    /// There must be so many.
    unsafe fn get_unchecked(&self, at: usize) -> Self::Item;
}

impl<T: Element, const R: usize, M: Readable> Elements for View<'_, T, R, M> {
    type Item = T;

    #[inline(always)]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    unsafe fn get_unchecked(&self, at: usize) -> T {
        // SAFETY: the caller's.
        unsafe { pack::load_one(self.start.add(at)) }
    }
}

macro_rules! several {
    ($($first:ident $($more:ident $at:tt),+;)*) => {
        $(
            impl<$first: Elements, $($more: Elements),+> Elements for ($first, $($more),+) {
                type Item = (usize, $first::Item, $($more::Item),+);

                #[inline(always)]
                #[track_caller]
                fn count(&self) -> usize {
                    $(panic::check_lengths(self.0.count(), self.$at.count());)+
                    self.0.count()
                }

                #[inline(always)]
                unsafe fn get_unchecked(&self, at: usize) -> Self::Item {
                    // SAFETY: the caller's.
                    unsafe { (at, self.0.get_unchecked(at), $(self.$at.get_unchecked(at)),+) }
                }
            }
        )*
    };
}

several! {
    A B 1;
    A B 1, C 2;
    A B 1, C 2, D 3;
}
