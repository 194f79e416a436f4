//! Threads that work on one element together: `each y[i] by warp { … }`, and `by block`.

use core::hint::select_unpredictable;

use super::{AtIndices, Element, RowsOf, Scan, Shuffle, Total, fast};

/// A warp or a block of threads, which shares the numbers below `end`. Where `end` is 0, a
/// reduction's result is its start.
///
/// All threads get the result, so they go on together. A function that is given to them runs on one thread, and
/// cannot use the team again.
pub trait Team: Sized {
    /// Combines `start` and what `add` makes of it, of all threads. `start` changes nothing. A thread adds its numbers in order.
    #[doc(hidden)]
    fn fold<A: Shuffle>(
        &mut self,
        end: usize,
        start: A,
        add: impl Fn(A, usize) -> A + Sync,
        combine: impl Fn(A, A) -> A + Sync,
    ) -> A;

    /// Returns a scan, in the place of a function of the last index in a pass that writes a row: it
    /// merges `value` of the indices up to each. Combined with `start`, a value is as before.
    #[inline(always)]
    fn scan<A: Shuffle, F: Fn(usize) -> A + Sync, G: Fn(A, A) -> A + Sync>(
        &self,
        start: A,
        value: F,
        merge: G,
    ) -> Scan<A, F, G> {
        Scan {
            start,
            value,
            merge,
        }
    }

    /// Combines `f` of all numbers, in any order. Combined with `start`, a value is as before.
    #[inline(always)]
    fn reduce<A: Shuffle + Sync>(
        &mut self,
        end: usize,
        start: A,
        f: impl Fn(usize) -> A + Sync,
        combine: impl Fn(A, A) -> A + Sync,
    ) -> A {
        self.fold(
            end,
            start,
            |value, number| combine(value, f(number)),
            &combine,
        )
    }

    /// The sum of `f` over the numbers.
    #[inline(always)]
    fn sum_of<S: Total>(&mut self, end: usize, f: impl Fn(usize) -> S + Sync) -> S {
        self.fold(
            end,
            S::default(),
            |sum, number| sum + f(number),
            |a, b| a + b,
        )
    }

    /// The largest `f` of the numbers; one that is not a number is that.
    #[inline(always)]
    fn max_of<A: Bounded>(&mut self, end: usize, f: impl Fn(usize) -> A + Sync) -> A {
        self.reduce(end, A::LOWEST, f, A::larger)
    }

    /// The smallest `f` of the numbers; one that is not a number is that.
    #[inline(always)]
    fn min_of<A: Bounded>(&mut self, end: usize, f: impl Fn(usize) -> A + Sync) -> A {
        self.reduce(end, A::HIGHEST, f, A::smaller)
    }

    /// The largest `f` of the numbers, at least the lowest float, and the sum of e to the power of each minus it, read once: for
    /// softmax and its logarithm. Exponentials are `fast::exp`.
    #[inline(always)]
    fn exp_sum_of(&mut self, end: usize, f: impl Fn(usize) -> f32 + Sync) -> (f32, f32) {
        self.fold(
            end,
            (f32::MIN, 0.0),
            |(largest, sum): (f32, f32), number| {
                let value = f(number);
                let above = value - largest;
                let power = fast::exp(-above.abs()); // of the smaller one minus the other
                let sum = if above > 0.0 {
                    sum * power + 1.0
                } else {
                    sum + power
                };
                (largest.larger(value), sum)
            },
            |(a, sum_a), (b, sum_b)| {
                let largest = a.larger(b);
                (
                    largest,
                    sum_a * fast::exp(a - largest) + sum_b * fast::exp(b - largest),
                )
            },
        )
    }

    /// The number of which `f` is largest, the first of several; 0 where there is none.
    #[inline(always)]
    fn argmax_of<A: Bounded>(&mut self, end: usize, f: impl Fn(usize) -> A + Sync) -> usize {
        self.fold(
            end,
            Best::new(A::LOWEST, usize::MAX),
            |best, number| best.then_larger(f(number), number),
            Best::largest,
        )
        .place()
    }

    /// The number of which `f` is smallest, the first of several; 0 where there is none.
    #[inline(always)]
    fn argmin_of<A: Bounded>(&mut self, end: usize, f: impl Fn(usize) -> A + Sync) -> usize {
        self.fold(
            end,
            Best::new(A::HIGHEST, usize::MAX),
            |best, number| best.then_smaller(f(number), number),
            Best::smallest,
        )
        .place()
    }

    /// Checks whether `f` holds for one of the numbers at least.
    #[inline(always)]
    fn any_of(&mut self, end: usize, f: impl Fn(usize) -> bool + Sync) -> bool {
        self.reduce(end, false, f, |a, b| a | b)
    }

    /// Checks whether `f` holds for all of the numbers.
    #[inline(always)]
    fn all_of(&mut self, end: usize, f: impl Fn(usize) -> bool + Sync) -> bool {
        self.reduce(end, true, f, |a, b| a & b)
    }

    /// For how many of the numbers `f` holds.
    #[inline(always)]
    fn count_of(&mut self, end: usize, f: impl Fn(usize) -> bool + Sync) -> usize {
        self.sum_of(end, |number| usize::from(f(number)))
    }
}

/// How a warp or a block shares numbers among its threads. Owners' code cannot name it: which thread runs decides nothing there,
/// so all come to what they do together.
pub trait Share: Sized {
    /// Which one this thread is.
    fn thread(&self) -> usize;

    /// How many threads there are.
    fn threads(&self) -> usize;

    /// Waits for all of them, so that none still reads what is written next.
    fn wait(&self);

    /// Combines the values of the threads before this one, and of all. All threads must come here.
    fn scan_threads<A: Shuffle>(&self, value: A, start: A, merge: impl Fn(A, A) -> A) -> (A, A);

    /// Calls `f` with this thread's share of the numbers below `end`.
    #[inline(always)]
    fn share(&self, end: usize, mut f: impl FnMut(usize)) {
        let mut number = self.thread();
        while number < end {
            f(number);
            number += self.threads();
        }
    }

    /// Writes this thread's share of the places below `end` in rows.
    ///
    /// # Safety
    /// As for [`AtIndices::write`].
    #[inline(always)]
    unsafe fn write<const R: usize, V, B, Y: AtIndices<R, V, B>>(
        &self,
        y: &Y,
        end: usize,
        index: [usize; R],
        at: usize,
        value: &V,
        before: &impl Fn(usize) -> B,
    ) {
        // SAFETY: the caller's.
        self.share(end, |place| unsafe {
            y.write_places(index, at, value, before, &place)
        });
    }

    /// Writes what `f` makes of the rows of an index.
    ///
    /// # Safety
    /// As for [`AtIndices::write`].
    #[inline(always)]
    unsafe fn write_rows<const R: usize, V, Y: AtIndices<R, V, <Y as RowsOf>::Before>>(
        &mut self,
        y: &Y,
        index: [usize; R],
        at: usize,
        f: impl for<'r> Fn([usize; R], Y::Rows<'r, Y::Before>, &mut Self) -> V,
    ) {
        // SAFETY, of all three: the caller's.
        let value = f(index, unsafe { y.rows(index, at) }, self);
        if size_of::<Y::Before>() != 0 {
            self.wait();
        }
        let before = |place| unsafe { y.before(index, at, place) };
        unsafe { y.write(index, at, value, &before, self) };
    }

    /// Writes what the values of the numbers up to each one come to.
    ///
    /// # Safety
    /// All elements must be there, and be no other's.
    #[inline(always)]
    unsafe fn scan_numbers<T: Element + Shuffle>(
        &self,
        end: usize,
        start: T,
        value: impl Fn(usize) -> T,
        merge: impl Fn(T, T) -> T,
        element: impl Fn(usize) -> *mut T,
    ) {
        // SAFETY: the caller's.
        unsafe { scan_singles(self, end, [start; 2], value, merge, element) };
    }
}

/// [`Share::scan_numbers`], a number of each thread at a time, after a total.
///
/// # Safety
/// As there.
#[inline(always)]
pub unsafe fn scan_singles<T: Element + Shuffle>(
    team: &impl Share,
    end: usize,
    [mut total, start]: [T; 2],
    value: impl Fn(usize) -> T,
    merge: impl Fn(T, T) -> T,
    element: impl Fn(usize) -> *mut T,
) {
    let mut first = 0;
    while first < end {
        let at = first + team.thread();
        let mine = if at < end { value(at) } else { start };
        let (before, all) = team.scan_threads(mine, start, &merge);
        if at < end {
            // SAFETY: the caller's.
            unsafe { element(at).write(merge(merge(total, before), mine)) };
        }
        total = merge(total, all);
        first += team.threads();
    }
}

/// A value, and where it is: for `argmax` and `argmin`.
///
/// ```ignore
/// fold (x) at i {
///     start: Best::new(T::LOWEST, usize::MAX),
///     add: |best, x| best.larger(x, i),
///     merge: Best::largest,
///     value: |best| best.place() as i64,
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Best<A> {
    value: A,
    place: usize,
}

impl<A: Bounded> Best<A> {
    #[inline(always)]
    #[must_use]
    pub fn new(value: A, place: usize) -> Self {
        Self { value, place }
    }

    #[inline(always)]
    #[must_use]
    pub fn value(self) -> A {
        self.value
    }

    /// Where it is; 0 where there was none.
    #[inline(always)]
    #[must_use]
    pub fn place(self) -> usize {
        if self.place == usize::MAX {
            0
        } else {
            self.place
        }
    }

    /// The larger one, or what is not a number; of equal ones the first.
    #[inline(always)]
    #[must_use]
    pub fn largest(self, other: Self) -> Self {
        self.better(other, other.value > self.value)
    }

    /// The smaller one, or what is not a number; of equal ones the first.
    #[inline(always)]
    #[must_use]
    pub fn smallest(self, other: Self) -> Self {
        self.better(other, other.value < self.value)
    }

    #[inline(always)]
    #[must_use]
    pub fn larger(self, value: A, place: usize) -> Self {
        self.largest(Self::new(value, place))
    }

    #[inline(always)]
    #[must_use]
    pub fn smaller(self, value: A, place: usize) -> Self {
        self.smallest(Self::new(value, place))
    }

    /// The same for a place behind those before: of equal values, the earlier one stays.
    #[inline(always)]
    fn then_larger(self, value: A, place: usize) -> Self {
        self.then(Self::new(value, place), value > self.value)
    }

    /// The same for a place behind those before: of equal values, the earlier one stays.
    #[inline(always)]
    fn then_smaller(self, value: A, place: usize) -> Self {
        self.then(Self::new(value, place), value < self.value)
    }

    #[inline(always)]
    fn then(self, other: Self, is_better: bool) -> Self {
        self.or(
            other,
            (is_better | is_nan(other.value)) & !is_nan(self.value),
        )
    }

    #[inline(always)]
    fn better(self, other: Self, is_better: bool) -> Self {
        let is_equal = (other.value == self.value) | (is_nan(self.value) & is_nan(other.value));
        let is_first = is_equal & (other.place < self.place);
        let is_the_only_nan = is_nan(other.value) & !is_nan(self.value);
        self.or(other, is_better | is_first | is_the_only_nan)
    }

    /// This, or the other one. Without a branch, which takes longer: threads side by side differ in it.
    #[inline(always)]
    fn or(self, other: Self, takes: bool) -> Self {
        Self {
            value: select_unpredictable(takes, other.value, self.value),
            place: select_unpredictable(takes, other.place, self.place),
        }
    }
}

impl<A: Shuffle> Shuffle for Best<A> {
    #[inline(always)]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
        Self {
            value: self.value.shuffle(how),
            place: self.place.shuffle(how),
        }
    }
}

#[inline(always)]
#[allow(clippy::eq_op)] // the only numbers that differ from themselves
fn is_nan<A: PartialOrd>(value: A) -> bool {
    value != value
}

/// A number of a type that has bounds: no number is below `LOWEST`, or above `HIGHEST`.
pub trait Bounded: Shuffle + PartialOrd + Sync {
    const LOWEST: Self;
    const HIGHEST: Self;

    /// The larger of two, or what is not a number.
    #[inline(always)]
    #[must_use]
    fn larger(self, other: Self) -> Self {
        if other > self || is_nan(other) {
            other
        } else {
            self
        }
    }

    /// The smaller of two, or what is not a number.
    #[inline(always)]
    #[must_use]
    fn smaller(self, other: Self) -> Self {
        if other < self || is_nan(other) {
            other
        } else {
            self
        }
    }
}

macro_rules! bounded {
    ($($lowest:ident $highest:ident: $($type:ty),*;)*) => {
        $($(
            impl Bounded for $type {
                const LOWEST: Self = <$type>::$lowest;
                const HIGHEST: Self = <$type>::$highest;
            }
        )*)*
    };
}

bounded! {
    MIN MAX: i8, u8, i16, u16, i32, u32, i64, u64, usize;
    NEG_INFINITY INFINITY: f64;
}

impl Bounded for f32 {
    const LOWEST: Self = Self::NEG_INFINITY;
    const HIGHEST: Self = Self::INFINITY;

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        super::ptx::float::larger(self, other)
    }

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        super::ptx::float::smaller(self, other)
    }
}

macro_rules! small_bounded {
    ($($type:ty),*) => {
        $(
            impl Bounded for $type {
                const LOWEST: Self = <Self as super::Float>::NEG_INFINITY;
                const HIGHEST: Self = <Self as super::Float>::INFINITY;
            }
        )*
    };
}

small_bounded!(super::f16, super::bf16);
