//! How blocks of the GPU share rows.

use super::{BLOCK, Layout, View, lanes};

/// How many rows an array has.
pub fn rows<T, const R: usize, M, L: Layout>(y: &View<'_, T, R, M, L>) -> usize {
    y.shape().iter().take(R - 1).product()
}

/// Threads of a block that share a row at most: each may use 64 registers, or 128 of half as many.
pub const THREADS_OF_ROW: usize = 1024;
const HALF_OF_THEM: usize = THREADS_OF_ROW / 2;

/// How a block goes through rows: an element after the other, or in packs, up to four of each thread at a time. A larger number says
/// how many packs more than that a thread may have, all of which registers keep.
pub const SINGLE: usize = 0;
pub const MOST_AT_A_TIME: usize = 4;

/// More than this says the same of rows that a part of a warp shares, and of single elements.
pub const SHORT: usize = 32;
pub const SINGLES: usize = 64;

/// So much more says that a thread is done with a pack before it begins with the next one. Elsewhere it works out all that it may
/// write before it looks which packs are there, so that what it reads for one does not wait for another; that takes registers.
pub const IN_TURN: usize = 128;

/// Packs or single elements that registers keep at most.
pub const MOST_KEPT: usize = 16;

/// Packs or single elements that registers keep of rows of this kind.
pub const fn kept(kind: usize) -> usize {
    let kind = kind % IN_TURN;
    if kind > SINGLES {
        kind - SINGLES
    } else if kind > SHORT {
        kind - SHORT
    } else {
        kind.saturating_sub(MOST_AT_A_TIME)
    }
}

/// How the blocks of a launch load rows. Each way has a kernel of its own, with the registers that it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loaded {
    Singly,
    SinglesKept,
    InPacks,
    ShortKept,
    PacksKept,
    LongKept,
}

impl Loaded {
    /// True if rows consist of packs, and arrays begin with one.
    #[must_use]
    pub const fn needs_packs(self) -> bool {
        !matches!(self, Self::Singly | Self::SinglesKept)
    }
}

/// A row as a thread of the GPU loads it.
#[derive(Clone, Copy)]
pub struct Packs {
    /// Elements of a pack.
    pub lanes: usize,
    /// Packs that it works on at a time where it keeps none.
    pub at_a_time: usize,
    /// Packs that it keeps: of rows that a part of a warp shares, of others, and of those that are long.
    pub kept: [usize; 3],
    /// True if 64 registers are enough to keep 32 elements.
    pub is_small: bool,
    /// True if 128 are just enough.
    pub is_large: bool,
}

impl Packs {
    /// Chooses for arrays whose elements have these sizes in bytes. Few arrays need few registers of many threads; more arrays would leave none
    /// to other blocks, so fewer threads keep more each.
    #[must_use]
    pub const fn of(sizes: &[usize]) -> Self {
        let (mut arrays, mut is_small, mut index) = (0, true, 0);
        while index < sizes.len() {
            arrays += (sizes[index] > 1) as usize;
            is_small &= sizes[index] <= 4;
            index += 1;
        }
        let lanes = lanes(sizes);
        let (few, many) = (up_to_32(lanes, 4), up_to_32(lanes, 8));
        Self {
            lanes,
            at_a_time: 2,
            kept: if arrays <= 4 {
                [few, few, 2 * few]
            } else {
                [many / 2, many, many]
            },
            is_small: is_small && arrays <= 4,
            is_large: lanes > 4 && arrays > 4,
        }
    }

    /// The same for passes that write an element for each row: what they read takes few registers, and fewer threads make less of one sum.
    #[must_use]
    pub const fn read(self) -> Self {
        Self {
            at_a_time: MOST_AT_A_TIME,
            kept: [up_to_32(self.lanes, 8); 3],
            is_small: true,
            is_large: false,
            ..self
        }
    }

    /// False for a way that is another one under a second name, whose kernel is never launched and does nothing.
    #[must_use]
    pub const fn has(self, loaded: Loaded) -> bool {
        !matches!(loaded, Loaded::LongKept) || self.kept[1] != self.kept[2]
    }

    /// Threads that may share a row that is loaded so, which says how many registers each has.
    #[must_use]
    pub const fn threads(self, loaded: Loaded) -> usize {
        let [kind, lanes] = self.kind(loaded);
        match kept(kind) * lanes {
            0 if lanes > 1 => THREADS_OF_ROW,
            1..=32 if self.is_small => THREADS_OF_ROW,
            _ => HALF_OF_THEM,
        }
    }

    /// The kind of rows that are loaded so, and elements of a pack of it.
    #[must_use]
    pub const fn kind(self, loaded: Loaded) -> [usize; 2] {
        let [short, kept, long] = self.kept;
        let in_turn = if self.is_large { IN_TURN } else { 0 };
        match loaded {
            Loaded::Singly => [SINGLE, 1],
            Loaded::SinglesKept => [in_turn + SINGLES + MOST_KEPT, 1],
            Loaded::InPacks => [self.at_a_time, self.lanes],
            Loaded::ShortKept => [SHORT + short, self.lanes],
            Loaded::PacksKept => [in_turn + MOST_AT_A_TIME + kept, self.lanes],
            Loaded::LongKept => [IN_TURN + MOST_AT_A_TIME + long, self.lanes],
        }
    }
}

/// So many packs, or as many as have 32 elements.
const fn up_to_32(lanes: usize, packs: usize) -> usize {
    if packs * lanes > 32 {
        32 / lanes
    } else {
        packs
    }
}

/// Rows that blocks share.
#[derive(Clone, Copy)]
pub struct SharedRows {
    /// Elements that are loaded together; none where a block writes rows of several lengths.
    pub row: usize,
    /// Elements that the threads of a block share: those, or more.
    pub share: usize,
    /// Elements that a block reads of an array for a row. If they are more than its own, they may be read for each of its elements.
    pub read: usize,
    pub packs: Packs,
    /// True if all arrays begin with a pack, and those that are written consist of such rows.
    pub are_packed: bool,
}

impl SharedRows {
    /// How a launch loads them, how many threads share a row, and how many rows a block has: threads are as few as keep the row. Where
    /// rows have no length, they are as always.
    #[must_use]
    pub fn launch(self) -> (Loaded, [usize; 2]) {
        const WARP: usize = 32;
        if self.share == 0 {
            return (Loaded::Singly, [BLOCK as usize, 1]);
        }
        let (packs, sharing) = (self.packs, |of_a_thread| self.share.div_ceil(of_a_thread));
        let of_a_thread = |loaded| {
            let [kind, lanes] = packs.kind(loaded);
            kept(kind) * lanes
        };
        let keeping = |loaded| sharing(of_a_thread(loaded)).next_multiple_of(WARP);
        let fits = |loaded, most: usize| keeping(loaded) <= most.min(packs.threads(loaded));
        let loaded = if !self.are_packed || !self.row.is_multiple_of(packs.lanes) || self.row == 0 {
            let is_kept = self.row >= of_a_thread(Loaded::SinglesKept) * WARP;
            match is_kept && fits(Loaded::SinglesKept, THREADS_OF_ROW) {
                true => Loaded::SinglesKept,
                false => Loaded::Singly,
            }
        } else if self.read <= of_a_thread(Loaded::ShortKept) * WARP / 2 {
            Loaded::ShortKept
        } else {
            // Two blocks of half the threads have as many, and do not wait at the same time.
            [HALF_OF_THEM, THREADS_OF_ROW]
                .into_iter()
                .flat_map(|most| [Loaded::PacksKept, Loaded::LongKept].map(|loaded| (loaded, most)))
                .find(|&(loaded, most)| fits(loaded, most))
                .map_or(Loaded::InPacks, |(loaded, _)| loaded)
        };
        let threads = match loaded {
            Loaded::Singly => sharing(4).next_multiple_of(WARP).min(packs.threads(loaded)),
            Loaded::InPacks => packs.threads(loaded),
            Loaded::ShortKept => sharing(of_a_thread(loaded)).next_power_of_two(),
            _ => keeping(loaded),
        };
        let rows = match loaded {
            Loaded::Singly | Loaded::ShortKept if threads <= WARP => BLOCK as usize / threads,
            _ => 1,
        };
        (loaded, [threads, rows])
    }
}
