//! Results of a pass by threads: `each y[i, j] by block of [16, 16] { … }`, and `each (y[i, j],
//! at[i, j]) by block of …`.

use super::{Own, Threads, Tile, inside};
use crate::grid::view::Before;
use crate::grid::{Element, Layout, Target, panic};

/// An array, or several of one shape, of which a block's threads write an element each.
pub trait ByThreads<const R: usize, const N: usize> {
    /// Value that each thread finds there, if it may.
    type Before;
    type Values;

    fn shape(&self) -> [usize; R];

    /// Reads each thread's element of the tile from this index on; nothing where there is none.
    ///
    /// # Safety
    /// No other block has this tile.
    unsafe fn before(&self, block: &Tile<R, N>, first: [usize; R]) -> Self::Before;

    /// # Safety
    /// As for [`before`](Self::before).
    unsafe fn write(&self, block: &Tile<R, N>, first: [usize; R], values: Self::Values);
}

impl<T: Element, const R: usize, M: Before<T>, L: Layout, const N: usize> ByThreads<R, N>
    for Target<'_, T, R, M, L>
{
    type Before = Own<M::Before, N>;
    type Values = Own<T, N>;

    #[inline(always)]
    fn shape(&self) -> [usize; R] {
        self.0.shape()
    }

    #[inline(always)]
    unsafe fn before(&self, block: &Tile<R, N>, first: [usize; R]) -> Self::Before {
        block.own(|at| match inside(first, at, self.0.shape()) {
            // SAFETY: inside the array, and no other thread has this index.
            Some((index, flat)) => unsafe { M::before(self.0.at(index, flat)) },
            None => M::Before::default(),
        })
    }

    #[inline(always)]
    unsafe fn write(&self, block: &Tile<R, N>, first: [usize; R], values: Own<T, N>) {
        values.each(block, |at, value| {
            if let Some((index, flat)) = inside(first, at, self.0.shape()) {
                // SAFETY: inside the array, and no other thread has this index.
                unsafe { self.0.at(index, flat).write(value) };
            }
        });
    }
}

/// Several of them; the kernel stops where they have other shapes.
macro_rules! several {
    ($($first:ident $(, $more:ident $at:tt)*;)*) => {
        $(
            impl<const R: usize, const N: usize, $first: ByThreads<R, N>, $($more: ByThreads<R, N>),*> ByThreads<R, N>
                for ($first, $($more),*)
            {
                type Before = ($first::Before, $($more::Before),*);
                type Values = ($first::Values, $($more::Values),*);

                #[inline(always)]
                #[allow(clippy::needless_range_loop)] // iterators over arrays are in memory, which on the GPU is far
                fn shape(&self) -> [usize; R] {
                    let shape = self.0.shape();
                    $(
                        let other = self.$at.shape();
                        for axis in 0..R {
                            panic::check_lengths(shape[axis], other[axis]);
                        }
                    )*
                    shape
                }

                #[inline(always)]
                unsafe fn before(&self, block: &Tile<R, N>, first: [usize; R]) -> Self::Before {
                    // SAFETY: the caller's.
                    unsafe { (self.0.before(block, first), $(self.$at.before(block, first)),*) }
                }

                #[inline(always)]
                unsafe fn write(&self, block: &Tile<R, N>, first: [usize; R], values: Self::Values) {
                    // SAFETY: the caller's.
                    unsafe {
                        self.0.write(block, first, values.0);
                        $(self.$at.write(block, first, values.$at);)*
                    }
                }
            }
        )*
    };
}

several! {
    A, B 1;
    A, B 1, C 2;
    A, B 1, C 2, D 3;
}
