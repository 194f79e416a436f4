//! Mutexes, and values that are made at the first use, that a forked process finds whole and open.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::{HeldOff, hold_off};

/// A mutex that a child process finds unlocked, and what it protects whole.
pub struct Lock<T>(Mutex<T>);

/// Guard of a locked value.
pub struct Locked<'a, T> {
    value: MutexGuard<'a, T>,
    _whole: HeldOff, // dropped after the lock
}

impl<T> Lock<T> {
    pub const fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// Locks it, for a short time: see `hold_off`.
    pub fn lock(&self) -> Locked<'_, T> {
        let whole = hold_off();
        Locked {
            value: self.0.lock().unwrap_or_else(PoisonError::into_inner),
            _whole: whole,
        }
    }
}

impl<T> Deref for Locked<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Locked<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// A value that several threads may make at once; one of them is kept. A child process finds it made, or not begun.
///
/// Waiting until another thread has made it, as in [`OnceLock::get_or_init`], never ends in a child
/// of a process whose thread was about to.
#[derive(Debug)]
pub struct Once<T>(OnceLock<T>);

impl<T> Once<T> {
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    #[inline]
    pub fn get(&self) -> Option<&T> {
        self.0.get()
    }

    /// Keeps the value, unless there is one already; returns that which is there.
    #[cold]
    pub fn keep(&self, value: T) -> &T {
        let mut value = Some(value);
        let whole = hold_off();
        let kept = self.0.get_or_init(|| value.take().expect("called once"));
        drop(whole);
        drop(value); // which may run code of others
        kept
    }
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::Ordering::SeqCst;
    use std::thread;

    use super::{Lock, Once};
    use crate::fork::tests::in_child_process;

    #[test]
    fn locks_are_open_and_values_whole_in_a_child() {
        static PAIR: Lock<(u64, u64)> = Lock::new((0, 0));
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !done.load(SeqCst) {
                        let mut pair = PAIR.lock();
                        pair.0 += 1;
                        thread::yield_now();
                        pair.1 += 1;
                    }
                });
            }
            let whole = || {
                let pair = PAIR.lock();
                pair.0 == pair.1
            };
            let good = (0..200).all(|_| in_child_process(whole));
            done.store(true, SeqCst);
            assert!(good);
        });
    }

    #[test]
    fn a_child_never_waits_for_a_thread_of_its_parent() {
        for round in 0..300 {
            let value = Once::new();
            thread::scope(|scope| {
                let kept = scope.spawn(|| *value.keep(round));
                assert!(in_child_process(|| *value.keep(round) == round));
                assert_eq!(kept.join().unwrap(), round);
            });
            assert_eq!(value.keep(round + 1), &round);
        }
    }
}
