//! Decides which side of the bus a block belongs on, from how it has been used.
//!
//! A call on memory that is on the host and mapped costs the way over the bus; moving the
//! memory costs about as much once, and then a call costs nothing extra, but the host's
//! next touch brings every page back by a fault. So memory starts on the host, moves when
//! GPU calls follow each other, and comes back when the host is seen to use it. Each time
//! that happens the next move waits for twice as many calls: memory that alternates soon
//! stays where it is, and a wrong guess costs at most a share of the calls before it.

use super::Side;

/// Calls in a row before the first move.
const PATIENCE: u32 = 2;

/// Calls in a row before a move, at most.
const LONGEST_PATIENCE: u32 = 1 << 12;

/// Calls in a row on the GPU after which the block's past is forgotten.
const TRUSTED: u32 = 1 << 8;

pub struct Habit {
    side: Side,
    /// GPU calls in a row, as far as is known.
    calls: u32,
    patience: u32,
}

impl Default for Habit {
    fn default() -> Self {
        Self {
            side: Side::Host,
            calls: 0,
            patience: PATIENCE,
        }
    }
}

impl Habit {
    /// Where the block is.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The caller has moved the block himself.
    pub fn hint(&mut self, side: Side) {
        *self = Self {
            side,
            ..Self::default()
        };
    }

    /// A GPU call is about to use the block. `host_used` says whether the host was seen to
    /// use it since the last one. Returns the side to move it to.
    pub fn call(&mut self, host_used: bool) -> Option<Side> {
        if host_used {
            self.calls = 0;
        }
        self.calls = self.calls.saturating_add(1);
        match self.side {
            Side::Host if self.calls > self.patience => {
                (self.side, self.calls) = (Side::Device, 0);
                Some(Side::Device)
            }
            Side::Device if host_used => {
                self.side = Side::Host;
                self.patience = (2 * self.patience).min(LONGEST_PATIENCE);
                Some(Side::Host)
            }
            Side::Device => {
                if self.calls > TRUSTED {
                    self.patience = PATIENCE;
                }
                None
            }
            Side::Host => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_in_a_row_move_the_block_once() {
        let mut habit = Habit::default();
        let moves: Vec<_> = (0..1000).filter_map(|_| habit.call(false)).collect();
        assert_eq!(moves, [Side::Device]);
    }

    #[test]
    fn a_host_that_is_seen_between_calls_keeps_the_block() {
        let mut habit = Habit::default();
        assert!((0..1000).all(|_| habit.call(true).is_none()));
        assert_eq!(habit.side(), Side::Host);
    }

    /// On the host, use by the host cannot always be seen: then every move is a mistake, seen
    /// at the next call.
    #[test]
    fn mistakes_become_rare() {
        let mut habit = Habit::default();
        let mut moves = 0;
        for _ in 0..10_000 {
            let on_gpu = habit.side() == Side::Device;
            moves += u32::from(habit.call(on_gpu) == Some(Side::Device));
        }
        assert!(moves <= 13, "{moves}");
    }

    #[test]
    fn a_hint_is_followed_until_the_host_is_seen() {
        let mut habit = Habit::default();
        habit.hint(Side::Device);
        assert_eq!(habit.call(false), None);
        assert_eq!(habit.call(true), Some(Side::Host));
    }

    #[test]
    fn long_runs_on_the_gpu_restore_trust() {
        let mut habit = Habit::default();
        habit.hint(Side::Device);
        habit.call(true);
        assert!(
            (0..2 * TRUSTED)
                .filter_map(|_| habit.call(false))
                .eq([Side::Device])
        );
        habit.call(true);
        assert_eq!(habit.patience, 2 * PATIENCE);
    }
}
