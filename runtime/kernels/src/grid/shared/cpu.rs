//! The one thread of a block has it to itself.

use core::cell::Cell;
use std::vec::Vec;

use crate::grid::{Atom, Grid, panic};

/// Numbers that the threads of a block share; zeros at first.
pub struct Shared<T>(Vec<Cell<T>>);

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
        panic::check_index(index, self.0.len());
        T::add_alone(&self.0[index], value);
    }

    /// The number of this index; stops the kernel where there is none.
    #[inline(always)]
    #[track_caller]
    pub fn get(&self, index: usize) -> T {
        panic::check_index(index, self.0.len());
        self.0[index].get()
    }

    /// Sets the number of this index; stops the kernel where there is none.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, index: usize, value: T) {
        panic::check_index(index, self.0.len());
        self.0[index].set(value);
    }

    /// Calls `f` with the indices that are this thread's, and their numbers.
    #[inline(always)]
    pub fn each(&self, _grid: Grid, f: impl Fn(usize, T)) {
        for (index, cell) in self.0.iter().enumerate() {
            f(index, cell.get());
        }
    }
}
