//! Things that are retained until work on streams is done.

use std::collections::VecDeque;

use crate::gpu::Stream;

/// Things, each with what says whether the work before it on its stream is done.
pub struct UntilDone<Done, T>(Vec<(Stream, VecDeque<(Done, T)>)>);

impl<Done: Fn() -> bool, T> UntilDone<Done, T> {
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    pub fn add(&mut self, stream: Stream, done: Done, thing: T) {
        let known = self.0.iter().position(|(other, _)| *other == stream);
        let index = known.unwrap_or_else(|| {
            self.0.push((stream, VecDeque::new()));
            self.0.len() - 1
        });
        self.0[index].1.push_back((done, thing));
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes out what is done. Of each stream, what comes first is done first: no more than one of them
    /// is asked in vain.
    pub fn take(&mut self) -> Vec<T> {
        let mut taken = Vec::new();
        for (_, waiting) in &mut self.0 {
            while waiting.front().is_some_and(|(done, _)| done()) {
                taken.extend(waiting.pop_front().map(|(_, thing)| thing));
            }
        }
        self.0.retain(|(_, waiting)| !waiting.is_empty());
        taken
    }
}

impl<Done: Fn() -> bool, T> Default for UntilDone<Done, T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    type Done<'a> = Box<dyn Fn() -> bool + 'a>;

    /// Checks whether the stream has come so far; counts the questions.
    fn reaches<'a>(stream: &'a Cell<i32>, point: i32, asked: &'a Cell<i32>) -> Done<'a> {
        Box::new(move || {
            asked.set(asked.get() + 1);
            stream.get() >= point
        })
    }

    #[test]
    fn things_go_in_the_order_of_their_streams() {
        let (first, second, asked) = (Cell::new(0), Cell::new(0), Cell::new(0));
        let mut things = UntilDone::new();
        assert!(things.is_empty());
        for point in 1..=3 {
            things.add(Stream(7), reaches(&first, point, &asked), point);
            things.add(Stream(8), reaches(&second, point, &asked), 10 * point);
        }
        assert_eq!(things.take(), []);
        assert!(!things.is_empty());
        assert_eq!(asked.get(), 2);
        second.set(2);
        assert_eq!(things.take(), [10, 20]);
        first.set(3);
        assert_eq!(things.take(), [1, 2, 3]);
        second.set(3);
        assert_eq!(things.take(), [30]);
        asked.set(0);
        assert_eq!((things.take(), asked.get()), (vec![], 0));
    }
}
