//! The grid on the CPU: a thread runs a block, and the block all its threads in turn.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::fold::chunk;
use super::own::{assumed_inside, first, tiles};
use super::team::Share;
use super::values::{THREADS, Values};
use super::view::Before;
use super::{
    AtIndices, ByThreads, Element, Elements, Layout, Readable, RowsOf, Shuffle, Split, Target,
    Team, Tile, Total, View, pack, panic,
};

/// Elements of a fold that are loaded together, of `_lanes` that the GPU would load.
#[must_use]
pub const fn fold_lanes(_lanes: usize) -> usize {
    THREADS
}

/// Loads elements that lie together.
///
/// # Safety
/// They must be there.
#[inline(always)]
pub(super) unsafe fn load_written<T: Element, const L: usize>(from: *const T) -> [T; L] {
    // SAFETY: the caller's.
    unsafe { T::valid(from.cast::<MaybeUninit<[T; L]>>().read()) }
}

pub(super) use load_written as load_constant;

/// # Safety
/// As above, and no other thread has the elements.
#[inline(always)]
pub(super) unsafe fn store<T: Element, const L: usize>(to: *mut T, pack: [T; L]) {
    // SAFETY: the caller's.
    unsafe { to.cast::<[T; L]>().write(pack) };
}

/// The block that this is, and of how many.
#[derive(Clone, Copy)]
pub struct Grid {
    block: usize,
    blocks: usize,
}

impl Grid {
    #[must_use]
    pub fn new(block: usize, blocks: usize) -> Self {
        Self { block, blocks }
    }

    /// The block's share of so many elements, in multiples of some.
    pub(super) fn share(self, count: usize, multiple: usize) -> (usize, usize) {
        let length = count.div_ceil(self.blocks).next_multiple_of(multiple);
        let start = count.min(self.block * length);
        (start, start + length.min(count - start))
    }

    /// Index of the block in the grid.
    #[inline(always)]
    #[must_use]
    pub fn block(self) -> usize {
        self.block
    }

    /// Number of blocks in the grid.
    #[inline(always)]
    #[must_use]
    pub fn blocks(self) -> usize {
        self.blocks
    }

    #[inline(always)]
    pub fn elements(self, split: Split, _packs: impl FnMut(usize), mut single: impl FnMut(usize)) {
        let (start, end) = match self.blocks {
            0 => (0, self.block), // that a walk has brought together
            _ => self.share(split.len, THREADS),
        };
        for at in start..end {
            single(at);
        }
    }

    #[inline(always)]
    pub fn each<T: Element, const R: usize, M: Before<T>, L: Layout>(
        self,
        y: Target<T, R, M, L>,
        f: impl Fn([usize; R], M::Before) -> T,
    ) {
        let y = y.0;
        self.each_index_of(y.shape(), |index, at| {
            // SAFETY: this block's share.
            unsafe {
                let to = y.at(index, at);
                to.write(f(index, M::before(to)));
            }
        });
    }

    /// Calls `f` with this block's share of the indices of an array of this shape, and where they are in the order of C.
    #[inline(always)]
    fn each_index_of<const R: usize>(
        self,
        shape: [usize; R],
        mut f: impl FnMut([usize; R], usize),
    ) {
        let (start, end) = self.share(shape.iter().product(), 1);
        let (mut index, mut rest) = ([0; R], start);
        for axis in (0..R).rev() {
            index[axis] = rest % shape[axis].max(1);
            rest /= shape[axis].max(1);
        }
        for at in start..end {
            // SAFETY: the index of an element.
            f(unsafe { assumed_inside(index, shape) }, at);
            for axis in (0..R).rev() {
                index[axis] += 1;
                if index[axis] < shape[axis] {
                    break;
                }
                index[axis] = 0;
            }
        }
    }

    #[inline(always)]
    pub fn each_by_warp<T: Element, const R: usize, M: Before<T>, L: Layout>(
        self,
        y: Target<T, R, M, L>,
        f: impl Fn([usize; R], M::Before, &mut Warp) -> T,
    ) {
        self.each(y, |index, before| f(index, before, &mut Warp(())));
    }

    #[inline(always)]
    pub fn each_by_block<T: Element, const R: usize, M: Before<T>, L: Layout>(
        self,
        y: Target<T, R, M, L>,
        f: impl Fn([usize; R], M::Before, &mut Block) -> T,
    ) {
        self.each(y, |index, before| f(index, before, &mut Block::of(self)));
    }

    #[inline(always)]
    pub fn rows_by_warp<const R: usize, V, Y: AtIndices<R, V, <Y as RowsOf>::Before>>(
        self,
        y: Y,
        f: impl for<'r> Fn([usize; R], Y::Rows<'r, Y::Before>, &mut Warp) -> V,
    ) {
        // SAFETY: this block's share.
        self.each_index_of(y.extents(), |index, at| unsafe {
            Warp(()).write_rows(&y, index, at, &f);
        });
    }

    #[inline(always)]
    pub fn rows_by_block<const R: usize, V, Y: AtIndices<R, V, <Y as RowsOf>::Before>>(
        self,
        y: Y,
        f: impl for<'r> Fn([usize; R], Y::Rows<'r, Y::Before>, &mut Block) -> V,
    ) {
        // SAFETY: this block's share.
        self.each_index_of(y.extents(), |index, at| unsafe {
            Block::of(self).write_rows(&y, index, at, &f);
        });
    }

    #[inline(always)]
    pub fn each_by_tile<T: Element, M: Before<T>>(
        self,
        y: Target<T, 2, M>,
        _load: impl Fn([usize; 2]),
        f: impl Fn([usize; 2], M::Before, [usize; 2]) -> T,
    ) {
        self.each(y, |index, before| f(index, before, index));
    }

    /// The block writes a tile of the arrays `y` at a time, of which each thread has an element: what `f` makes of where the
    /// tile begins and of what was there.
    #[inline(always)]
    pub fn each_by_threads<Y: ByThreads<R, N>, const R: usize, const N: usize>(
        self,
        y: Y,
        side: [usize; R],
        mut f: impl FnMut([usize; R], Y::Before, &mut Tile<R, N>) -> Y::Values,
    ) {
        let shape = y.shape();
        let mut block = Tile::new(self, side);
        let (start, end) = self.share(tiles(shape, side), 1);
        for tile in start..end {
            // SAFETY: each tile is one block's.
            unsafe { block.write(&y, first(tile, shape, side), &mut f) };
        }
    }

    /// Calls `f` with each number below `count`, each on one thread of all blocks.
    pub fn each_index(self, count: usize, f: impl Fn(usize)) {
        let (start, end) = self.share(count, 1);
        (start..end).for_each(f);
    }

    /// Calls `f` with what this thread has of the elements.
    #[inline(always)]
    #[track_caller]
    pub fn each_of<X: Elements>(self, x: X, f: impl Fn(X::Item)) {
        let (start, end) = self.share(x.count(), 1);
        for at in start..end {
            // SAFETY: inside the arrays.
            f(unsafe { x.get_unchecked(at) });
        }
    }

    /// Combines the elements of the block's part with `merge`.
    #[inline(always)]
    pub fn reduce_chunk<T: Element, M: Before<T>, A>(
        self,
        y: Target<T, 1, M>,
        start: A,
        value: impl Fn(usize, M::Before) -> A,
        merge: impl Fn(A, A) -> A,
    ) -> Option<A> {
        // SAFETY: inside the array.
        let before = |at| unsafe { M::before(y.0.start.add(at)) };
        let chunk = chunk(self.block, self.blocks, y.0.len());
        Some(chunk.fold(start, |total, at| merge(total, value(at, before(at)))))
    }

    /// Writes what the elements up to each one of the block's part come to, after the parts before.
    #[inline(always)]
    pub fn scan_chunk<T: Element, M: Before<T>>(
        self,
        y: Target<T, 1, M>,
        start: T,
        part: impl Fn(usize) -> T,
        value: impl Fn(usize, M::Before) -> T,
        merge: impl Fn(T, T) -> T,
    ) {
        let mut total = (0..self.block).fold(start, |total, at| merge(total, part(at)));
        for at in chunk(self.block, self.blocks, y.0.len()) {
            // SAFETY: this block's.
            unsafe {
                let to = y.0.start.add(at);
                total = merge(total, value(at, M::before(to)));
                to.write(total);
            }
        }
    }

    /// Waits for all threads of the block.
    #[inline(always)]
    pub fn wait(self) {}

    /// Calls `f` with this thread's share, in the block, of the numbers below `end`.
    #[inline(always)]
    pub fn numbers(self, end: usize, f: impl FnMut(usize)) {
        (0..end).for_each(f);
    }

    #[inline(always)]
    pub fn fold<A: Copy, P, const L: usize>(
        self,
        split: Split,
        start: A,
        load: impl Fn(usize) -> P,
        add: impl Fn(A, &P, usize, usize) -> A,
        add_one: impl Fn(A, usize) -> A,
    ) -> Values<A> {
        let (first, end) = self.share(split.len, THREADS);
        let whole = end - (end - first) % THREADS;
        let mut values = Values::new(start);
        for at in (first..whole).step_by(THREADS) {
            let pack = load(at);
            for lane in 0..THREADS {
                values.set(lane, add(values.get(lane), &pack, lane, at + lane));
            }
        }
        for (lane, at) in (whole..end).enumerate() {
            values.set(lane, add_one(values.get(lane), at));
        }
        values
    }

    /// The value of a block that folds numbers below `end` one after the other.
    #[inline(always)]
    pub fn fold_numbers<A: Copy>(
        self,
        end: usize,
        start: A,
        add: impl Fn(A, usize) -> A,
    ) -> Values<A> {
        let mut values = Values::new(start);
        for number in 0..end {
            let lane = number % THREADS;
            values.set(lane, add(values.get(lane), number));
        }
        values
    }

    /// Combines the values of the block's threads, in the order of a warp's shuffles.
    #[inline(always)]
    pub fn reduce<A: Shuffle>(self, values: Values<A>, combine: impl Fn(A, A) -> A) -> Option<A> {
        Some(values.combine(combine))
    }
}

/// Combines the numbers below `end` as the threads of a warp do, in the order of its shuffles.
#[inline(always)]
fn shared<A: Copy>(
    end: usize,
    start: A,
    add: impl Fn(A, usize) -> A,
    combine: impl Fn(A, A) -> A,
) -> A {
    let (mut values, mut at) = ([start; THREADS], 0);
    while at + THREADS <= end {
        for (lane, value) in values.iter_mut().enumerate() {
            *value = add(*value, at + lane);
        }
        at += THREADS;
    }
    if at == end {
        return halve(values, combine);
    }
    // A copy that the compiler cannot leave out: what a loop of unknown length indexes does not stay in registers.
    let mut rest = black_box(values);
    for (value, at) in rest.iter_mut().zip(at..end) {
        *value = add(*value, at);
    }
    halve(rest, combine)
}

/// Combines them all, in the order of a warp's shuffles.
#[inline(always)]
fn halve<A: Copy>(mut values: [A; THREADS], combine: impl Fn(A, A) -> A) -> A {
    half::<A, 16>(&mut values, &combine);
    half::<A, 8>(&mut values, &combine);
    half::<A, 4>(&mut values, &combine);
    half::<A, 2>(&mut values, &combine);
    combine(values[0], values[1])
}

/// One step of so many threads. A constant, for the compiler to write the loop out: then the values stay in registers.
#[inline(always)]
fn half<A: Copy, const D: usize>(values: &mut [A; THREADS], combine: &impl Fn(A, A) -> A) {
    for thread in 0..D {
        values[thread] = combine(values[thread], values[thread + D]);
    }
}

/// 32 threads that work on one element together.
pub struct Warp(());

/// The threads of a block, which work on one element together.
pub struct Block(());

impl Block {
    #[inline(always)]
    pub(super) fn of(_grid: Grid) -> Self {
        Self(())
    }
}

impl Warp {
    /// The sum of `f` over pairs of elements of `x` and `y`, which are equally long.
    #[inline(always)]
    #[track_caller]
    pub fn sum<A: Element, B: Element, M: Readable, N: Readable, S: Total>(
        &mut self,
        x: View<A, 1, M>,
        y: View<B, 1, N>,
        f: impl Fn(A, B) -> S + Sync,
    ) -> S {
        panic::check_lengths(x.len(), y.len());
        // SAFETY: inside the arrays.
        let term = |at: usize| unsafe {
            f(
                pack::load_one(x.start.add(at)),
                pack::load_one(y.start.add(at)),
            )
        };
        shared(
            x.len(),
            S::default(),
            |sum, at| sum + term(at),
            |a, b| a + b,
        )
    }
}

// Their one thread does what all do.
macro_rules! alone {
    ($($team:ident)*) => {
        $(
            impl Team for $team {
                #[inline(always)]
                fn fold<A: Shuffle>(
                    &mut self,
                    end: usize,
                    start: A,
                    add: impl Fn(A, usize) -> A + Sync,
                    combine: impl Fn(A, A) -> A + Sync,
                ) -> A {
                    shared(end, start, add, combine)
                }
            }

            impl Share for $team {
                #[inline(always)]
                fn thread(&self) -> usize {
                    0
                }

                #[inline(always)]
                fn threads(&self) -> usize {
                    1
                }

                #[inline(always)]
                fn wait(&self) {}

                #[inline(always)]
                fn scan_threads<A: Shuffle>(
                    &self,
                    value: A,
                    start: A,
                    _merge: impl Fn(A, A) -> A,
                ) -> (A, A) {
                    (start, value)
                }
            }
        )*
    };
}

alone!(Warp Block);
