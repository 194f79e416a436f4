//! How the threads of a block bring a factor into shared memory.

use core::marker::PhantomData;

use super::{Multiply, Operand, Track, ptx};
use crate::grid::ptx::{store_shared, thread_in_block};

/// A thread's part of a factor: 16 bytes of some of the rows that a stage has.
pub struct Fill<E, O> {
    factor: O,
    track: Option<Track>,
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
        Self {
            track: factor.track([row, chunk * Self::LANES], end),
            factor,
            row,
            rows,
            apart: threads / chunks,
            chunk,
            end,
            elements: PhantomData,
        }
    }

    /// Brings columns of a left factor.
    ///
    /// # Safety
    /// The places must be in shared memory, and no thread reads there now.
    #[inline(always)]
    pub unsafe fn columns(&self, first: usize, count: usize, place: impl Fn(u32, u32) -> u32) {
        match &self.track {
            Some(track) if first + count <= track.end[1] => {
                let from = track.from.wrapping_add(first * size_of::<E>());
                let bytes = |row: usize| if row < track.end[0] { 16 } else { 0 };
                // SAFETY: the caller's, and so many bytes are inside.
                unsafe { self.copy(from, track.stride, bytes, place) };
            }
            // SAFETY: the caller's.
            _ => unsafe { self.store([0, first], place) },
        }
    }

    /// Brings rows of a right factor.
    ///
    /// # Safety
    /// As for [`columns`](Self::columns).
    #[inline(always)]
    pub unsafe fn rows(&self, first: usize, count: usize, place: impl Fn(u32, u32) -> u32) {
        match &self.track {
            Some(track) if first + count <= track.end[0] => {
                let from = track.from.wrapping_add(first.wrapping_mul(track.stride));
                let left = track.end[1].saturating_sub(self.chunk * Self::LANES);
                let bytes = left.min(Self::LANES) * size_of::<E>();
                // SAFETY: as above.
                unsafe { self.copy(from, track.stride, |_| bytes, place) };
            }
            // SAFETY: as above.
            _ => unsafe { self.store([first, 0], place) },
        }
    }

    /// Starts to copy the bytes of each row, from an address of the first of them on.
    #[inline(always)]
    unsafe fn copy(
        &self,
        from: *const u8,
        stride: usize,
        bytes: impl Fn(usize) -> usize,
        place: impl Fn(u32, u32) -> u32,
    ) {
        self.each(|row, before| {
            let from = from.wrapping_add(before.wrapping_mul(stride));
            // SAFETY: the caller's; no other thread has this place.
            unsafe {
                ptx::copy(
                    place(row as u32, self.chunk as u32),
                    from,
                    bytes(row) as u32,
                );
            }
        });
    }

    /// Stores elements one by one, from an index on.
    #[inline(always)]
    unsafe fn store(&self, first: [usize; 2], place: impl Fn(u32, u32) -> u32) {
        self.each(|row, _| {
            let to = place(row as u32, self.chunk as u32);
            for lane in 0..Self::LANES {
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

    /// Calls `f` with each of this thread's rows, and with how many rows are before it from the first one on.
    #[inline(always)]
    fn each(&self, f: impl Fn(usize, usize)) {
        for turn in 0..self.rows.div_ceil(self.apart) {
            let row = self.row + turn * self.apart;
            if self.rows.is_multiple_of(self.apart) || row < self.rows {
                f(row, turn * self.apart);
            }
        }
    }
}
