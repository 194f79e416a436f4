//! Each thread has some of the sums in registers.

use super::fill::Fill;
use super::{DEPTH, Mapped, Multiply, Operand, SIDE, STAGES, Warps, ptx, tile_threads};
use crate::grid::ptx::{
    barrier, load_shared, shared_offset, shuffle_first, store_shared, thread_in_block, unknown,
};
use crate::grid::view::Before;
use crate::grid::{Element, Grid, Layout, Target, View, target};

/// Rows of tiles that neighbouring blocks share, so that what they read stays in the cache.
const GROUP: usize = 16;

/// Bytes of the sums of 16 rows of a warp.
const PART: u32 = 16 * SIDE as u32 * 4;

/// The sums of a tile, in float32: of a warp's square, 4 times 16 rows and 8 times 8 columns, of which a thread has 4.
pub struct Sums<const M: usize, const N: usize>([[[f32; 4]; 8]; 4]);

/// Repeats what follows with each of the numbers as a constant: what a variable indexes is not in registers.
macro_rules! repeat {
    ($name:ident in [$($number:literal)*] $body:block) => {
        $({
            const $name: usize = $number;
            $body
        })*
    };
}

impl<const M: usize, const N: usize> Sums<M, N> {
    const STAGE: u32 = ((M + N) * DEPTH) as u32;
    const THREADS: usize = tile_threads([M, N]) as usize;

    #[inline(always)]
    pub(super) fn new() -> Self {
        Self([[[0.0; 4]; 8]; 4])
    }

    /// Adds the product of two factors, of which `depth` columns of the left one and rows of the right one are
    /// multiplied: `sums[row, column] += left[row, l] * right[l, column]`, for all `l`.
    #[inline(always)]
    pub fn add_product<E: Multiply, T, B>(
        &mut self,
        tile: &mut Warps<T, B, M, N>,
        depth: usize,
        left: impl Operand<E>,
        right: impl Operand<E>,
    ) {
        let [rows, columns] = tile.inside;
        let (at_once, width) = (DEPTH / size_of::<E>(), N * size_of::<E>());
        let steps = depth.div_ceil(at_once);
        if steps == 0 {
            return;
        }
        // From a lane, so that it stays in a register: it is calculated anew otherwise.
        let shared = shuffle_first(shared_offset!(KERNEL_SHARED));
        let mut left = Fill::new(left, Self::THREADS, [M, DEPTH], [rows, depth]);
        let mut right = Fill::new(right, Self::THREADS, [at_once, width], [depth, columns]);
        let whole = left.columns(at_once).min(right.rows(at_once));
        let stage = |step: usize| shared + (step % STAGES) as u32 * Self::STAGE;
        let mut start = |step: usize| {
            let (to, l) = (stage(step), step * at_once);
            let beside = to + (M * DEPTH) as u32;
            let in_left = |row, chunk| to + in_left(row, chunk);
            let in_right = |row, chunk| beside + in_right::<E>(row, chunk, width as u32);
            // SAFETY: of this stage, which no thread reads now.
            unsafe {
                if step < whole {
                    left.copy(in_left);
                    right.copy(in_right);
                } else if step < steps {
                    left.store([0, l], in_left);
                    right.store([l, 0], in_right);
                }
            }
            ptx::commit();
        };
        barrier(); // the stages of the product before have been read
        (0..STAGES - 1).for_each(&mut start);
        // SAFETY, of all loads: all threads are here, and what they have copied is there. Behind the last stage is an older
        // one, which is not multiplied.
        ready();
        let mut first = unsafe { Fragments::load::<E, M, N, 0>(shared) };
        for step in 0..steps {
            start(step + STAGES - 1);
            let second = unsafe { Fragments::load::<E, M, N, 1>(stage(step)) };
            self.add::<E>(&first);
            ready(); // and this stage has been read
            first = unsafe { Fragments::load::<E, M, N, 0>(stage(step + 1)) };
            self.add::<E>(&second);
        }
    }

    #[inline(always)]
    fn add<E: Multiply>(&mut self, Fragments { left, right }: &Fragments) {
        repeat!(PAIR in [0 1 2 3] {
            repeat!(ROWS in [0 1 2 3] {
                E::multiply(&mut self.0[ROWS][2 * PAIR], left[ROWS], right[PAIR][0]);
                E::multiply(&mut self.0[ROWS][2 * PAIR + 1], left[ROWS], right[PAIR][1]);
            });
        });
    }
}

/// Waits for all threads of the block, and for what they have copied of the next stage.
#[inline(always)]
fn ready() {
    ptx::wait_for_all_but_two();
    barrier();
    ptx::together();
}

/// Operands that a warp multiplies at once: 32 bytes of depth of its rows and columns. They are
/// loaded before those before them are multiplied.
struct Fragments {
    left: [[u32; 4]; 4],
    right: [[[u32; 2]; 2]; 4],
}

impl Fragments {
    /// Loads the first or the second half of a stage.
    ///
    /// # Safety
    /// All threads of the block must come here, and the stage must be there.
    #[inline(always)]
    unsafe fn load<E: Multiply, const M: usize, const N: usize, const HALF: usize>(
        stage: u32,
    ) -> Self {
        let (lane, [top, first]) = (thread_in_block() % 32, square::<N>());
        let width = (N * size_of::<E>()) as u32;
        let right = stage + (M * DEPTH) as u32;
        let lanes = 16 / size_of::<E>() as u32;
        // SAFETY: the caller's, here and below: each lane says where a row of 16 bytes is.
        let load = |row: u32| unsafe {
            let place = in_left(top + row + lane % 16, 2 * HALF as u32 + lane / 16);
            let [a, b, c, d] = ptx::load(stage + place);
            [E::rounded(a), E::rounded(b), E::rounded(c), E::rounded(d)]
        };
        let pair = |pair: u32| unsafe {
            E::load_right(lane, |depth, column| {
                let depth = depth + (HALF * 32 / size_of::<E>()) as u32;
                let column = first + 16 * pair + column;
                let bytes = column % lanes * size_of::<E>() as u32;
                right + in_right::<E>(depth, column / lanes, width) + bytes
            })
        };
        Self {
            left: [load(0), load(16), load(32), load(48)],
            right: [pair(0), pair(1), pair(2), pair(3)],
        }
    }
}

/// Where the square of this warp begins.
#[inline(always)]
fn square<const N: usize>() -> [u32; 2] {
    let (warp, across) = (thread_in_block() / 32, (N / SIDE) as u32);
    [warp / across * SIDE as u32, warp % across * SIDE as u32]
}

/// Where 16 bytes of a row of the left factor are in a stage: 8 rows have them in different banks.
#[inline(always)]
fn in_left(row: u32, chunk: u32) -> u32 {
    row * DEPTH as u32 + (chunk ^ row / 2 % 4) * 16
}

/// Where 16 bytes of a row of the right factor are in its part of a stage: 8 rows of 16 bits have them in different
/// banks, and 4 rows of 32 bits have twice as many.
#[inline(always)]
fn in_right<E>(row: u32, chunk: u32, width: u32) -> u32 {
    let spread = if size_of::<E>() == 2 {
        row % 8
    } else {
        row % 4 * 2
    };
    row * width + (chunk ^ spread) * 16
}

impl Grid {
    /// The block writes a tile of `y` at a time.
    #[inline(always)]
    pub fn each_by_product<T, A, L, F, const M: usize, const N: usize>(
        self,
        y: Target<T, 2, A, L>,
        mut f: impl FnMut([usize; 2], &mut Warps<T, A::Before, M, N>) -> Mapped<F, M, N>,
    ) where
        T: Element,
        A: Before<T>,
        L: Layout,
        F: Fn([usize; 2], f32, A::Before) -> T,
    {
        let (y, shape) = (y.0, y.0.shape());
        let [down, across] = [shape[0].div_ceil(M), shape[1].div_ceil(N)];
        let mut tile = self.block();
        while tile < down * across {
            let group = tile / (GROUP * across) * GROUP;
            let height = GROUP.min(down - group);
            let rest = tile - group * across;
            let first = [(group + rest % height) * M, rest / height * N];
            let mut warps = Warps::new(first, shape);
            let mapped = f(first, &mut warps);
            barrier(); // all stages have been read
            ptx::together();
            // SAFETY: each tile is one block's, and all of its threads come here.
            unsafe { write(&y, first, warps.inside, &mapped.sums, mapped.f) };
            tile += self.blocks();
        }
    }
}

/// Writes a tile. Sums of 16 rows at a time pass through shared memory, so that a warp writes whole rows.
///
/// # Safety
/// No other block has this tile, and all threads of this one come here.
#[inline(always)]
unsafe fn write<T: Element, A: Before<T>, L: Layout, const M: usize, const N: usize>(
    y: &View<'_, T, 2, A, L>,
    first: [usize; 2],
    end: [usize; 2],
    sums: &Sums<M, N>,
    f: impl Fn([usize; 2], f32, A::Before) -> T,
) {
    let (lane, [top, left]) = (thread_in_block() % 32, square::<N>());
    let part: u32 = shared_offset!(KERNEL_SHARED);
    let part = part + thread_in_block() / 32 * PART;
    // A pair of neighbours, in another bank than the pairs of 8 columns of other rows.
    let place =
        |row: u32, columns: u32, pair: u32| part + row * 256 + (columns ^ row % 8) * 32 + pair * 8;
    repeat!(ROWS in [0 1 2 3] {
        repeat!(COLUMNS in [0 1 2 3 4 5 6 7] {
            let [a, b, c, d] = sums.0[ROWS][COLUMNS];
            let (row, pair) = (lane / 4, lane % 4);
            // SAFETY: of this warp's part, and no other thread has these.
            unsafe {
                store_shared(place(row, COLUMNS as u32, pair), both(a, b));
                store_shared(place(row + 8, COLUMNS as u32, pair), both(c, d));
            }
        });
        ptx::together();
        for row in 0..unknown(16) as u32 {
            // SAFETY: written above, by this warp.
            let bits: u64 = unsafe { load_shared(place(row, lane / 4, lane % 4)) };
            let at = [(top + 16 * ROWS as u32 + row) as usize, (left + 2 * lane) as usize];
            let sums = [f32::from_bits(bits as u32), f32::from_bits((bits >> 32) as u32)];
            // SAFETY: the caller's, and no other thread has these.
            unsafe { write_pair(y, first, at, end, sums, &f) };
        }
        ptx::together();
    });
}

#[inline(always)]
fn both(low: f32, high: f32) -> u64 {
    u64::from(low.to_bits()) | u64::from(high.to_bits()) << 32
}

/// Writes two elements of a row of a tile, or one, if the result ends there.
///
/// # Safety
/// No other thread has them.
#[inline(always)]
unsafe fn write_pair<T: Element, A: Before<T>, L: Layout>(
    y: &View<'_, T, 2, A, L>,
    first: [usize; 2],
    [row, column]: [usize; 2],
    end: [usize; 2],
    sums: [f32; 2],
    f: impl Fn([usize; 2], f32, A::Before) -> T,
) {
    let i = first[0] + row;
    let place = |column: usize| {
        let j = first[1] + column;
        ([i, j], y.at([i, j], i * y.shape()[1] + j))
    };
    let is_inside = |number: usize| row < end[0] && column + number < end[1];
    let value = |number: usize| {
        if !is_inside(number) {
            return T::default();
        }
        let (index, from) = place(column + number);
        // SAFETY: inside the array.
        f(index, sums[number], unsafe { A::before(from) })
    };
    let values = [value(0), value(1)];
    let (to, next) = (place(column).1, place(column + 1).1);
    let is_one_access = next == to.wrapping_add(1) && to.addr().is_multiple_of(2 * size_of::<T>());
    // SAFETY, of all three: inside the array, and no other thread has these.
    if is_inside(1) && is_one_access {
        unsafe { target::store(to, values) };
        return;
    }
    if is_inside(0) {
        unsafe { to.write(values[0]) };
    }
    if is_inside(1) {
        unsafe { next.write(values[1]) };
    }
}
