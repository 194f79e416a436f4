//! Ctrl-C, SIGTERM and SIGHUP: noted when they come, obeyed where nothing is left half done.

use std::io::stderr;
use std::process;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{MoveToNextLine, Show};
use crossterm::event::DisableBracketedPaste;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType, disable_raw_mode};

use crate::error::{Error, Result};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static AT_PROMPT: AtomicBool = AtomicBool::new(false);
static INSTALL: Once = Once::new();

/// From here on a signal no longer ends the process; `check` has to be asked.
pub fn catch() {
    INSTALL.call_once(|| {
        // Fails only if a handler is there already; then that one decides what a signal does.
        let _ = ctrlc::set_handler(|| {
            INTERRUPTED.store(true, Ordering::Relaxed);
            if AT_PROMPT.load(Ordering::Relaxed) {
                leave_prompt();
            }
        });
    });
}

/// Waits for the user. A signal ends the process here, since no key may ever come, and leaves a usable terminal.
pub fn at_prompt<T>(wait: impl FnOnce() -> T) -> T {
    catch();
    AT_PROMPT.store(true, Ordering::Relaxed);
    let result = wait();
    AT_PROMPT.store(false, Ordering::Relaxed);
    result
}

pub fn happened() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

pub fn check() -> Result<()> {
    if happened() {
        return Err(interrupted());
    }
    Ok(())
}

fn interrupted() -> Error {
    Error::Interrupted { hint: None }
}

fn leave_prompt() -> ! {
    // The terminal may be gone already.
    let _ = disable_raw_mode();
    let _ = execute!(
        stderr(),
        Show,
        DisableBracketedPaste,
        MoveToNextLine(1),
        Clear(ClearType::FromCursorDown)
    );
    let error = interrupted();
    error.print();
    process::exit(error.exit_code().into())
}
