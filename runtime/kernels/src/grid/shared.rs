//! Memory that the threads of a block share: `shared local: u32[64];`.

#[cfg(not(target_arch = "nvptx64"))]
pub use cpu::Shared;
#[cfg(target_arch = "nvptx64")]
pub use gpu::Shared;

/// Shared memory that so many bytes take, as the host launches a kernel and as the kernel has it: what comes behind is
/// aligned for any element.
#[must_use]
pub const fn taken_by(bytes: usize) -> usize {
    bytes.next_multiple_of(16)
}

/// The one thread of a block has it to itself.
#[cfg(not(target_arch = "nvptx64"))]
mod cpu {
    use core::cell::Cell;
    use std::vec::Vec;

    use crate::grid::{Atom, Grid, Over, panic};

    /// Numbers that the threads of a block share; zeros at first.
    pub struct Shared<T>(Vec<Cell<T>>);

    // SAFETY: the one thread of the block has it. Code for a thread is given to the grid as what all may run.
    unsafe impl<T> Sync for Shared<T> {}

    impl<T: Atom> Shared<T> {
        /// # Safety
        /// Once a pass.
        #[must_use]
        pub unsafe fn new(_grid: Grid, _taken: &mut usize, len: usize) -> Self {
            Self((0..len).map(|_| Cell::default()).collect())
        }

        #[must_use]
        pub fn len(&self) -> usize {
            self.0.len()
        }

        #[must_use]
        pub fn is_empty(&self) -> bool {
            self.0.is_empty()
        }

        /// Adds to the number of this index; stops the kernel where there is none.
        #[inline(always)]
        #[track_caller]
        pub fn add(&self, index: usize, value: T) {
            T::add_alone(self.cell(index), value);
        }

        /// The address of the number of this index; stops the kernel where there is none.
        #[inline(always)]
        #[track_caller]
        pub(in crate::grid) fn place(&self, index: usize) -> *mut T {
            self.cell(index).as_ptr()
        }

        #[inline(always)]
        #[track_caller]
        fn cell(&self, index: usize) -> &Cell<T> {
            panic::check_index(index, self.0.len());
            &self.0[index]
        }

        /// Calls `f` with the indices that are this thread's, and their numbers.
        #[inline(always)]
        pub fn each(&self, _block: &Over, f: impl Fn(usize, T) + Sync) {
            for (index, cell) in self.0.iter().enumerate() {
                f(index, cell.get());
            }
        }
    }
}

/// As much as the host has launched the kernel with.
#[cfg(target_arch = "nvptx64")]
mod gpu {
    use core::marker::PhantomData;

    use super::taken_by;
    use crate::grid::{Atom, Grid, Over, panic, ptx};

    core::arch::global_asm!(".extern .shared .align 16 .b8 KERNEL_SHARED[];");

    /// Numbers that the threads of a block share; zeros at first.
    pub struct Shared<T> {
        first: u32,
        len: usize,
        numbers: PhantomData<T>,
    }

    impl<T: Atom> Shared<T> {
        /// So much behind what is taken already. A barrier must follow.
        ///
        /// # Safety
        /// Once a pass, which was launched with so much shared memory.
        #[inline(always)]
        pub unsafe fn new(grid: Grid, taken: &mut usize, len: usize) -> Self {
            let shared = Self {
                first: *taken as u32,
                len,
                numbers: PhantomData,
            };
            *taken += taken_by(len * size_of::<T>());
            // SAFETY: inside.
            grid.numbers(len, |index| unsafe {
                ptx::store_shared(shared.offset(index), T::default())
            });
            shared
        }

        #[inline(always)]
        fn offset(&self, index: usize) -> u32 {
            ptx::shared_offset!(KERNEL_SHARED) + self.first + (index * size_of::<T>()) as u32
        }

        /// The address of the number of this index; stops the kernel where there is none.
        #[inline(always)]
        #[track_caller]
        pub(in crate::grid) fn place(&self, index: usize) -> *mut T {
            panic::check_index(index, self.len);
            let start = ptx::shared_address!(KERNEL_SHARED).wrapping_add(self.first as usize);
            start.cast::<T>().wrapping_add(index)
        }

        #[inline(always)]
        pub fn len(&self) -> usize {
            self.len
        }

        #[inline(always)]
        pub fn is_empty(&self) -> bool {
            self.len == 0
        }

        /// Adds to the number of this index; stops the kernel where there is none.
        #[inline(always)]
        #[track_caller]
        pub fn add(&self, index: usize, value: T) {
            // SAFETY: inside, which `place` checks.
            unsafe { T::add_shared(self.place(index), self.offset(index), value) };
        }

        /// Calls `f` with the indices that are this thread's, and their numbers.
        #[inline(always)]
        pub fn each(&self, block: &Over, f: impl Fn(usize, T) + Sync) {
            // SAFETY: inside.
            block.0.numbers(self.len, |index| {
                f(index, unsafe { ptx::load_shared(self.offset(index)) })
            });
        }
    }
}
