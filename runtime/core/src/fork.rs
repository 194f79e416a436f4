//! Forks. A child process has a copy of all memory and only one thread: what another thread was
//! in the middle of stays half done, and what that thread had locked stays locked.
//!
//! So a fork waits until no [`Lock`] is locked, and every process makes its own `PerProcess` values.

mod lock;
mod per_process;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;

pub use lock::{Lock, Locked, Once};
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

#[cfg(all(test, unix))]
pub(crate) mod tests {
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
}
