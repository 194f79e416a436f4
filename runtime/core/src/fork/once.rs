//! Values that are made at the first use, and that forked processes have, too.

use std::sync::OnceLock;

use super::hold_off;

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
    use std::thread;

    use super::Once;
    use crate::fork::tests::in_child_process;

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
