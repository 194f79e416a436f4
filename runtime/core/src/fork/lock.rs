//! Mutexes that a forked process finds open.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

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

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    use std::thread;

    use super::Lock;
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
}
