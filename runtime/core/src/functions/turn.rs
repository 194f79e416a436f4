//! Calls of one object take turns.

use std::thread;
use std::time::Duration;

use crate::error::{Kind, Result};
use crate::fork::{self, Lock};
use crate::interrupt::Watch;

/// Whose turn it is: the process, by its forks, and its thread.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Holder {
    forks: usize,
    thread: thread::ThreadId,
}

/// Whose turn it is to use an object, if anybody's.
pub(super) struct Turns(Lock<Option<Holder>>);

/// Ends with it.
pub(super) struct Turn<'a>(&'a Turns);

impl Default for Turns {
    fn default() -> Self {
        Self(Lock::new(None))
    }
}

impl Turns {
    /// Waits until nobody else uses the object.
    ///
    /// # Errors
    /// `Kind::Unavailable` where that would be for ever: in a signal's handler that has interrupted the call
    /// that has the turn, and in a process forked in the middle of one. `Kind::Interrupted`.
    pub fn take(&self, method: &str) -> Result<Turn<'_>> {
        let me = Holder {
            forks: fork::generation(),
            thread: thread::current().id(),
        };
        let mut watch = Watch::default();
        while let Some(holder) = self.held_by_others(me) {
            if holder == me {
                return Err(unavailable(
                    method,
                    "in the middle of a call in this thread",
                ));
            }
            if holder.forks != me.forks {
                let why = "in the middle of a call when this process was forked";
                return Err(unavailable(method, why));
            }
            if watch.interrupted() {
                return Err(Kind::Interrupted.into());
            }
            thread::sleep(Duration::from_micros(20));
        }
        Ok(Turn(self))
    }

    /// Who has it; if nobody, it is mine from now on.
    fn held_by_others(&self, me: Holder) -> Option<Holder> {
        let mut holder = self.0.lock();
        let before = *holder;
        holder.get_or_insert(me);
        before
    }

    /// True if a thread of another process has it.
    pub fn are_lost(&self) -> bool {
        let holder = *self.0.lock();
        holder.is_some_and(|it| it.forks != fork::generation())
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.0.lock() = None;
    }
}

#[cold]
fn unavailable(method: &str, why: &str) -> crate::error::Error {
    Kind::Unavailable(format!("{method}(): the object is {why}; use another one")).into()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[test]
    fn one_thread_at_a_time_and_no_thread_twice() {
        let (turns, inside) = (Turns::default(), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let _turn = turns.take("C.f").unwrap();
                        assert_eq!(inside.fetch_add(1, SeqCst), 0);
                        let again = turns.take("C.f").map(drop).unwrap_err().to_string();
                        assert!(again.starts_with("C.f(): the object is in the middle of"));
                        inside.fetch_sub(1, SeqCst);
                    }
                });
            }
        });
        assert!(!turns.are_lost());
    }

    #[test]
    #[cfg(unix)]
    fn a_child_is_told_of_a_turn_that_never_ends() {
        let turns = Turns::default();
        let _turn = turns.take("C.f").unwrap();
        assert!(fork::tests::in_child_process(
            || turns.are_lost() && turns.take("C.f").is_err()
        ));
    }
}
