//! Where the results of a function are used: by the host, or by later calls on the GPU.
//!
//! A new result is on the GPU if a large array of the call is there already, for data mostly stays where it is worked on. What
//! becomes of the results tells whether that was right. The host's touch of one that is on the GPU is seen, and is dear: so the
//! next ones begin on the host, as many as there is patience, which doubles each time. Of results that are on the host it is seen
//! if a later call uses them: if some are, the next ones begin on the GPU.
//!
//! Threads that add to memory of the host wait for the bus each time, so results that kernels add to are never there.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Results that later calls have used before one begins on the GPU although no array of the call is there.
const ENOUGH: i32 = 2;
const LONGEST_PATIENCE: i32 = 1 << 12;

/// For one result of a function.
#[derive(Debug, Default)]
pub struct Expectation {
    state: Mutex<State>,
    is_added_to: AtomicBool,
}

#[derive(Debug)]
struct State {
    /// Results that later calls have used; below zero, how many are still to begin on the host.
    credit: i32,
    /// Results that begin on the host after it has touched one on the GPU.
    patience: i32,
}

impl Default for State {
    fn default() -> Self {
        Self {
            credit: 0,
            patience: 1,
        }
    }
}

/// Fate of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was on the GPU, and the host has touched it.
    Fetched,
    /// A later call has used it, and the host has not touched it as far as is known.
    Used,
    /// It was on the GPU, and nobody has used it in a way that is seen.
    Left,
    /// It was on the host, and no later call has used it.
    Unseen,
}

impl Expectation {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks whether a result is to begin on the GPU; `near`: a large array of the call is there.
    pub fn is_on_gpu(&self, near: bool) -> bool {
        self.is_added_to() || self.state().credit >= if near { 0 } else { ENOUGH }
    }

    /// True if kernels add to the result.
    pub fn is_added_to(&self) -> bool {
        self.is_added_to.load(Ordering::Relaxed)
    }

    /// Kernels add to the result.
    pub fn adds(&self) {
        self.is_added_to.store(true, Ordering::Relaxed);
    }

    pub fn learn(&self, fate: Fate) {
        let mut state = self.state();
        match fate {
            Fate::Fetched => {
                state.credit = -state.patience;
                state.patience = (2 * state.patience).min(LONGEST_PATIENCE);
            }
            Fate::Used => state.credit = (state.credit + 1).min(ENOUGH),
            Fate::Left => state.patience = (state.patience / 2).max(1),
            Fate::Unseen => state.credit += i32::from(state.credit < 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_where_the_data_is() {
        let expected = Expectation::default();
        assert!(expected.is_on_gpu(true));
        assert!(!expected.is_on_gpu(false));
    }

    #[test]
    fn results_that_the_host_reads_begin_there() {
        let expected = Expectation::default();
        let mut mistakes = 0;
        for _ in 0..10_000 {
            let fetched = expected.is_on_gpu(true);
            mistakes += u32::from(fetched);
            expected.learn(if fetched { Fate::Fetched } else { Fate::Unseen });
        }
        assert!(mistakes <= 14, "{mistakes}");
        assert!(!expected.is_on_gpu(false));
    }

    #[test]
    fn results_that_nobody_is_seen_to_use_do_not_stay_on_the_host() {
        let expected = Expectation::default();
        let on_gpu = |expected: &Expectation| {
            let on_gpu = expected.is_on_gpu(true);
            expected.learn(if on_gpu { Fate::Left } else { Fate::Unseen });
            on_gpu
        };
        for _ in 0..5 {
            while !expected.is_on_gpu(true) {
                expected.learn(Fate::Unseen);
            }
            expected.learn(Fate::Fetched);
        }
        assert_eq!((0..1000).filter(|_| !on_gpu(&expected)).count(), 16);
        expected.learn(Fate::Fetched);
        assert_eq!((0..1000).filter(|_| !on_gpu(&expected)).count(), 1);
    }

    #[test]
    fn what_is_added_to_is_on_the_gpu() {
        let expected = Expectation::default();
        expected.adds();
        expected.learn(Fate::Fetched);
        assert!(expected.is_on_gpu(false));
    }

    #[test]
    fn results_that_calls_use_begin_on_the_gpu() {
        let expected = Expectation::default();
        expected.learn(Fate::Used);
        assert!(!expected.is_on_gpu(false));
        expected.learn(Fate::Used);
        assert!(expected.is_on_gpu(false));
    }

    /// Few results that later calls and the host use begin on the GPU.
    #[test]
    fn mistakes_become_rare() {
        let expected = Expectation::default();
        let mut mistakes = 0;
        for _ in 0..10_000 {
            let fetched = expected.is_on_gpu(true);
            mistakes += u32::from(fetched);
            expected.learn(if fetched { Fate::Fetched } else { Fate::Used });
        }
        assert!(mistakes <= 14, "{mistakes}");
    }
}
