//! Shared memory of a block whose elements all threads write at once, and read then: `left.fill(block, |at| …)`.

use core::ops::Index;

#[cfg(target_arch = "nvptx64")]
use super::Threads;
use super::shared::taken_by;
use super::{Element, Grid, Tile, panic};

/// Elements that the threads of a block share; zeros at first.
pub struct Local<T> {
    elements: Memory<T>,
    len: usize,
}

#[cfg(not(target_arch = "nvptx64"))]
type Memory<T> = std::vec::Vec<T>;
/// Where they are.
#[cfg(target_arch = "nvptx64")]
type Memory<T> = *mut T;

// SAFETY: they change only in `fill`, which all threads call.
unsafe impl<T: Sync> Sync for Local<T> {}

impl<T: Element> Local<T> {
    /// So much behind what is taken already. A barrier must follow.
    ///
    /// # Safety
    /// Nobody else uses taken memory, and the block was launched with so much shared memory.
    #[inline(always)]
    #[must_use]
    pub unsafe fn new(grid: Grid, taken: &mut usize, len: usize) -> Self {
        let elements = memory(*taken, len);
        *taken += taken_by(len * size_of::<T>());
        let mut local = Self { elements, len };
        local.write(grid, |_| T::default());
        local
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Makes each element what `f` says of its index; all threads have them then.
    #[inline(always)]
    pub fn fill<const R: usize, const N: usize>(
        &mut self,
        block: &mut Tile<R, N>,
        f: impl Fn(usize) -> T + Sync,
    ) {
        block.grid.wait(); // what was there has been read
        self.write_by(block, f);
        block.grid.wait();
    }

    #[inline(always)]
    fn write(&mut self, grid: Grid, f: impl Fn(usize) -> T) {
        let len = self.len;
        // SAFETY: inside, and no other thread has this index.
        grid.numbers(len, |index| unsafe {
            self.start().add(index).write(f(index))
        });
    }

    #[cfg(not(target_arch = "nvptx64"))]
    #[inline(always)]
    fn write_by<const R: usize, const N: usize>(
        &mut self,
        block: &Tile<R, N>,
        f: impl Fn(usize) -> T,
    ) {
        self.write(block.grid, f);
    }

    /// As `write`; the compiler knows how many threads there are.
    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn write_by<const R: usize, const N: usize>(
        &mut self,
        block: &Tile<R, N>,
        f: impl Fn(usize) -> T,
    ) {
        for step in 0..self.len.div_ceil(N) {
            let index = step * N + block.thread();
            if index < self.len {
                // SAFETY: inside, and no other thread has this index.
                unsafe { self.start().add(index).write(f(index)) };
            }
        }
    }

    #[cfg(not(target_arch = "nvptx64"))]
    fn start(&mut self) -> *mut T {
        self.elements.as_mut_ptr()
    }

    #[cfg(target_arch = "nvptx64")]
    #[inline(always)]
    fn start(&mut self) -> *mut T {
        self.elements
    }
}

#[cfg(not(target_arch = "nvptx64"))]
fn memory<T: Element>(_taken: usize, len: usize) -> Memory<T> {
    std::vec![T::default(); len]
}

#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn memory<T: Element>(taken: usize, _len: usize) -> Memory<T> {
    super::ptx::shared_address!(KERNEL_SHARED)
        .wrapping_add(taken)
        .cast()
}

/// Stops the kernel where there is no such element.
impl<T: Element> Index<usize> for Local<T> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        panic::check_index(index, self.len);
        #[cfg(not(target_arch = "nvptx64"))]
        return &self.elements[index];
        // SAFETY: inside, where a value of this type is.
        #[cfg(target_arch = "nvptx64")]
        return unsafe { &*self.elements.add(index) };
    }
}
