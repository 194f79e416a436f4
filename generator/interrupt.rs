//! Ctrl-C, SIGTERM and SIGHUP: noted when they come, obeyed where nothing is left half done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use crate::error::{Error, Result};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Function that ends the process while it waits for the user.
static LEAVE: Mutex<Option<fn() -> !>> = Mutex::new(None);
static INSTALL: Once = Once::new();

/// From here on a signal no longer ends the process; `check` has to be asked.
pub fn catch() {
    INSTALL.call_once(|| {
        // Fails only if a handler is there already; then that one decides what a signal does.
        let _ = ctrlc::set_handler(|| {
            INTERRUPTED.store(true, Ordering::Relaxed);
            let leave = *lock();
            if let Some(leave) = leave {
                leave();
            }
        });
    });
}

/// Waits for the user. A signal calls `leave` here, since no key may ever come.
pub fn while_waiting<T>(leave: fn() -> !, wait: impl FnOnce() -> T) -> T {
    catch();
    let mut slot = lock();
    // Since the question before. Whoever comes now waits for the lock, and for the end.
    if happened() {
        leave();
    }
    *slot = Some(leave);
    drop(slot);
    let result = wait();
    *lock() = None;
    result
}

fn lock() -> MutexGuard<'static, Option<fn() -> !>> {
    LEAVE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn happened() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

pub fn check() -> Result<()> {
    if happened() {
        return Err(Error::Interrupted { hint: None });
    }
    Ok(())
}
