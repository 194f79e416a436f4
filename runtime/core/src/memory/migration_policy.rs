//! Decides which side of the bus a block belongs on, from how it has been used.
//!
//! A call on memory that is on the host and mapped costs the way over the bus; a migration there and back
//! costs as much as some such calls, because the host's next touch brings every page back by a
//! fault, and then a call costs nothing extra. So memory starts on the host and migrates when GPU calls
//! follow each other. When the host is seen to use it, the calls since the migration are counted. If they
//! were enough to pay for it, the next ones are expected to be as many, and the memory migrates to the
//! GPU again at once. If not, it stays on the host, and the next migration comes after twice as many calls.
//!
//! At worst the host uses the memory after every migration. But one that did not pay comes either after
//! one that did, which has gained as much, or after twice as many calls as the one before, so among
//! n calls about log2(n) are such migrations; and use that alternates soon costs what mapped memory costs.
//!
//! To migrate a small array costs nearly as much as to migrate 128 KiB, and what a call gains by it is not
//! known: little, unless all threads of the kernel read the array. So calls on small arrays count for
//! less ([`Weight`]), and only after some of them is it asked whether the host has used the array. After
//! a migration it is asked at once: later the GPU has taken back what the host has touched, and nothing is
//! seen of it.

use super::Side;

/// Consecutive calls before the first migration.
const PATIENCE: u32 = 2 * Weight::Large.units();

/// Consecutive calls before a migration, at most.
const LONGEST_PATIENCE: u32 = (1 << 12) * Weight::Large.units();

/// Calls on the GPU that pay for a migration there and back: as measured from 1 MiB on, and more
/// than enough for larger blocks.
const PAYING: u32 = 8 * Weight::Large.units();

/// Weight of a call on an array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// The array is large.
    Large,
    /// It is small, another array of the call is large: there are many threads, which may all read it.
    WithLarge,
    /// All arrays of the call are small.
    Small,
}

impl Weight {
    const fn units(self) -> u32 {
        match self {
            Self::Large => 16,
            Self::WithLarge => 4,
            Self::Small => 1,
        }
    }
}

/// All but the side are in units of [`Weight`].
#[derive(Clone, Copy)]
pub struct MigrationPolicy {
    side: Side,
    /// Consecutive GPU calls on this side, as far as is known.
    calls: u32,
    patience: u32,
    /// The last call.
    last: u32,
    /// Calls since it was last asked whether the host has used the block.
    unseen: u32,
}

impl Default for MigrationPolicy {
    fn default() -> Self {
        Self {
            side: Side::Host,
            calls: 0,
            patience: PATIENCE,
            last: 0,
            unseen: 0,
        }
    }
}

impl MigrationPolicy {
    /// Where the block is.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The caller has prefetched the block.
    pub fn hint(&mut self, side: Side) {
        *self = Self {
            side,
            ..Self::default()
        };
    }

    /// True if the next call asks whether the host has used the block.
    pub fn asks(&self) -> bool {
        let enough = Weight::Large.units();
        let just_migrated = self.side == Side::Device && self.calls <= enough;
        just_migrated || self.unseen + self.last >= enough
    }

    /// The GPU has not enough memory. Returns the side to migrate the block to, if it is not there.
    pub fn give_up(&mut self) -> Option<Side> {
        self.wait_longer();
        self.calls = 0;
        let migrated = self.side == Side::Device;
        self.side = Side::Host;
        migrated.then_some(Side::Host)
    }

    /// A GPU call is about to use the block. `host_used` says whether the host was seen to
    /// use it since the last one. Returns the side to migrate it to.
    pub fn call(&mut self, weight: Weight, host_used: bool) -> Option<Side> {
        let asked = self.asks();
        self.last = weight.units();
        self.unseen = if asked { 0 } else { self.unseen + self.last };
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
                self.calls = before.saturating_add(self.last);
                None
            }
        }
    }

    fn wait_longer(&mut self) {
        self.patience = (2 * self.patience).min(LONGEST_PATIENCE);
    }

    /// This call is the first of consecutive ones on `side`.
    fn start(&mut self, side: Side) -> Side {
        (self.side, self.calls) = (side, self.last);
        side
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_calls_migrate_the_block_once() {
        let mut policy = MigrationPolicy::default();
        let migrations: Vec<_> = (0..1000)
            .filter_map(|_| policy.call(Weight::Large, false))
            .collect();
        assert_eq!(migrations, [Side::Device]);
    }

    #[test]
    fn a_host_that_is_seen_between_calls_retains_the_block() {
        let mut policy = MigrationPolicy::default();
        assert!((0..1000).all(|_| policy.call(Weight::Large, true).is_none()));
        assert_eq!(policy.side(), Side::Host);
    }

    /// On the host, use by the host cannot always be seen: then every migration is a mistake, seen
    /// at the next call.
    #[test]
    fn mistakes_become_rare() {
        let mut policy = MigrationPolicy::default();
        let mut migrations = 0;
        for _ in 0..10_000 {
            let on_gpu = policy.side() == Side::Device;
            migrations += u32::from(policy.call(Weight::Large, on_gpu) == Some(Side::Device));
        }
        assert!(migrations <= 13, "{migrations}");
    }

    #[test]
    fn a_hint_is_followed_until_the_host_is_seen() {
        let mut policy = MigrationPolicy::default();
        policy.hint(Side::Device);
        assert_eq!(policy.call(Weight::Large, false), None);
        assert_eq!(policy.call(Weight::Large, true), Some(Side::Host));
    }

    #[test]
    fn a_gpu_without_memory_is_asked_less_and_less() {
        let mut policy = MigrationPolicy::default();
        let mut asked = 0;
        for _ in 0..10_000 {
            if policy.call(Weight::Large, false) == Some(Side::Device) {
                asked += 1;
                assert_eq!(policy.give_up(), Some(Side::Host));
            }
        }
        assert!(asked <= 13, "{asked}");
        assert_eq!(policy.give_up(), None);
    }

    /// Consecutive calls, with the host's use of the block between them.
    #[test]
    fn calls_that_pay_migrate_the_block_at_once() {
        let mut policy = MigrationPolicy::default();
        let mut migrations = |calls| {
            let first = policy.call(Weight::Large, true);
            let others = (1..calls)
                .filter_map(|_| policy.call(Weight::Large, false))
                .count();
            (first, others)
        };
        assert_eq!(migrations(30), (None, 1));
        assert_eq!(migrations(30), (Some(Side::Device), 0));
        assert_eq!(migrations(7), (Some(Side::Device), 0));
        assert_eq!(migrations(30), (Some(Side::Host), 1));
        assert_eq!(migrations(30), (Some(Side::Device), 0));
        assert_eq!(policy.patience, PATIENCE);
    }
    /// The index of the first of consecutive calls that migrates the block.
    fn first_migration(weight: Weight) -> Option<usize> {
        let mut policy = MigrationPolicy::default();
        (1..1000).find(|_| policy.call(weight, false).is_some())
    }

    #[test]
    fn small_blocks_migrate_later() {
        assert_eq!(first_migration(Weight::Large), Some(3));
        assert_eq!(first_migration(Weight::WithLarge), Some(9));
        assert_eq!(first_migration(Weight::Small), Some(33));
    }

    /// The indices of the calls that ask, of consecutive ones that migrate the block.
    fn asking(weight: Weight) -> Vec<usize> {
        let mut policy = MigrationPolicy::default();
        let mut asks = |_: &usize| {
            let asks = policy.asks();
            let _ = policy.call(weight, false);
            asks
        };
        (1..=60).filter(|call| asks(call)).collect()
    }

    #[test]
    fn of_small_blocks_it_is_rarely_asked_who_used_them() {
        assert_eq!(asking(Weight::Large), (2..=60).collect::<Vec<_>>());
        let of = |calls: &[usize]| -> Vec<_> { calls.to_vec() };
        assert_eq!(asking(Weight::WithLarge)[..2], of(&[4, 8]));
        assert_eq!(asking(Weight::Small)[..2], of(&[16, 32]));
    }

    #[test]
    fn after_a_migration_it_is_asked_at_once() {
        let small = asking(Weight::Small);
        assert_eq!(small[2..], (34..=49).collect::<Vec<_>>());
        let with_large = asking(Weight::WithLarge);
        assert_eq!(with_large[2..8], [10, 11, 12, 13, 17, 21]);
    }

    #[test]
    fn a_host_that_is_seen_between_small_calls_retains_the_block() {
        let mut policy = MigrationPolicy::default();
        let call = |policy: &mut MigrationPolicy| policy.call(Weight::Small, policy.asks());
        assert!((0..1000).all(|_| call(&mut policy).is_none()));
    }

    /// As [`mistakes_become_rare`], of calls that take less time than a migration.
    #[test]
    fn mistakes_with_small_blocks_are_rarer() {
        let mut policy = MigrationPolicy::default();
        let mut migrations = 0;
        for _ in 0..10_000 {
            let used = policy.side() == Side::Device && policy.asks();
            migrations += u32::from(policy.call(Weight::Small, used) == Some(Side::Device));
        }
        assert!(migrations <= 8, "{migrations}");
    }

    #[test]
    fn a_hint_is_checked_at_the_next_call() {
        let mut policy = MigrationPolicy::default();
        policy.hint(Side::Device);
        assert!(policy.asks());
    }
}
