//! How the threads of a block bring a factor into shared memory.

use core::marker::PhantomData;
use core::ptr;

use super::{Multiply, Operand, Track, ptx};
use crate::grid::ptx::{store_shared, thread_in_block, unknown};

/// A thread's part of a factor: 16 bytes of some of the rows that a stage has.
pub struct Fill<E, O> {
    factor: O,
    track: Option<Track>,
    /// Where the next of them are, and how many bytes are from one stage to the next.
    from: *const u8,
    advance: usize,
    /// End of the rows from which something is copied.
    inside: u32,
    /// The first of the rows, how many there are in a stage, and how many are from one to the next.
    row: usize,
    rows: usize,
    apart: usize,
    /// Which of the 16 bytes of a row.
    chunk: usize,
    end: [usize; 2],
    elements: PhantomData<E>,
}

impl<E: Multiply, O: Operand<E>> Fill<E, O> {
    const LANES: usize = 16 / size_of::<E>();

    /// Shares rows of so many bytes among so many threads, which are all of the block. From `end` on there are zeros.
    #[inline(always)]
    pub fn new(factor: O, threads: usize, [rows, bytes]: [usize; 2], end: [usize; 2]) -> Self {
        let (thread, chunks) = (thread_in_block() as usize, bytes / 16);
        let (row, chunk) = (thread / chunks, thread % chunks);
        let track = factor.track([row, chunk * Self::LANES], end);
        Self {
            from: track.map_or(ptr::null(), |track| track.from),
            track,
            factor,
            advance: 0,
            inside: 0,
            row,
            rows,
            apart: threads / chunks,
            chunk,
            end,
            elements: PhantomData,
        }
    }

    /// Prepares to copy so many columns of a left factor at a time; returns how often there are so many.
    #[inline(always)]
    pub fn columns(&mut self, at_once: usize) -> usize {
        let Some(track) = self.track else {
            return 0;
        };
        self.advance = at_once * size_of::<E>();
        self.inside = track.end[0].min(self.rows) as u32;
        track.end[1] / at_once
    }

    /// Prepares to copy so many rows of a right factor at a time; returns how often there are so many. None if 16 bytes are
    /// inside in part.
    #[inline(always)]
    pub fn rows(&mut self, at_once: usize) -> usize {
        let Some(track) = self.track else {
            return 0;
        };
        self.advance = at_once.wrapping_mul(track.stride);
        let is_inside = self.chunk * Self::LANES < track.end[1];
        self.inside = if is_inside { u32::MAX } else { 0 };
        match track.end[1].is_multiple_of(Self::LANES) {
            true => track.end[0] / at_once,
            false => 0,
        }
    }

    /// Starts to copy what the next stage has.
    ///
    /// # Safety
    /// The places must be in shared memory, no thread reads there now, and this is called as often as was said at most.
    #[inline(always)]
    pub unsafe fn copy(&mut self, place: impl Fn(u32, u32) -> u32) {
        let stride = self.track.map_or(0, |track| track.stride);
        self.each(self.turns(), |row, before| {
            let from = self.from.wrapping_add(before.wrapping_mul(stride));
            let bytes = if (row as u32) < self.inside { 16 } else { 0 };
            // SAFETY: the caller's; no other thread has this place.
            unsafe { ptx::copy(place(row as u32, self.chunk as u32), from, bytes) };
        });
        self.from = self.from.wrapping_add(self.advance);
    }

    /// Stores elements one by one, from an index on.
    ///
    /// # Safety
    /// The places must be in shared memory, and no thread reads there now.
    #[inline(always)]
    pub unsafe fn store(&self, first: [usize; 2], place: impl Fn(u32, u32) -> u32) {
        self.each(unknown(self.turns()), |row, _| {
            let to = place(row as u32, self.chunk as u32);
            for lane in 0..unknown(Self::LANES) {
                let at = [first[0] + row, first[1] + self.chunk * Self::LANES + lane];
                let element = if at[0] < self.end[0] && at[1] < self.end[1] {
                    self.factor.element(at)
                } else {
                    E::default()
                };
                // SAFETY: the caller's; no other thread has this place.
                unsafe { store_shared(to + (lane * size_of::<E>()) as u32, element) };
            }
        });
    }

    /// How many of the rows may be this thread's.
    #[inline(always)]
    fn turns(&self) -> usize {
        self.rows.div_ceil(self.apart)
    }

    /// Calls `f` with each of them, and with how many rows are before it from the first one on.
    #[inline(always)]
    fn each(&self, turns: usize, f: impl Fn(usize, usize)) {
        for turn in 0..turns {
            let row = self.row + turn * self.apart;
            if self.rows.is_multiple_of(self.apart) || row < self.rows {
                f(row, turn * self.apart);
            }
        }
    }
}
