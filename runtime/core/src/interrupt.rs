//! Ctrl-C in the middle of a call.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Looks for signals; true when a handler has raised. The exception stays set on this thread.
pub type Hook = fn() -> bool;

/// How long a call works before it looks again: to ask costs a lock that other threads want.
const PAUSE: Duration = Duration::from_millis(20);

static HOOK: OnceLock<Hook> = OnceLock::new();

/// Says how to look for signals. Without, calls are never interrupted.
pub fn register(hook: Hook) {
    let _ = HOOK.set(hook); // the first stays: it is the same for as long as the process
}

/// One call's look-out, on its own thread.
#[derive(Default)]
pub(crate) struct Watch {
    last: Option<Instant>,
    interrupted: bool,
}

impl Watch {
    /// Whether the call is to end.
    pub fn interrupted(&mut self) -> bool {
        let last = *self.last.get_or_insert_with(Instant::now);
        if !self.interrupted && last.elapsed() >= PAUSE {
            self.interrupted = HOOK.get().is_some_and(|hook| hook());
            self.last = Some(Instant::now());
        }
        self.interrupted
    }
}
