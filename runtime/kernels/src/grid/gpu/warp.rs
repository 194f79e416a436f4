//! Reductions and scans by the threads of a warp or of a block.

use core::array;
use core::cell::Cell;
use core::mem::MaybeUninit;

use super::row::{Pack, each_below, each_pack, is_short, kind_and_turn};
use super::{Grid, IN_FLIGHT, WARP, load_constant, stride};
use crate::grid::rows::{MOST_AT_A_TIME, MOST_KEPT, SINGLE, SINGLES, THREADS_OF_ROW, kept};
use crate::grid::team::{Share, scan_singles};
use crate::grid::{
    AtIndices, Element, REDUCED, Readable, SLOT, Shuffle, Split, Team, Total, View, pack, panic,
    ptx,
};

/// Combines the values of all lanes; lane 0 gets the result.
#[inline(always)]
pub(in crate::grid) fn reduce_warp<A: Shuffle>(mut value: A, combine: impl Fn(A, A) -> A) -> A {
    for distance in [16, 8, 4, 2, 1] {
        value = combine(
            value,
            value.shuffle(|word| ptx::shuffle_down(word, distance)),
        );
    }
    value
}

/// Combines this thread's value with another one, in one order on both threads, so that both have the same bits.
#[inline(always)]
fn in_order<A: Copy>(is_second: u32, mine: A, other: A, combine: impl Fn(A, A) -> A) -> A {
    let (first, second) = match is_second {
        0 => (mine, other),
        _ => (other, mine),
    };
    combine(first, second)
}

/// Combines the values of as many lanes, a power of two; all of them get the result, with the same bits.
#[inline(always)]
fn reduce_lanes<A: Shuffle>(lane: u32, lanes: u32, mut value: A, combine: impl Fn(A, A) -> A) -> A {
    for distance in [16, 8, 4, 2, 1] {
        if distance < lanes {
            let other = value.shuffle(|word| ptx::shuffle_across(word, distance));
            value = in_order(lane & distance, value, other, &combine);
        }
    }
    value
}

/// Combines the values of all threads of the block, by shuffles in every warp first, for each.
///
/// All threads of the block must come here.
#[inline(always)]
pub(in crate::grid) fn reduce_block<A: Shuffle>(
    grid: Grid,
    value: A,
    combine: impl Fn(A, A) -> A,
) -> A {
    ptx::barrier_of_words(); // what an earlier reduction left has been read
    reduce_in(0, grid, value, combine)
}

/// The same, where nobody reads what was left in this half of the slots.
#[inline(always)]
fn reduce_in<A: Shuffle>(half: u32, grid: Grid, value: A, combine: impl Fn(A, A) -> A) -> A {
    let thread = grid.thread_in_block() as u32;
    let warps = grid.threads_in_block() as u32 / WARP;
    let value = reduce_warp(value, &combine);
    if warps == 1 {
        return value.shuffle(ptx::shuffle_first);
    }
    if thread % WARP == 0 {
        leave(half, thread / WARP, value);
    }
    ptx::barrier_of_words();
    // SAFETY: what the warps have left.
    let of_warp = |warp| unsafe { taken::<A>(half, warp) };
    if !warps.is_power_of_two() {
        return (1..warps).fold(of_warp(0), |total, warp| combine(total, of_warp(warp)));
    }
    // The lanes take the value of a warp each.
    let among_lanes = |mut distance| {
        let mut total = of_warp(thread % warps);
        while distance > 0 {
            let other = total.shuffle(|word| ptx::shuffle_from(word, thread % WARP ^ distance));
            total = in_order(thread & distance, total, other, &combine);
            distance /= 2;
        }
        total
    };
    if size_of::<A>() <= 8 {
        return among_lanes(warps / 2);
    }
    // All of them are much to combine: the first warp does, and tells the others.
    if thread < WARP {
        let total = among_lanes(warps / 2);
        if thread == 0 {
            leave(half, warps, total);
        }
    }
    ptx::barrier_of_words();
    // SAFETY: left before the barrier.
    unsafe { taken(half, warps) }
}

/// Combines the values of the lanes up to this one.
#[inline(always)]
fn scan_warp<A: Shuffle>(mut value: A, lane: u32, merge: impl Fn(A, A) -> A) -> A {
    for distance in [1, 2, 4, 8, 16] {
        let before = value.shuffle(|word| ptx::shuffle_up(word, distance));
        if lane >= distance {
            value = merge(before, value);
        }
    }
    value
}

/// Combines the values of the lanes before this one, and of all.
#[inline(always)]
fn scan_lanes<A: Shuffle>(value: A, start: A, merge: impl Fn(A, A) -> A) -> (A, A) {
    let lane = ptx::thread_in_block() % WARP;
    let upto = scan_warp(value, lane, merge);
    let earlier = upto.shuffle(|word| ptx::shuffle_up(word, 1));
    let last = ptx::lane() | (ptx::threads_in_block().min(WARP) - 1);
    let all = upto.shuffle(|word| ptx::shuffle_from(word, last));
    (if lane == 0 { start } else { earlier }, all)
}

/// Combines the values of the warps before this one, and of all in the block.
///
/// All threads of the block must come here, and nobody reads what was left in this half of the slots.
#[inline(always)]
fn scan_warps<A: Shuffle>(
    half: u32,
    grid: Grid,
    value: A,
    start: A,
    merge: impl Fn(A, A) -> A,
) -> (A, A) {
    let thread = grid.thread_in_block() as u32;
    let (warp, lane) = (thread / WARP, thread % WARP);
    let warps = grid.threads_in_block() as u32 / WARP;
    if warps <= 1 {
        return (start, value);
    }
    if lane == 0 {
        leave(half, warp, value);
    }
    ptx::barrier_of_words();
    // The lanes take the value of a warp each.
    // SAFETY: what they have left.
    let of_warp = unsafe { taken::<A>(half, lane.min(warps - 1)) };
    let upto = scan_warp(of_warp, lane, &merge);
    let earlier = upto.shuffle(|word| ptx::shuffle_from(word, warp.wrapping_sub(1) % WARP));
    let all = upto.shuffle(|word| ptx::shuffle_from(word, warps - 1));
    (if warp == 0 { start } else { earlier }, all)
}

/// The threads of a block, which work on one element or row together: on `N` elements at a time, as the kind says.
pub struct Block<const KIND: usize = { SINGLE }, const N: usize = 1> {
    grid: Grid,
    row: usize,
    /// The half of the slots that nobody reads from, if that is known.
    free: Cell<Option<u32>>,
}

impl Block {
    /// For elements, of which it may have several.
    #[inline(always)]
    pub(in crate::grid) fn of(grid: Grid) -> Self {
        Self {
            grid,
            row: 0,
            free: Cell::new(None),
        }
    }
}

impl<const KIND: usize, const N: usize> Block<KIND, N> {
    /// For the only row of this length that it has.
    #[inline(always)]
    pub(super) fn of_row(grid: Grid, row: usize) -> Self {
        Self {
            grid,
            row,
            free: Cell::new(Some(0)),
        }
    }

    /// The half of the slots that is free, and is not afterwards. When the next reduction is over, this one's has been read.
    /// Large values of many warps take both.
    #[inline(always)]
    fn half<A>(&self) -> u32 {
        let fits = size_of::<A>() <= SLOT / 2 || self.grid.threads <= THREADS_OF_ROW as u32 / 2;
        let free = self.free.get().filter(|_| fits);
        if free.is_none() {
            ptx::barrier_of_words();
        }
        self.free.set(free.map(|half| HALF - half));
        free.unwrap_or(0)
    }
}

impl<const KIND: usize, const N: usize> Team for Block<KIND, N> {
    #[inline(always)]
    fn fold<A: Shuffle>(
        &mut self,
        end: usize,
        start: A,
        add: impl Fn(A, usize) -> A + Sync,
        combine: impl Fn(A, A) -> A + Sync,
    ) -> A {
        let mut total = start;
        each_pack!(
            self,
            end,
            KIND,
            |pack| total = pack.fold(total, end, &add),
            total = self.grid.fold_numbers(end, start, &add)
        );
        if is_short(KIND) {
            let lane = self.grid.thread_in_block() as u32;
            return reduce_lanes(lane, self.grid.threads, total, combine);
        }
        reduce_in(self.half::<A>(), self.grid, total, combine)
    }
}

impl<const KIND: usize, const N: usize> Share for Block<KIND, N> {
    #[inline(always)]
    fn thread(&self) -> usize {
        self.grid.thread_in_block()
    }

    #[inline(always)]
    fn threads(&self) -> usize {
        self.grid.threads_in_block()
    }

    #[inline(always)]
    fn wait(&self) {
        if is_short(KIND) {
            ptx::barrier_of_warp();
        } else {
            ptx::barrier_of_words();
        }
    }

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
        each_pack!(
            self,
            end,
            KIND,
            // SAFETY: the caller's, here and below.
            |pack| unsafe { y.write_places(index, at, value, before, &pack) },
            self.share(end, |place| unsafe {
                y.write_places(index, at, value, before, &place)
            })
        );
    }

    #[inline(always)]
    unsafe fn scan_numbers<T: Element + Shuffle>(
        &self,
        end: usize,
        start: T,
        value: impl Fn(usize) -> T,
        merge: impl Fn(T, T) -> T,
        element: impl Fn(usize) -> *mut T,
    ) {
        let mut total = start;
        if KIND > MOST_AT_A_TIME && end == self.row {
            // A warp's packs follow one another.
            let mut upto = [[start; N]; MOST_KEPT];
            let mut k = 0;
            each_pack!(
                self,
                end,
                KIND,
                |pack| {
                    upto[k] = pack.scan(end, &mut total, start, &value, &merge, |mine| {
                        scan_lanes(mine, start, &merge)
                    });
                    k += 1;
                },
                ()
            );
            let (before, _) = scan_warps(self.half::<T>(), self.grid, total, start, &merge);
            k = 0;
            each_pack!(
                self,
                end,
                KIND,
                |pack| {
                    let values = upto[k].map(|value| merge(before, value));
                    // SAFETY: the caller's, here and below.
                    unsafe { pack.store(values, &element) };
                    k += 1;
                },
                ()
            );
            return;
        }
        each_pack!(
            self,
            end,
            KIND,
            |pack| {
                let upto = pack.scan(end, &mut total, start, &value, &merge, |mine| {
                    self.scan_threads(mine, start, &merge)
                });
                unsafe { pack.store(upto, &element) };
            },
            unsafe { scan_singles(self, end, [start; 2], value, &merge, element) }
        );
    }

    #[inline(always)]
    fn scan_threads<A: Shuffle>(&self, value: A, start: A, merge: impl Fn(A, A) -> A) -> (A, A) {
        let (earlier, of_warp) = scan_lanes(value, start, &merge);
        let (before, all) = scan_warps(self.half::<A>(), self.grid, of_warp, start, &merge);
        (merge(before, earlier), all)
    }
}

/// 32 threads that work on one element together.
pub struct Warp {
    pub(super) lane: u32,
}

impl Warp {
    /// The sum of `f` over pairs of elements of `x` and `y`, which are equally long.
    ///
    /// All threads of the warp must come here, and all get the sum.
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
        let (lane, warp, mut sum) = (self.lane as usize, WARP as usize, S::default());
        // Pairs of 4 elements of up to 4 bytes, or of 2: in 16 bytes of the larger.
        let mut done = 0;
        match pack::lanes(&[size_of::<A>(), size_of::<B>()]) {
            4.. => (sum, done) = self.packs::<A, B, S, 4>(x.start, y.start, x.len(), &f),
            2 => (sum, done) = self.packs::<A, B, S, 2>(x.start, y.start, x.len(), &f),
            _ => {}
        }
        stride(done + lane, x.len(), warp, |at| sum = sum + term(at));
        let sum = reduce_warp(sum, |a, b| a + b);
        sum.shuffle(ptx::shuffle_first)
    }

    /// The sum over the first elements, `L` at a time, and how many those are.
    #[inline(always)]
    fn packs<A: Element, B: Element, S: Total, const L: usize>(
        &self,
        x: *const A,
        y: *const B,
        len: usize,
        f: impl Fn(A, B) -> S,
    ) -> (S, usize) {
        let (lane, warp, mut sum) = (self.lane as usize, WARP as usize, S::default());
        let split =
            Split::of(L)
                .with(len, x.addr(), size_of::<A>())
                .with(len, y.addr(), size_of::<B>());
        if split.head >= warp {
            return (sum, 0); // they sit differently
        }
        if lane < split.head {
            // SAFETY: inside the arrays.
            sum = unsafe { f(pack::load_one(x.add(lane)), pack::load_one(y.add(lane))) };
        }
        // SAFETY: inside the arrays.
        let load = |pack| unsafe {
            let at = split.pack(pack);
            (
                load_constant::<A, L>(x.add(at)),
                load_constant::<B, L>(y.add(at)),
            )
        };
        let add =
            |sum: S, (xs, ys): &([A; L], [B; L])| (0..L).fold(sum, |sum, k| sum + f(xs[k], ys[k]));
        let mut index = lane;
        while index + (IN_FLIGHT - 1) * warp < split.packs() {
            let pairs: [_; IN_FLIGHT] = array::from_fn(|k| load(index + k * warp));
            sum = pairs.iter().fold(sum, add);
            index += IN_FLIGHT * warp;
        }
        stride(index, split.packs(), warp, |index| {
            sum = add(sum, &load(index))
        });
        (sum, split.pack(split.packs()))
    }
}

impl Team for Warp {
    #[inline(always)]
    fn fold<A: Shuffle>(
        &mut self,
        end: usize,
        start: A,
        add: impl Fn(A, usize) -> A + Sync,
        combine: impl Fn(A, A) -> A + Sync,
    ) -> A {
        let mut value = start;
        self.share(end, |number| value = add(value, number));
        reduce_warp(value, combine).shuffle(ptx::shuffle_first)
    }
}

impl Share for Warp {
    #[inline(always)]
    fn thread(&self) -> usize {
        self.lane as usize
    }

    #[inline(always)]
    fn threads(&self) -> usize {
        WARP as usize
    }

    #[inline(always)]
    fn wait(&self) {
        ptx::barrier_of_warp();
    }

    #[inline(always)]
    fn scan_threads<A: Shuffle>(&self, value: A, start: A, merge: impl Fn(A, A) -> A) -> (A, A) {
        scan_lanes(value, start, merge)
    }
}

// Shared memory for what the warps of a block tell each other.

ptx::shared!(REDUCE_SCRATCH: REDUCED);

/// Bytes of the slots that warps of a block of rows have in a reduction. While some threads still read them, others leave their
/// values for the next one in as many more.
const HALF: u32 = REDUCED as u32 / 2;

/// Words of a slot, for a value of up to so many bytes.
#[repr(C, align(16))]
union Words<A: Copy> {
    value: A,
    words: [MaybeUninit<u32>; SLOT / 4],
}

/// Leaves a value in a slot, for other threads of the block.
#[inline(always)]
fn leave<A: Copy>(half: u32, slot: u32, value: A) {
    let mut left = Words::<A> {
        words: [MaybeUninit::uninit(); SLOT / 4],
    };
    left.value = value;
    each_below!(size_of::<A>().div_ceil(4), |word: usize| {
        // SAFETY: this warp's slot, which is long enough.
        unsafe { ptx::leave_word(address::<A>(half, slot) + 4 * word as u32, left.words[word]) };
    });
}

/// The value that was left there.
///
/// # Safety
/// One of this type must have been.
#[inline(always)]
unsafe fn taken<A: Copy>(half: u32, slot: u32) -> A {
    let mut left = Words::<A> {
        words: [MaybeUninit::uninit(); SLOT / 4],
    };
    each_below!(size_of::<A>().div_ceil(4), |word: usize| {
        // SAFETY: the caller's.
        unsafe { left.words[word] = ptx::take_word(address::<A>(half, slot) + 4 * word as u32) };
    });
    // SAFETY: the words of such a value.
    unsafe { left.value }
}

/// Where a slot of this half begins: they are as large as the value.
#[inline(always)]
fn address<A>(half: u32, slot: u32) -> u32 {
    const { assert!(size_of::<A>() <= SLOT && align_of::<A>() <= 16) };
    ptx::shared_offset!(REDUCE_SCRATCH) + half + slot * size_of::<A>().next_multiple_of(4) as u32
}
