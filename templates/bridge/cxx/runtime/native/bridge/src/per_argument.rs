//! What a call has for each of its arguments.

use std::ops::{Deref, DerefMut};

use host::functions::FEW;

/// Items at the places of the arguments: mostly few, which need no memory of their own.
#[derive(Default)]
pub struct PerArgument<T> {
    count: usize,
    few: [T; FEW],
    /// All of them, if there are more.
    many: Vec<T>,
}

impl<T: Default> PerArgument<T> {
    /// Puts so many empty items into what has none. `default` does not: without a branch, it is
    /// written where it is to be, and not made elsewhere and copied.
    pub fn fill(&mut self, count: usize) {
        self.count = count;
        if count > FEW {
            self.many.resize_with(count, T::default);
        }
    }
}

impl<T> PerArgument<Option<T>> {
    /// What is there, borrowed.
    pub fn as_refs(&self) -> PerArgument<Option<&T>> {
        PerArgument {
            count: self.count,
            few: self.few.each_ref().map(Option::as_ref),
            many: self.many.iter().map(Option::as_ref).collect(),
        }
    }
}

impl<T> Deref for PerArgument<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        if self.count <= FEW {
            &self.few[..self.count]
        } else {
            &self.many
        }
    }
}

impl<T> DerefMut for PerArgument<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        if self.count <= FEW {
            &mut self.few[..self.count]
        } else {
            &mut self.many
        }
    }
}
