//! Ctrl-C, SIGTERM and SIGHUP: noted when they come, obeyed where nothing is left half done.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static INSTALL: Once = Once::new();

/// From here on a signal no longer ends the process; `check` has to be asked.
pub fn catch() {
    INSTALL.call_once(|| {
        // Fails only if a handler is there already; then that one decides what a signal does.
        let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    });
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
