//! A row as the threads of a block share it: packs of neighbours, few enough for registers where the row is short enough.
//!
//! A body reads its row again for each step. Compilers load it once if all steps read at the same addresses, in code without loops,
//! and if nothing between them may write there: so a thread's packs are written out, and what threads tell each other, and what
//! is written, is no memory to the compiler.

use core::hint::assert_unchecked;

use crate::grid::rows::{IN_TURN, SHORT, SINGLES};
use crate::grid::writes::Places;
use crate::grid::{Element, ptx};

/// Calls `f` with each number below the count, a constant: compilers do not write out loops of so much.
macro_rules! each_below {
    ($count:expr, $f:expr) => { each_below!($count, $f, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    ($count:expr, $f:expr, $($literal:literal)*) => {
        $(if $literal < $count {
            $f($literal);
        })*
    };
}

/// True if a part of a warp shares a row of this kind.
pub const fn is_short(kind: usize) -> bool {
    kind > SHORT && kind <= SINGLES
}

/// The same without [`IN_TURN`], and whether a thread is done with a pack before it begins with the next one.
pub const fn kind_and_turn(kind: usize) -> (usize, bool) {
    (kind % IN_TURN, kind >= IN_TURN)
}

/// `N` neighbouring elements, which a thread loads and stores together. If the row has none there, its last ones.
#[derive(Clone, Copy)]
pub struct Pack<const N: usize> {
    first: usize,
    is_there: bool,
    in_turn: bool,
}

impl<const N: usize> Pack<N> {
    /// The pack of this number, of a row that consists of packs.
    #[inline(always)]
    pub fn of(number: usize, end: usize, in_turn: bool) -> Self {
        let first = number * N;
        Self {
            first: first.min(end - N),
            is_there: first < end,
            in_turn,
        }
    }

    /// The element of this number, one of those behind the first.
    #[inline(always)]
    pub fn single(number: usize, first: usize, in_turn: bool) -> Self {
        Self {
            first: number,
            is_there: number >= first,
            in_turn,
        }
    }

    /// The place of a lane; the row has so many.
    #[inline(always)]
    fn place(&self, lane: usize, end: usize) -> usize {
        let place = self.first + lane;
        // SAFETY: the pack is in the row.
        unsafe { assert_unchecked(place < end) };
        place
    }

    /// The value with what `add` makes of the places, if they are there.
    #[inline(always)]
    pub fn fold<A: Copy>(&self, value: A, end: usize, add: impl Fn(A, usize) -> A) -> A {
        let mut total = value;
        each_below!(N, |lane| {
            total = add(total, self.place(lane, end));
        });
        if self.is_there { total } else { value }
    }

    /// Returns, for each place, the total merged with the values up to it; then merges the values of all threads into the total.
    #[inline(always)]
    pub fn scan<T: Element>(
        &self,
        end: usize,
        total: &mut T,
        start: T,
        value: impl Fn(usize) -> T,
        merge: impl Fn(T, T) -> T,
        among_threads: impl Fn(T) -> (T, T),
    ) -> [T; N] {
        let (mut upto, mut mine) = ([start; N], start);
        each_below!(N, |lane: usize| {
            mine = merge(mine, value(self.place(lane, end)));
            upto[lane] = mine;
        });
        let (before, all) = among_threads(if self.is_there { mine } else { start });
        let before = merge(*total, before);
        *total = merge(*total, all);
        each_below!(N, |lane: usize| upto[lane] = merge(before, upto[lane]));
        upto
    }

    /// # Safety
    /// No other thread has these elements.
    #[inline(always)]
    pub unsafe fn store<T: Element>(&self, values: [T; N], element: impl Fn(usize) -> *mut T) {
        if self.is_there {
            // SAFETY: the caller's.
            unsafe { ptx::store_apart(true, element(self.first), values) };
        }
    }
}

impl<const N: usize> Places for Pack<N> {
    type Of<T: Element> = [T; N];

    #[inline(always)]
    fn are_in(&self, _end: usize) -> bool {
        self.is_there || !self.in_turn
    }

    #[inline(always)]
    fn values<T: Element>(&self, end: usize, value: impl Fn(usize) -> T) -> [T; N] {
        let mut values = Self::no_values();
        each_below!(N, |lane: usize| {
            values[lane] = value(self.place(lane, end));
        });
        values
    }

    #[inline(always)]
    fn no_values<T: Element>() -> [T; N] {
        [T::default(); N]
    }

    #[inline(always)]
    unsafe fn write<T: Element>(&self, values: [T; N], element: impl Fn(usize) -> *mut T) {
        // SAFETY: the caller's.
        unsafe { ptx::store_apart(self.is_there, element(self.first), values) };
    }
}

/// Runs the code with each pack of this thread of the numbers below an end, if they are a row's: all that it may have one after the
/// other, if they are kept.
macro_rules! each_pack {
    ($block:expr, $end:expr, $kind:expr, |$pack:ident| $do:expr, $otherwise:expr) => {
        let (thread, threads) = ($block.thread(), $block.threads());
        let (kind, in_turn) = kind_and_turn($kind);
        if kind == SINGLE || $end != $block.row {
            $otherwise
        } else if kind > SINGLES {
            // Elements of a warp follow one another. The last warp has some that are the warp's before, so that all places are one
            // address and constants.
            let kept = kept(kind);
            let first = thread / 32 * (kept * 32);
            let base = first.min($end - kept * 32) + thread % 32;
            each_below!(kept, |k: usize| {
                let $pack = Pack::<N>::single(base + k * 32, first, in_turn);
                $do
            });
        } else if kind > MOST_AT_A_TIME {
            // Likewise the packs of a warp, or of a part of one.
            let kept = kept(kind);
            let apart = if is_short(kind) { threads } else { 32 };
            let first = thread / 32 * (kept * 32) + thread % 32;
            each_below!(kept, |k: usize| {
                let $pack = Pack::<N>::of(first + k * apart, $end, in_turn);
                $do
            });
        } else {
            // All threads as often, for they may wait for each other.
            let mut first = 0;
            while first * N < $end {
                each_below!(kind, |k: usize| {
                    let $pack = Pack::<N>::of(first + k * threads + thread, $end, in_turn);
                    $do
                });
                first += kind * threads;
            }
        }
    };
}

pub(super) use {each_below, each_pack};
