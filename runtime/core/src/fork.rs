//! Forks. A child process has a copy of all memory and only one thread: what another thread was
//! in the middle of stays half done, and what that thread had locked stays locked.
//!
//! So a fork waits until no [`Lock`] is locked, and every process makes its own `PerProcess` values.

mod per_process;

use std::ops::{Deref, DerefMut};
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

pub(crate) use per_process::{Inherited, PerProcess};

/// Forks between the first use of this module and now, in this process and those it comes from.
static FORKS: AtomicUsize = AtomicUsize::new(0);

/// A thread is forking, or waits until it can.
static FORKING: AtomicBool = AtomicBool::new(false);

/// Threads that hold off forks of the process.
static HOLDERS: AtomicUsize = AtomicUsize::new(0);

/// A count that every fork changes.
#[inline]
pub(crate) fn generation() -> usize {
    watch();
    FORKS.load(SeqCst)
}

/// Keeps the process from being forked until the guard is dropped, which is to be soon. A thread
/// that has one must not ask for another, nor run code of others, which might.
pub(crate) fn hold_off() -> HeldOff {
    watch();
    loop {
        HOLDERS.fetch_add(1, SeqCst);
        if !FORKING.load(SeqCst) {
            return HeldOff(());
        }
        HOLDERS.fetch_sub(1, SeqCst);
        while FORKING.load(SeqCst) {
            thread::yield_now();
        }
    }
}

/// See [`hold_off`].
pub(crate) struct HeldOff(());

impl Drop for HeldOff {
    fn drop(&mut self) {
        HOLDERS.fetch_sub(1, SeqCst);
    }
}

#[cfg(not(unix))]
fn watch() {}

/// Has the functions below called at every fork. It does no harm if two threads do this at once.
#[cfg(unix)]
#[inline]
fn watch() {
    if !WATCHED.load(SeqCst) {
        begin_to_watch();
    }
}

#[cfg(unix)]
static WATCHED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
#[cold]
fn begin_to_watch() {
    // SAFETY: the functions only read and write atomics, which is allowed after a fork.
    let status = unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    WATCHED.store(status == 0, SeqCst); // without memory for it: tried again
}

#[cfg(unix)]
mod at_fork {
    use std::cell::Cell;

    thread_local! {
        /// This thread is the one that is forking.
        pub static HERE: Cell<bool> = const { Cell::new(false) };
    }
}

#[cfg(unix)]
extern "C" fn before() {
    if at_fork::HERE.replace(true) {
        return; // we are watching twice
    }
    while FORKING.swap(true, SeqCst) {
        thread::yield_now();
    }
    while HOLDERS.load(SeqCst) != 0 {
        thread::yield_now();
    }
}

#[cfg(unix)]
extern "C" fn in_parent() {
    if at_fork::HERE.replace(false) {
        FORKING.store(false, SeqCst);
    }
}

#[cfg(unix)]
extern "C" fn in_child() {
    if at_fork::HERE.replace(false) {
        FORKS.fetch_add(1, SeqCst);
        HOLDERS.store(0, SeqCst); // threads that were about to see that they have to wait
        FORKING.store(false, SeqCst);
    }
}

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
pub(crate) mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::Ordering::SeqCst;
    use std::thread;

    use super::{Lock, Once};

    #[test]
    fn functions_are_registered_once() {
        super::generation();
        assert!(super::WATCHED.load(super::SeqCst)); // or each call would add them again
    }

    /// How a child process ends that calls `f`, which has to return `true`.
    pub fn in_child_process(f: impl FnOnce() -> bool) -> bool {
        // SAFETY: the child calls nothing but `f`, and ends.
        unsafe {
            match libc::fork() {
                0 => {
                    libc::alarm(60); // a child that hangs fails
                    libc::_exit(i32::from(!f()))
                }
                child => {
                    let mut status = 0;
                    assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
                    status == 0
                }
            }
        }
    }

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
