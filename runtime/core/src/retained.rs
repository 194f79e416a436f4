//! Retains objects, and what bodies leave to the core, until the work of streams is done.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use cuvec_spec::c::End;

use crate::fork::Lock;
use crate::gpu::{Mark, Stream};

type Done = Box<dyn Fn() -> bool + Send>;

/// Things of one stream, in its order, each with the check of whether the work before it is done.
type Queue<T> = (Stream, VecDeque<(Done, T)>);

/// Things that are retained until the work before them on their streams is done.
pub struct UntilDone<T> {
    /// Mostly there is nothing, and nobody takes the lock.
    any: AtomicBool,
    things: Lock<Vec<Queue<T>>>,
}

impl<T> UntilDone<T> {
    #[must_use]
    pub const fn new() -> Self {
        Self {
            any: AtomicBool::new(false),
            things: Lock::new(Vec::new()),
        }
    }

    /// Retains a thing until all of these marks are passed.
    pub fn add(&self, marks: Vec<Mark>, thing: T) {
        let order = match &marks[..] {
            [mark] => mark.order(),
            _ => Stream(marks.as_ptr() as usize), // of no stream
        };
        let done = move || marks.iter().all(Mark::has_passed);
        self.add_to(order, Box::new(done), thing);
    }

    fn add_to(&self, order: Stream, done: Done, thing: T) {
        let mut things = self.things.lock();
        let known = things.iter().position(|(other, _)| *other == order);
        let index = known.unwrap_or_else(|| {
            things.push((order, VecDeque::new()));
            things.len() - 1
        });
        things[index].1.push_back((done, thing));
        self.any.store(true, Relaxed);
    }

    /// Drops those that are done, which may run any code.
    #[inline]
    pub fn release(&self) {
        if self.any.load(Relaxed) {
            drop(self.take());
        }
    }

    /// Takes out what is done. Of each stream, what comes first is done first: no more than one of them
    /// is asked in vain. The marks come out too: to drop one takes another lock.
    #[cold]
    fn take(&self) -> Vec<(Done, T)> {
        let mut taken = Vec::new();
        let mut things = self.things.lock();
        for (_, waiting) in &mut *things {
            while waiting.front().is_some_and(|(done, _)| done()) {
                taken.extend(waiting.pop_front());
            }
        }
        things.retain(|(_, waiting)| !waiting.is_empty());
        self.any.store(!things.is_empty(), Relaxed);
        taken
    }
}

impl<T> Default for UntilDone<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Something that a body leaves to the core. It ends on any thread.
pub struct Kept {
    thing: *mut c_void,
    end: End,
}

// SAFETY: whoever leaves it says so.
unsafe impl Send for Kept {}

impl Kept {
    /// # Safety
    /// `end` must be for `thing`, once and on any thread.
    pub unsafe fn new(thing: *mut c_void, end: End) -> Self {
        Self { thing, end }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: as `new` was told.
        unsafe { (self.end)(self.thing) };
    }
}

static KEPT: UntilDone<Box<dyn Send>> = UntilDone::new();

/// Keeps something until all of these marks are passed.
pub(crate) fn keep_until(marks: Vec<Mark>, thing: Box<dyn Send>) {
    KEPT.add(marks, thing);
}

/// Drops what no stream uses any more.
#[inline]
pub fn release_done() {
    KEPT.release();
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[test]
    fn things_go_in_the_order_of_their_streams() {
        let counts: [Arc<AtomicUsize>; 3] = Default::default();
        let [first, second, asked] = &counts;
        // Checks whether the stream has come so far; counts the questions.
        let reaches = |stream: &Arc<AtomicUsize>, point: usize| -> Done {
            let (stream, asked) = (stream.clone(), asked.clone());
            Box::new(move || {
                asked.fetch_add(1, SeqCst);
                stream.load(SeqCst) >= point
            })
        };
        let things = UntilDone::new();
        let take = || -> Vec<_> { things.take().into_iter().map(|(_, it)| it).collect() };
        assert!(!things.any.load(Relaxed));
        for point in 1..=3 {
            things.add_to(Stream(7), reaches(first, point), point);
            things.add_to(Stream(8), reaches(second, point), 10 * point);
        }
        assert_eq!(take(), []);
        assert!(things.any.load(Relaxed));
        assert_eq!(asked.load(SeqCst), 2);
        second.store(2, SeqCst);
        assert_eq!(take(), [10, 20]);
        first.store(3, SeqCst);
        assert_eq!(take(), [1, 2, 3]);
        second.store(3, SeqCst);
        assert_eq!(take(), [30]);
        asked.store(0, SeqCst);
        assert_eq!((take(), asked.load(SeqCst)), (vec![], 0));
    }
}
