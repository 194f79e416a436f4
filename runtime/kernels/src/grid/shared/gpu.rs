//! As much as the host has launched the kernel with.

use core::marker::PhantomData;

use crate::grid::{Atom, Grid, panic, ptx};

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
        *taken += (len * size_of::<T>()).next_multiple_of(16);
        // SAFETY: inside.
        grid.numbers(len, |index| unsafe {
            ptx::store_shared(shared.place(index), T::default())
        });
        shared
    }

    #[inline(always)]
    fn place(&self, index: usize) -> u32 {
        ptx::shared_offset!(KERNEL_SHARED) + self.first + (index * size_of::<T>()) as u32
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
        panic::check_index(index, self.len);
        // SAFETY: inside.
        unsafe { T::add_shared(self.place(index), value) };
    }

    /// The number of this index; stops the kernel where there is none.
    #[inline(always)]
    #[track_caller]
    pub fn get(&self, index: usize) -> T {
        panic::check_index(index, self.len);
        // SAFETY: inside.
        unsafe { ptx::load_shared(self.place(index)) }
    }

    /// Sets the number of this index; stops the kernel where there is none.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, index: usize, value: T) {
        panic::check_index(index, self.len);
        // SAFETY: inside.
        unsafe { ptx::store_shared(self.place(index), value) };
    }

    /// Calls `f` with the indices that are this thread's, and their numbers.
    #[inline(always)]
    pub fn each(&self, grid: Grid, f: impl Fn(usize, T)) {
        // SAFETY: inside.
        grid.numbers(self.len, |index| {
            f(index, unsafe { ptx::load_shared(self.place(index)) })
        });
    }
}
