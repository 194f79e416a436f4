//! The grid on the GPU, as one of its threads sees it.

use core::array;

use super::vector::{Split, Vector};
use super::{Element, Grid, Input, Output, Shuffle, ptx, scratch, tile};

/// Threads that shuffle values among themselves.
const WARP: u32 = 32;

/// Where a thread is, is in its registers.
#[derive(Clone, Copy)]
pub struct Place;

/// The one value of this thread.
pub type Values<A> = A;

/// A thread's share of a fold has as many terms as the array has for every thread.
pub const LONG_FOLDS: bool = true;

ptx::shared!(TILE: tile::BYTES);

/// Memory of the block for elements of a matrix.
#[derive(Clone, Copy)]
pub struct Tile;

impl Tile {
    /// # Safety
    /// The element must be inside of the tile, and have been stored before a barrier.
    #[inline(always)]
    pub unsafe fn load<T: Element>(self, index: u32) -> T {
        // SAFETY: the caller's.
        unsafe { ptx::load_shared(self.offset::<T>(index)) }
    }

    /// # Safety
    /// The element must be inside of the tile, and no other thread's.
    #[inline(always)]
    pub unsafe fn store<T: Element>(self, index: u32, value: T) {
        // SAFETY: the caller's.
        unsafe { ptx::store_shared(self.offset::<T>(index), value) };
    }

    #[inline(always)]
    fn offset<T>(self, index: u32) -> u32 {
        ptx::shared_offset!(TILE) + index * size_of::<T>() as u32
    }
}

/// Pairs of vectors that are loaded before the first of them is used.
const IN_FLIGHT: usize = 4;

impl Grid {
    /// The grid that runs this thread.
    #[inline(always)]
    pub(crate) fn here() -> Self {
        Self(Place)
    }
}

impl Place {
    #[inline(always)]
    pub fn block(self) -> usize {
        ptx::block() as usize
    }

    #[inline(always)]
    pub fn blocks(self) -> usize {
        ptx::blocks() as usize
    }

    #[inline(always)]
    pub fn is_first_of_block(self) -> bool {
        self.thread_of_block() == 0
    }

    #[inline(always)]
    pub fn thread_of_block(self) -> u32 {
        ptx::thread_in_block()
    }

    #[inline(always)]
    pub fn threads_of_block(self) -> u32 {
        ptx::threads_in_block()
    }

    #[inline(always)]
    pub fn wait_for_block(self) {
        ptx::barrier();
    }

    /// Calls `f` with memory for one tile.
    #[inline(always)]
    pub fn with_tile(self, f: impl FnOnce(Tile)) {
        f(Tile);
    }

    /// This thread's index in the grid.
    #[inline(always)]
    fn thread(self) -> usize {
        self.block() * ptx::threads_in_block() as usize + ptx::thread_in_block() as usize
    }

    /// Number of threads in the grid.
    #[inline(always)]
    fn threads(self) -> usize {
        self.blocks() * ptx::threads_in_block() as usize
    }

    /// Calls `f` with this thread's share of the numbers below `end`.
    #[inline(always)]
    fn each(self, end: usize, mut f: impl FnMut(usize)) {
        let mut index = self.thread();
        while index < end {
            f(index);
            index += self.threads();
        }
    }

    /// Calls `f` with this thread's share of the elements that are in no vector.
    #[inline(always)]
    fn singles(self, split: Split, mut f: impl FnMut(usize)) {
        self.each(split.head, &mut f);
        self.each(split.end - split.tail, |index| f(split.tail + index));
    }

    #[inline(always)]
    pub fn for_each_indexed<T: Element>(self, y: Output<T>, f: impl Fn(usize, &mut T)) {
        // SAFETY: no other thread has this index.
        self.each(y.len(), |index| {
            f(index, unsafe { &mut *y.start.add(index) })
        });
    }

    #[inline(always)]
    pub fn for_each<T: Element>(self, y: Output<T>, f: impl Fn(&mut T)) {
        let split = Split::new(y.start, y.start, y.len());
        self.each(split.vectors, |index| {
            // SAFETY: inside of `y`, and no other thread has this index.
            let vector = unsafe { &mut *split.vector(y.start, index) };
            vector.update(|_, y| f(y));
        });
        // SAFETY: as above.
        self.singles(split, |index| f(unsafe { &mut *y.start.add(index) }));
    }

    #[inline(always)]
    pub fn for_each_with<T: Element>(self, x: Input<T>, y: Output<T>, f: impl Fn(T, &mut T)) {
        let split = Split::new(x.start, y.start, y.len());
        self.each(split.vectors, |index| {
            // SAFETY: inside of the arrays, and no other thread has this index of `y`.
            let (vx, vy) = unsafe {
                (
                    ptx::load_constant(split.vector(x.start.cast_mut(), index)),
                    &mut *split.vector(y.start, index),
                )
            };
            vy.update(|lane, y| f(vx.lane(lane), y));
        });
        // SAFETY: as above.
        self.singles(split, |index| unsafe {
            f(*x.start.add(index), &mut *y.start.add(index));
        });
    }

    #[inline(always)]
    pub fn fold<T: Element, A: Copy>(
        self,
        x: Input<T>,
        init: A,
        f: impl Fn(A, T) -> A,
    ) -> Values<A> {
        self.fold_with(x, x, init, |total, x, _| f(total, x))
    }

    #[inline(always)]
    pub fn fold_with<T: Element, A: Copy>(
        self,
        x: Input<T>,
        y: Input<T>,
        init: A,
        f: impl Fn(A, T, T) -> A,
    ) -> Values<A> {
        let split = Split::new(x.start, y.start, y.len());
        let load = |array: Input<T>, index| {
            // SAFETY: inside of the array.
            unsafe { ptx::load_constant(split.vector(array.start.cast_mut(), index)) }
        };
        let add = |total, vx: Vector<T>, vy: Vector<T>| {
            let pairs = vx.lanes().iter().zip(vy.lanes());
            pairs.fold(total, |total, (&x, &y)| f(total, x, y))
        };

        let (mut total, mut index, step) = (init, self.thread(), self.threads());
        while index + (IN_FLIGHT - 1) * step < split.vectors {
            let xs: [_; IN_FLIGHT] = array::from_fn(|k| load(x, index + k * step));
            let ys: [_; IN_FLIGHT] = array::from_fn(|k| load(y, index + k * step));
            for k in 0..IN_FLIGHT {
                total = add(total, xs[k], ys[k]);
            }
            index += IN_FLIGHT * step;
        }
        while index < split.vectors {
            total = add(total, load(x, index), load(y, index));
            index += step;
        }
        // SAFETY: inside of the arrays.
        self.singles(split, |index| unsafe {
            total = f(total, *x.start.add(index), *y.start.add(index));
        });
        total
    }

    /// First in every warp, by shuffles; then the results of the warps in the first warp.
    #[inline(always)]
    pub fn reduce<A: Shuffle>(self, value: Values<A>, combine: impl Fn(A, A) -> A) -> Option<A> {
        let (thread, threads) = (ptx::thread_in_block(), ptx::threads_in_block());
        let (index, lane) = (thread / WARP, thread % WARP);
        let (warps, lanes) = (threads.div_ceil(WARP), WARP.min(threads - index * WARP));

        let value = reduce_warp(value, lane, lanes, lanes, &combine);
        ptx::barrier(); // what an earlier reduction left has been read
        if lane == 0 {
            // SAFETY: this warp's slot.
            unsafe { scratch::slot::<A>(index).write(value) };
        }
        ptx::barrier();
        if index != 0 {
            return None;
        }
        let value = if lane < warps {
            // SAFETY: the slot of a warp, which has been written.
            unsafe { scratch::slot::<A>(lane).read() }
        } else {
            value
        };
        let value = reduce_warp(value, lane, lanes, warps, &combine);
        (lane == 0).then_some(value)
    }
}

/// Combines the values of the first `values` lanes of a warp that has `lanes` of them; lane 0
/// gets the result.
#[inline(always)]
fn reduce_warp<A: Shuffle>(
    mut value: A,
    lane: u32,
    lanes: u32,
    values: u32,
    combine: impl Fn(A, A) -> A,
) -> A {
    let warp = u32::MAX >> (WARP - lanes);
    for distance in [16, 8, 4, 2, 1] {
        let other = value.shuffle_down(distance, warp);
        if lane + distance < values {
            value = combine(value, other);
        }
    }
    value
}
