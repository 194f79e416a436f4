//! The grid on the CPU: a thread runs a block, and the block all its threads in turn.

use core::mem::MaybeUninit;
use std::slice;
use std::sync::OnceLock;

use super::{Element, Grid, Input, Output, Shuffle, tile};

/// Elements of a block. Short enough that the sums of its threads are of few terms, and a
/// multiple of what a cache line holds.
const ELEMENTS: usize = 2048;

/// Threads of a block. Their values are computed side by side by the CPU's vector units.
const THREADS: usize = 32;

/// So many blocks a thread takes at a time, so that it is worth its while. [`launch`] runs no more
/// than these on the thread that calls it.
const FEW_BLOCKS: usize = 32;

/// Calls a function with every number below the first argument, on any threads, and returns when
/// all calls have ended.
pub type Parallel = fn(usize, &(dyn Fn(usize) + Sync));

static PARALLEL: OnceLock<Parallel> = OnceLock::new();

/// The block that this is, and of how many.
#[derive(Clone, Copy)]
pub struct Place {
    block: usize,
    blocks: usize,
}

/// The values of all threads of the block.
pub type Values<A> = [A; THREADS];

/// A thread's share of a fold has few terms, however long the array is.
pub const LONG_FOLDS: bool = false;

/// Memory of the block for elements of a matrix.
#[derive(Clone, Copy)]
pub struct Tile(*mut u8);

impl Tile {
    /// # Safety
    /// The element must be inside of the tile, and have been stored.
    pub unsafe fn load<T: Element>(self, index: u32) -> T {
        // SAFETY: the caller's; the memory is aligned for all elements.
        unsafe { self.0.cast::<T>().add(index as usize).read() }
    }

    /// # Safety
    /// The element must be inside of the tile.
    pub unsafe fn store<T: Element>(self, index: u32, value: T) {
        // SAFETY: as above.
        unsafe { self.0.cast::<T>().add(index as usize).write(value) };
    }
}

/// The number of blocks that suits arrays of so many elements.
///
/// It depends on nothing else, so that equal input gives equal bits on every machine.
#[must_use]
pub fn blocks(elements: usize) -> usize {
    elements.div_ceil(ELEMENTS)
}

/// Says, once, how [`launch`] is to work on several threads. Until then it works on one.
pub fn run_with(parallel: Parallel) {
    PARALLEL.get_or_init(|| parallel);
}

/// Runs `kernel` for every block: on several threads, or here if there are few blocks.
pub fn launch(blocks: usize, kernel: impl Fn(Grid) + Sync) {
    let run = |block| kernel(Grid(Place { block, blocks }));
    match PARALLEL.get() {
        Some(parallel) if blocks > FEW_BLOCKS => parallel(blocks.div_ceil(FEW_BLOCKS), &|task| {
            let start = task * FEW_BLOCKS;
            (start..blocks.min(start + FEW_BLOCKS)).for_each(run);
        }),
        _ => (0..blocks).for_each(run),
    }
}

impl Place {
    pub fn block(self) -> usize {
        self.block
    }

    pub fn blocks(self) -> usize {
        self.blocks
    }

    pub fn is_first_of_block(self) -> bool {
        true // one thread is all of them
    }

    pub fn thread_of_block(self) -> u32 {
        0
    }

    pub fn threads_of_block(self) -> u32 {
        1
    }

    pub fn wait_for_block(self) {}

    /// Calls `f` with memory for one tile.
    pub fn with_tile(self, f: impl FnOnce(Tile)) {
        let mut memory = [const { MaybeUninit::<u64>::uninit() }; tile::BYTES / 8];
        f(Tile(memory.as_mut_ptr().cast()));
    }

    /// First index and length of the block's share of `count` elements.
    fn share(self, count: usize) -> (usize, usize) {
        let length = count.div_ceil(self.blocks).next_multiple_of(THREADS);
        let start = count.min(self.block * length);
        (start, length.min(count - start))
    }

    fn input<T>(self, x: Input<'_, T>) -> &[T] {
        let (start, length) = self.share(x.len());
        // SAFETY: inside of the array, which nobody writes.
        unsafe { slice::from_raw_parts(x.start.add(start), length) }
    }

    fn output<'a, T>(self, y: Output<'a, T>) -> (usize, &'a mut [T]) {
        let (start, length) = self.share(y.len());
        // SAFETY: inside of the array, whose shares are apart; `y` is gone.
        (start, unsafe {
            slice::from_raw_parts_mut(y.start.add(start), length)
        })
    }

    #[inline(always)]
    pub fn for_each_indexed<T: Element>(self, y: Output<T>, f: impl Fn(usize, &mut T)) {
        let (start, y) = self.output(y);
        for (index, y) in y.iter_mut().enumerate() {
            f(start + index, y);
        }
    }

    #[inline(always)]
    pub fn for_each<T: Element>(self, y: Output<T>, f: impl Fn(&mut T)) {
        self.output(y).1.iter_mut().for_each(f);
    }

    #[inline(always)]
    pub fn for_each_with<T: Element>(self, x: Input<T>, y: Output<T>, f: impl Fn(T, &mut T)) {
        for (&x, y) in self.input(x).iter().zip(self.output(y).1) {
            f(x, y);
        }
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
        let (xs, x_rest) = self.input(x).as_chunks::<THREADS>();
        let (ys, y_rest) = self.input(y).as_chunks::<THREADS>();
        let mut totals = [init; THREADS];
        for (x, y) in xs.iter().zip(ys) {
            for thread in 0..THREADS {
                totals[thread] = f(totals[thread], x[thread], y[thread]);
            }
        }
        for (total, (&x, &y)) in totals.iter_mut().zip(x_rest.iter().zip(y_rest)) {
            *total = f(*total, x, y);
        }
        totals
    }

    /// In the order of the warps' shuffles.
    #[inline(always)]
    pub fn reduce<A: Shuffle>(
        self,
        mut values: Values<A>,
        combine: impl Fn(A, A) -> A,
    ) -> Option<A> {
        let mut distance = THREADS / 2;
        while distance > 0 {
            for thread in 0..distance {
                values[thread] = combine(values[thread], values[thread + distance]);
            }
            distance /= 2;
        }
        Some(values[0])
    }
}
