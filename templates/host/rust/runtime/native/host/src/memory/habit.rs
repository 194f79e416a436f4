//! Decides which side of the bus a block belongs on, from how it has been used.
//!
//! A call on memory that is on the host and mapped costs the way over the bus; a move there and back
//! costs as much as some such calls, because the host's next touch brings every page back by a
//! fault, and then a call costs nothing extra. So memory starts on the host and moves when GPU calls
//! follow each other. When the host is seen to use it, the calls since the move are counted. If they
//! were enough to pay for it, the next ones are expected to be as many, and the memory moves to the
//! GPU again at once. If not, it stays on the host, and the next move waits for twice as many calls.
//!
//! At worst the host uses the memory after every move. But a move that did not pay comes either after
//! one that did, which has gained as much, or after twice as many calls as the one before, so that of
//! n calls about log2(n) are such moves; and use that alternates soon costs what mapped memory costs.

use super::Side;

/// Calls in a row before the first move.
const PATIENCE: u32 = 2;

/// Calls in a row before a move, at most.
const LONGEST_PATIENCE: u32 = 1 << 12;

/// Calls on the GPU that pay for a move there and back: as measured from 1 MiB on, and more
/// than enough for larger blocks.
const PAYING: u32 = 8;

#[derive(Clone, Copy)]
pub struct Habit {
    side: Side,
    /// GPU calls in a row on this side, as far as is known.
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

    /// The GPU has no room. Returns the side to move the block to, if it is not there.
    pub fn give_up(&mut self) -> Option<Side> {
        self.wait_longer();
        self.calls = 0;
        let moved = self.side == Side::Device;
        self.side = Side::Host;
        moved.then_some(Side::Host)
    }

    /// A GPU call is about to use the block. `host_used` says whether the host was seen to
    /// use it since the last one. Returns the side to move it to.
    pub fn call(&mut self, host_used: bool) -> Option<Side> {
        let before = if host_used { 0 } else { self.calls };
        match self.side {
            Side::Host if before >= self.patience => Some(self.start(Side::Device)),
            Side::Device if host_used && self.calls >= PAYING => {
                self.patience = PATIENCE;
                Some(self.start(Side::Device))
            }
            Side::Device if host_used => {
                self.wait_longer();
                Some(self.start(Side::Host))
            }
            _ => {
                self.calls = before.saturating_add(1);
                None
            }
        }
    }

    fn wait_longer(&mut self) {
        self.patience = (2 * self.patience).min(LONGEST_PATIENCE);
    }

    /// This call is the first of a row on `side`.
    fn start(&mut self, side: Side) -> Side {
        (self.side, self.calls) = (side, 1);
        side
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
    fn a_gpu_without_room_is_asked_less_and_less() {
        let mut habit = Habit::default();
        let mut asked = 0;
        for _ in 0..10_000 {
            if habit.call(false) == Some(Side::Device) {
                asked += 1;
                assert_eq!(habit.give_up(), Some(Side::Host));
            }
        }
        assert!(asked <= 13, "{asked}");
        assert_eq!(habit.give_up(), None);
    }

    /// Rows of calls, with the host's use of the block between them.
    #[test]
    fn rows_that_pay_move_the_block_at_once() {
        let mut habit = Habit::default();
        let mut moves = |calls| {
            let first = habit.call(true);
            let others = (1..calls).filter_map(|_| habit.call(false)).count();
            (first, others)
        };
        assert_eq!(moves(30), (None, 1));
        assert_eq!(moves(30), (Some(Side::Device), 0));
        assert_eq!(moves(PAYING - 1), (Some(Side::Device), 0));
        assert_eq!(moves(30), (Some(Side::Host), 1));
        assert_eq!(moves(30), (Some(Side::Device), 0));
        assert_eq!(habit.patience, PATIENCE);
    }
}
