//! What kernels are written with: safe views of the threads, of memory, and of what the
//! threads of a block do together.
//!
//! A kernel is run by all threads of a grid of blocks. On the GPU a thread is a thread, and
//! neighbouring threads take neighbouring elements. On the CPU one thread runs a whole block,
//! and a block takes elements that lie together. Which elements are a thread's is therefore
//! decided here; a kernel says what is done with them. Results do not depend on how many
//! threads there are of either kind, except that sums are added in another order.

#[cfg(not(target_arch = "nvptx64"))]
mod cpu;
mod element;
#[cfg(target_arch = "nvptx64")]
mod gpu;
mod kernel;
pub mod math;
mod panic;
mod parameter;
#[cfg(target_arch = "nvptx64")]
mod ptx;
#[cfg(target_arch = "nvptx64")]
mod scratch;
mod shuffle;
mod tile;
#[cfg(target_arch = "nvptx64")]
mod vector;

#[cfg(not(target_arch = "nvptx64"))]
use cpu as target;
#[cfg(target_arch = "nvptx64")]
use gpu as target;

pub use element::Element;
pub(crate) use kernel::kernel;
pub use parameter::{Input, Output, Parameter, PerBlock};
pub use shuffle::Shuffle;
pub use target::LONG_FOLDS;
pub use tile::Near;
#[cfg(not(target_arch = "nvptx64"))]
pub use {
    cpu::{blocks, launch, run_with},
    panic::Panic,
};

/// A thread's place in the grid that runs a kernel, and what it does there.
#[derive(Clone, Copy)]
pub struct Grid(target::Place);

/// A value that every thread of the block has for itself.
pub struct PerThread<A>(target::Values<A>);

impl Grid {
    /// Index of the block in the grid.
    #[inline(always)]
    pub fn block(self) -> usize {
        self.0.block()
    }

    /// Number of blocks in the grid.
    #[inline(always)]
    pub fn blocks(self) -> usize {
        self.0.blocks()
    }

    /// Calls `f` for every element of `y`.
    ///
    /// Memory is accessed 16 bytes at a time.
    #[inline(always)]
    pub fn for_each<T: Element>(self, y: Output<T>, f: impl Fn(&mut T)) {
        self.0.for_each(y, f);
    }

    /// Calls `f` with the index of every element of `y` and the element.
    #[inline(always)]
    pub fn for_each_indexed<T: Element>(self, y: Output<T>, f: impl Fn(usize, &mut T)) {
        self.0.for_each_indexed(y, f);
    }

    /// Calls `f` for every element of `y` and the element of `x` with the same index. They
    /// have the same length.
    ///
    /// Memory is accessed 16 bytes at a time.
    #[inline(always)]
    #[track_caller]
    pub fn for_each_with<T: Element>(self, x: Input<T>, y: Output<T>, f: impl Fn(T, &mut T)) {
        panic::check_lengths(x.len(), y.len());
        self.0.for_each_with(x, y, f);
    }

    /// Calls `f` for every element of the matrix `y`, with the elements of the matrix `x` that
    /// are around the one at the same place, up to `HALO` rows and columns away (at most 4).
    /// Both have the same number of elements, in rows of so many columns.
    ///
    /// Each element of `x` is read from memory about once: a block shares what its threads read.
    /// All threads of the block must come here.
    #[inline(always)]
    #[track_caller]
    pub fn for_each_near<T: Element, const HALO: u32>(
        self,
        x: Input<T>,
        y: Output<T>,
        columns: usize,
        f: impl Fn(Near<T, HALO>, &mut T),
    ) {
        tile::for_each_near(self.0, x, y, columns, f);
    }

    /// Every thread's share of a reduction over `x`: `f(… f(f(init, x), x) …)`. See also
    /// [`LONG_FOLDS`].
    ///
    /// Memory is accessed 16 bytes at a time, with several loads in flight.
    #[inline(always)]
    pub fn fold<T: Element, A: Copy>(
        self,
        x: Input<T>,
        init: A,
        f: impl Fn(A, T) -> A,
    ) -> PerThread<A> {
        PerThread(self.0.fold(x, init, f))
    }

    /// Every thread's share of a reduction over pairs of elements of `x` and `y`, as
    /// [`Grid::fold`]. They have the same length.
    #[inline(always)]
    #[track_caller]
    pub fn fold_with<T: Element, A: Copy>(
        self,
        x: Input<T>,
        y: Input<T>,
        init: A,
        f: impl Fn(A, T, T) -> A,
    ) -> PerThread<A> {
        panic::check_lengths(x.len(), y.len());
        PerThread(self.0.fold_with(x, y, init, f))
    }

    /// Combines the values of all threads of the block, in an order that depends on their
    /// number alone. One thread of the block gets the result.
    ///
    /// All threads of the block must come here.
    #[inline(always)]
    pub fn reduce<A: Shuffle>(
        self,
        values: PerThread<A>,
        combine: impl Fn(A, A) -> A,
    ) -> Option<A> {
        self.0.reduce(values.0, combine)
    }
}
