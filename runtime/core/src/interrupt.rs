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
    /// Checks whether the call is to end.
    pub fn interrupted(&mut self) -> bool {
        let last = *self.last.get_or_insert_with(Instant::now);
        if !self.interrupted && last.elapsed() >= PAUSE {
            self.interrupted = HOOK.get().is_some_and(|hook| hook());
            self.last = Some(Instant::now());
        }
        self.interrupted
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::thread;

    use super::*;

    thread_local! {
        static RAISED: Cell<bool> = const { Cell::new(false) };
        static LOOKS: Cell<usize> = const { Cell::new(0) };
    }

    /// For the thread of this test only.
    fn hook() -> bool {
        LOOKS.set(LOOKS.get() + 1);
        RAISED.get()
    }

    #[test]
    fn a_call_looks_after_a_pause_and_ends_once_a_handler_has_raised() {
        register(hook);
        let mut watch = Watch::default();
        RAISED.set(true);
        assert!(!watch.interrupted()); // a short call never looks
        assert_eq!(LOOKS.get(), 0);
        RAISED.set(false);
        thread::sleep(PAUSE);
        assert!(!watch.interrupted());
        assert_eq!(LOOKS.get(), 1);
        RAISED.set(true);
        thread::sleep(PAUSE);
        assert!(watch.interrupted());
        RAISED.set(false);
        thread::sleep(PAUSE);
        assert!(watch.interrupted()); // it is not asked again
        assert_eq!(LOOKS.get(), 2);
    }
}
