//! The way of an element-wise body through arrays that are not all contiguous and of one shape.

#[cfg(target_arch = "nvptx64")]
use core::array;

#[cfg(target_arch = "nvptx64")]
use super::{BLOCK, ptx};

/// Dimensions at most.
const RANK: usize = 8;

/// `cuvec_walk`, and how many bytes the elements of each of `K` parameters are apart. A parameter of the kernel.
#[repr(C)]
pub struct Walk<const K: usize> {
    rank: i32,
    packs: u32,
    counts: [i64; RANK],
    threads: u32,
    tiles: [u32; 2],
    width: i8,
    height: i8,
    is_packed: i8,
    /// The next parameter begins at a multiple of 16 bytes.
    _end: u64,
    strides: [[i64; K]; RANK],
}

/// Where strides are in it.
#[cfg(not(target_arch = "nvptx64"))]
pub const STRIDES: usize = core::mem::offset_of!(Walk<1>, strides);

/// Where a thread finds its elements of one parameter.
#[cfg(target_arch = "nvptx64")]
#[derive(Clone, Copy)]
pub struct Step {
    /// Bytes from one to the next.
    pub step: isize,
    pub count: usize,
    /// True if they are a pack.
    pub is_pack: bool,
}

/// Steps of all parameters, one after the other.
#[cfg(target_arch = "nvptx64")]
pub struct Steps<const K: usize> {
    next: usize,
    is_whole: bool,
    packs: u32,
    count: usize,
    offsets: [isize; K],
    steps: [isize; K],
}

#[cfg(target_arch = "nvptx64")]
impl<const K: usize> Steps<K> {
    /// How many elements the thread has.
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// True if they are packs of all arrays.
    #[inline(always)]
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Bytes from the first element of the next parameter, and the step of it.
    #[inline(always)]
    #[must_use]
    pub fn next(&mut self) -> (isize, Step) {
        let index = self.next;
        self.next += 1;
        let step = Step {
            step: self.steps[index],
            count: self.count,
            is_pack: self.packs >> index & 1 != 0,
        };
        (self.offsets[index], step)
    }
}

#[cfg(target_arch = "nvptx64")]
impl<const K: usize> Walk<K> {
    /// Calls `f` with where this thread has elements, if it has any: `L` of them, or those that are left.
    #[inline(always)]
    pub fn of_thread<const L: usize>(&self, f: impl FnOnce(Steps<K>)) {
        let thread = ptx::block() * BLOCK + ptx::thread_in_block();
        if thread >= self.threads {
            return;
        }
        let (width, height) = (self.width as u32, self.height as u32);
        let (across, tile) = (thread & ((1 << width) - 1), thread >> width);
        let (mut next, place) = divided(tile >> height, self.tiles[0]);
        let (lanes, apart) = if self.is_packed == 0 {
            (1, width)
        } else {
            (L as u32, 0)
        };
        let first = (place * L as u32) << width;
        let first = i64::from(first + across * lanes);
        let left = self.counts[0] - first;
        if left <= 0 {
            return;
        }
        let mut offsets = self.strides[0].map(|stride| (first * stride) as isize);
        macro_rules! go_along {
            ($($axis:literal)+) => {
                'all: {
                    $(
                        if self.rank <= $axis {
                            break 'all;
                        }
                        let place;
                        if $axis == 1 {
                            let below;
                            (next, below) = divided(next, self.tiles[1]);
                            place = (below << height) + (tile & ((1 << height) - 1));
                            if i64::from(place) >= self.counts[1] {
                                return;
                            }
                        } else {
                            (next, place) = divided(next, self.counts[$axis] as u32);
                        }
                        offsets = array::from_fn(|k| {
                            offsets[k] + (i64::from(place) * self.strides[$axis][k]) as isize
                        });
                    )+
                }
            };
        }
        go_along!(1 2 3 4 5 6 7); // written out: what is indexed by a number that changes is copied to memory first
        let _ = next;
        let count = ((left + (1 << apart) - 1) >> apart).min(L as i64) as usize;
        f(Steps {
            next: 0,
            is_whole: self.is_packed == 2 && count == L,
            packs: if self.is_packed != 0 && count == L {
                self.packs
            } else {
                0
            },
            count,
            offsets,
            steps: self.strides[0].map(|stride| (stride << apart) as isize),
        });
    }
}

/// The quotient, and what is left.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn divided(number: u32, by: u32) -> (u32, u32) {
    // SAFETY: no dimension is empty where there are threads.
    unsafe { core::hint::assert_unchecked(by > 0) };
    let quotient = number / by;
    (quotient, number - quotient * by)
}
