//! What a call has for each of its arguments.

use std::array;
use std::ops::{Deref, DerefMut};

use host::functions::FEW;

/// Items at the places of the arguments: mostly few, which need no memory of their own.
pub enum PerArgument<T> {
    Few { items: [T; FEW], count: usize },
    Many(Vec<T>),
}

impl<T: Default> PerArgument<T> {
    /// Empty items for so many arguments.
    pub fn new(count: usize) -> Self {
        if count <= FEW {
            let items = array::from_fn(|_| T::default());
            Self::Few { items, count }
        } else {
            let mut items = Vec::new();
            items.resize_with(count, T::default);
            Self::Many(items)
        }
    }
}

impl<T> Deref for PerArgument<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Few { items, count } => &items[..*count],
            Self::Many(items) => items,
        }
    }
}

impl<T> DerefMut for PerArgument<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Few { items, count } => &mut items[..*count],
            Self::Many(items) => items,
        }
    }
}
