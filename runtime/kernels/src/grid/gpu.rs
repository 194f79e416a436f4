//! The grid on the GPU, as one of its threads sees it.

mod access;
mod row;
mod warp;

use core::{array, hint};

use super::fold::chunk;
use super::near::{self, TILE};
use super::own::{assumed_inside, first, tiles};
use super::rows::SINGLE;
use super::team::{Share, scan_singles};
use super::view::Before;
use super::{
    AtIndices, ByThreads, Element, Elements, Layout, RowsOf, Shuffle, Split, Target, Tile, ptx,
};

pub(super) use access::{load_constant, load_written, store};
use row::is_short;
pub use warp::{Block, Warp};
pub(super) use warp::{reduce_block, reduce_warp};

/// Threads that shuffle values among themselves.
const WARP: u32 = 32;

/// Packs of each array that are loaded before the first of them is used.
const IN_FLIGHT: usize = 4;

/// Elements of a fold that are loaded together.
#[must_use]
pub const fn fold_lanes(lanes: usize) -> usize {
    lanes
}

/// Calls `f` with every `step`-th number from `first` to below `end`.
#[inline(always)]
fn stride(first: usize, end: usize, step: usize, mut f: impl FnMut(usize)) {
    let mut index = first;
    while index < end {
        f(index);
        index += step;
    }
}

/// Where a thread is, is in its registers; so is how many a block has, but this the compiler knows.
#[derive(Clone, Copy)]
pub struct Grid {
    threads: u32,
}

impl Grid {
    /// The grid that runs this thread, whose blocks were launched with so many.
    #[inline(always)]
    pub fn of(threads: u32) -> Self {
        Self { threads }
    }

    /// Number of threads in a block.
    #[inline(always)]
    pub fn threads_in_block(self) -> usize {
        self.threads as usize
    }

    /// Index of the thread in its block.
    #[inline(always)]
    pub fn thread_in_block(self) -> usize {
        let thread = ptx::thread_in_block() as usize;
        // SAFETY: so many a block has.
        unsafe { hint::assert_unchecked(thread < self.threads_in_block()) };
        thread
    }

    /// Index of the block in the grid.
    #[inline(always)]
    pub fn block(self) -> usize {
        ptx::block() as usize
    }

    /// Number of blocks in the grid.
    #[inline(always)]
    pub fn blocks(self) -> usize {
        ptx::blocks() as usize
    }

    #[inline(always)]
    fn thread(self) -> usize {
        self.block() * self.threads_in_block() + self.thread_in_block()
    }

    #[inline(always)]
    fn threads(self) -> usize {
        self.blocks() * self.threads_in_block()
    }

    /// Calls `f` with this thread's share, in the grid, of the numbers below `end`.
    #[inline(always)]
    pub(crate) fn share(self, end: usize, f: impl FnMut(usize)) {
        stride(self.thread(), end, self.threads(), f);
    }

    /// Calls `f` with this thread's share of the elements that are in no pack.
    #[inline(always)]
    fn singles(self, split: Split, mut f: impl FnMut(usize)) {
        let tail = split.pack(split.packs());
        self.share(split.len - tail + split.head, |at| {
            f(if at < split.head {
                at
            } else {
                at - split.head + tail
            });
        });
    }

    #[inline(always)]
    pub fn elements(self, split: Split, mut packs: impl FnMut(usize), single: impl FnMut(usize)) {
        self.share(split.packs(), |pack| packs(split.pack(pack)));
        self.singles(split, single);
    }

    #[inline(always)]
    pub fn each<T: Element, const R: usize, M: Before<T>, L: Layout>(
        self,
        y: Target<T, R, M, L>,
        f: impl Fn([usize; R], M::Before) -> T,
    ) {
        let (y, shape, len) = (y.0, y.0.shape(), y.0.len());
        let (mut at, threads) = (self.thread(), self.threads());
        if at >= len {
            return;
        }
        let mut index = unflatten(at, len, shape);
        let step = if at + threads < len {
            digits(threads, len, shape)
        } else {
            [0; R]
        };
        loop {
            // SAFETY: an index of the array, and no other thread has it.
            unsafe {
                let index = assumed_inside(index, shape);
                let to = y.at(index, at);
                to.write(f(index, M::before(to)));
            }
            at += threads;
            if at >= len {
                return;
            }
            index = after(index, step, shape);
        }
    }

    #[inline(always)]
    pub fn each_by_warp<T: Element, const R: usize, M: Before<T>, L: Layout>(
        self,
        y: Target<T, R, M, L>,
        f: impl Fn([usize; R], M::Before, &mut Warp) -> T,
    ) {
        let (y, shape) = (y.0, y.0.shape());
        let lane = ptx::thread_in_block() % WARP;
        let (first, warps) = (
            self.thread() / WARP as usize,
            self.threads() / WARP as usize,
        );
        stride(first, y.len(), warps, |at| {
            // SAFETY: no other warp has this index, and one lane writes it.
            unsafe {
                let index = unflatten(at, y.len(), shape);
                let to = y.at(index, at);
                let value = f(index, M::before(to), &mut Warp { lane });
                if lane == 0 {
                    to.write(value);
                }
            }
        });
    }

    /// Each block has as many threads as [`SharedRows::launch`](super::SharedRows::launch) says, of rows of this length, which it reads.
    #[inline(always)]
    pub fn each_by_block<
        const KIND: usize,
        const N: usize,
        T: Element,
        const R: usize,
        M: Before<T>,
        L: Layout,
    >(
        self,
        y: Target<T, R, M, L>,
        len_of_row: usize,
        f: impl Fn([usize; R], M::Before, &mut Block<KIND, N>) -> T,
    ) {
        let (y, shape) = (y.0, y.0.shape());
        let Some((at, mut block)) = self.row_of_block(y.len(), len_of_row) else {
            return;
        };
        // SAFETY: no other block has this index, and one thread writes it.
        unsafe {
            let index = unflatten(at, y.len(), shape);
            let to = y.at(index, at);
            let value = f(index, M::before(to), &mut block);
            if self.thread_in_block() == 0 {
                to.write(value);
            }
        }
    }

    #[inline(always)]
    pub fn rows_by_warp<const R: usize, V, Y: AtIndices<R, V, <Y as RowsOf>::Before>>(
        self,
        y: Y,
        f: impl for<'r> Fn([usize; R], Y::Rows<'r, Y::Before>, &mut Warp) -> V,
    ) {
        let shape = y.extents();
        let len = shape.iter().product();
        let lane = ptx::thread_in_block() % WARP;
        let (first, warps) = (
            self.thread() / WARP as usize,
            self.threads() / WARP as usize,
        );
        stride(first, len, warps, |at| {
            // SAFETY: no other warp has this index.
            unsafe { Warp { lane }.write_rows(&y, unflatten(at, len, shape), at, &f) };
        });
    }

    /// Each block has as many threads as [`SharedRows::launch`](super::SharedRows::launch) says; where it writes elements alone, of rows of
    /// this length, which it reads.
    #[inline(always)]
    pub fn rows_by_block<
        const KIND: usize,
        const N: usize,
        const R: usize,
        V,
        Y: AtIndices<R, V, <Y as RowsOf>::Before>,
    >(
        self,
        y: Y,
        len_of_read: usize,
        f: impl for<'r> Fn([usize; R], Y::Rows<'r, Y::Before>, &mut Block<KIND, N>) -> V,
    ) {
        let shape = y.extents();
        let len = shape.iter().product();
        let Some((at, mut block)) = self.row_of_block(len, y.places().unwrap_or(len_of_read))
        else {
            return;
        };
        // SAFETY: no other block has this index.
        unsafe { block.write_rows(&y, unflatten(at, len, shape), at, &f) };
    }

    /// The number of this thread's row, if there are so many of this length, and the threads that share it. No function that would
    /// be called with it: a long one is not inlined.
    #[inline(always)]
    fn row_of_block<const KIND: usize, const N: usize>(
        self,
        rows: usize,
        len_of_row: usize,
    ) -> Option<(usize, Block<KIND, N>)> {
        // SAFETY: of this kind the rows are.
        unsafe { hint::assert_unchecked(KIND == SINGLE || len_of_row.is_multiple_of(N)) };
        // As many as there are: a loop would take registers.
        let mut at = ptx::block_below() as usize * self.blocks() + self.block();
        if KIND == SINGLE || is_short(KIND) {
            at = at * ptx::rows_in_block() as usize + ptx::row_in_block() as usize;
        }
        let grid = Self::of(ptx::threads_in_block());
        (at < rows).then(|| (at, Block::of_row(grid, len_of_row)))
    }

    /// The block writes a tile of `y` at a time, after all its threads have called `load` with where it begins.
    #[inline(always)]
    pub fn each_by_tile<T: Element, M: Before<T>>(
        self,
        y: Target<T, 2, M>,
        load: impl Fn([usize; 2]),
        f: impl Fn([usize; 2], M::Before, [usize; 2]) -> T,
    ) {
        let (y, [rows, columns]) = (y.0, y.0.shape());
        let across = columns.div_ceil(TILE);
        stride(
            self.block(),
            near::tiles(y.shape()),
            self.blocks(),
            |tile| {
                let (top, left) = (tile / across * TILE, tile % across * TILE);
                ptx::barrier(); // the tile before has been read
                load([top, left]);
                ptx::barrier();
                self.numbers(TILE * TILE, |at| {
                    let (down, right) = (at / TILE, at % TILE);
                    let (i, j) = (top + down, left + right);
                    if i < rows && j < columns {
                        // SAFETY: inside the array, and no other thread has this index.
                        unsafe {
                            let to = y.start.add(i * columns + j);
                            to.write(f([i, j], M::before(to), [down, right]));
                        }
                    }
                });
            },
        );
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
        stride(self.block(), tiles(shape, side), self.blocks(), |tile| {
            let first = first(tile, shape, side);
            ptx::barrier(); // what the tile before had in shared memory has been read
            // SAFETY: each tile is one block's.
            unsafe { block.write(&y, first, &mut f) };
        });
    }

    /// Calls `f` with each number below `count`, each on one thread of all blocks.
    #[inline(always)]
    pub fn each_index(self, count: usize, f: impl Fn(usize)) {
        self.share(count, f);
    }

    /// Calls `f` with what this thread has of the elements.
    #[inline(always)]
    #[track_caller]
    pub fn each_of<X: Elements>(self, x: X, f: impl Fn(X::Item)) {
        // SAFETY: inside the arrays.
        self.share(x.count(), |at| f(unsafe { x.get_unchecked(at) }));
    }

    /// Combines the elements of the block's part with `merge`. One thread gets the result.
    #[inline(always)]
    pub fn reduce_chunk<T: Element, M: Before<T>, A: Shuffle>(
        self,
        y: Target<T, 1, M>,
        start: A,
        value: impl Fn(usize, M::Before) -> A,
        merge: impl Fn(A, A) -> A,
    ) -> Option<A> {
        let chunk = chunk(self.block(), self.blocks(), y.0.len());
        let mut total = start;
        self.numbers(chunk.len(), |number| {
            let at = chunk.start + number;
            // SAFETY: inside the array.
            let before = unsafe { M::before(y.0.start.add(at)) };
            total = merge(total, value(at, before));
        });
        self.reduce(total, merge)
    }

    /// Writes what the elements up to each one of the block's part come to, after the parts before.
    #[inline(always)]
    pub fn scan_chunk<T: Element + Shuffle, M: Before<T>>(
        self,
        y: Target<T, 1, M>,
        start: T,
        part: impl Fn(usize) -> T,
        value: impl Fn(usize, M::Before) -> T,
        merge: impl Fn(T, T) -> T,
    ) {
        let chunk = chunk(self.block(), self.blocks(), y.0.len());
        let before = self.fold_numbers(self.block(), start, |total, at| merge(total, part(at)));
        let before = warp::reduce_block(self, before, &merge);
        let first = y.0.start.wrapping_add(chunk.start);
        // SAFETY: inside the array, and no other block has this part.
        unsafe {
            let value = |number| value(chunk.start + number, M::before(first.add(number)));
            let element = |number| first.add(number);
            scan_singles(
                &Block::of(self),
                chunk.len(),
                [before, start],
                value,
                merge,
                element,
            );
        }
    }

    /// Waits for all threads of the block.
    #[inline(always)]
    pub fn wait(self) {
        ptx::barrier();
    }

    /// Calls `f` with this thread's share, in the block, of the numbers below `end`.
    #[inline(always)]
    pub fn numbers(self, end: usize, f: impl FnMut(usize)) {
        stride(self.thread_in_block(), end, self.threads_in_block(), f);
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
        let add_all = |value, pack: &P, at| {
            (0..L).fold(value, |value, lane| add(value, pack, lane, at + lane))
        };
        let (mut value, mut index, step) = (start, self.thread(), self.threads());
        while index + (IN_FLIGHT - 1) * step < split.packs() {
            let packs: [P; IN_FLIGHT] = array::from_fn(|k| load(split.pack(index + k * step)));
            for (k, pack) in packs.iter().enumerate() {
                value = add_all(value, pack, split.pack(index + k * step));
            }
            index += IN_FLIGHT * step;
        }
        stride(index, split.packs(), step, |index| {
            let at = split.pack(index);
            value = add_all(value, &load(at), at)
        });
        self.singles(split, |at| value = add_one(value, at));
        value
    }

    /// This thread's share of a fold of the numbers below `end` by one block.
    #[inline(always)]
    pub fn fold_numbers<A: Copy>(
        self,
        end: usize,
        start: A,
        add: impl Fn(A, usize) -> A,
    ) -> Values<A> {
        let (mut number, step) = (self.thread_in_block(), self.threads_in_block());
        let mut value = start;
        // Several at once: what one reads does not wait for what another makes of it.
        while number + (IN_FLIGHT - 1) * step < end {
            for k in 0..IN_FLIGHT {
                let number = number + k * step;
                // SAFETY: the last of them is below the end.
                unsafe { hint::assert_unchecked(number < end) };
                value = add(value, number);
            }
            number += IN_FLIGHT * step;
        }
        stride(number, end, step, |number| value = add(value, number));
        value
    }

    /// Combines the values of the block's threads. One thread gets the result.
    ///
    /// All threads of the block must come here.
    #[inline(always)]
    pub fn reduce<A: Shuffle>(self, value: Values<A>, combine: impl Fn(A, A) -> A) -> Option<A> {
        let total = warp::reduce_block(self, value, combine);
        (self.thread_in_block() == 0).then_some(total)
    }
}

/// The one value of this thread.
pub type Values<A> = A;

/// The index of the element that is at this place in an array of so many.
#[inline(always)]
fn unflatten<const R: usize>(at: usize, len: usize, shape: [usize; R]) -> [usize; R] {
    // SAFETY: the place is one of the array's.
    unsafe { assumed_inside(digits(at, len, shape), shape) }
}

/// The digits of a number, with the dimensions as bases.
#[inline(always)]
fn digits<const R: usize>(number: usize, len: usize, shape: [usize; R]) -> [usize; R] {
    let (mut index, mut rest) = ([0; R], number);
    for axis in (1..R).rev() {
        // SAFETY: an array with an element has no extent of 0.
        unsafe { hint::assert_unchecked(shape[axis] > 0) };
        let left = if len <= u32::MAX as usize {
            (rest as u32 / shape[axis] as u32) as usize // of 64 bits it takes four times as long
        } else {
            rest / shape[axis]
        };
        index[axis] = rest - left * shape[axis];
        rest = left;
    }
    if R > 0 {
        index[0] = rest;
    }
    index
}

/// The index that is so much behind another one. Nothing is divided for it.
#[inline(always)]
fn after<const R: usize>(mut index: [usize; R], step: [usize; R], shape: [usize; R]) -> [usize; R] {
    let mut carry = 0;
    for axis in (0..R).rev() {
        let moved = index[axis] + step[axis] + carry;
        (index[axis], carry) = if axis > 0 && moved >= shape[axis] {
            (moved - shape[axis], 1)
        } else {
            (moved, 0)
        };
    }
    index
}
