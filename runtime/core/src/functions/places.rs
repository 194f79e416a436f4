//! Some of the places of a function's arguments.

use std::iter;

use cuvec_spec::MAX_ARGUMENTS;

/// A bit for each place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Places(u32);

const _: () = assert!(MAX_ARGUMENTS <= u32::BITS as usize);

impl Places {
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn has(self, place: usize) -> bool {
        self.0 & 1 << place != 0
    }

    /// Those that come before a place.
    pub const fn before(self, place: usize) -> Self {
        Self(self.0 & ((1 << place) - 1))
    }

    /// One after the other.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        iter::from_fn(move || {
            let next = (left != 0).then(|| left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1); // all but the lowest one
            next
        })
    }
}

impl FromIterator<usize> for Places {
    fn from_iter<I: IntoIterator<Item = usize>>(places: I) -> Self {
        Self(places.into_iter().fold(0, |bits, place| bits | 1 << place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_in_their_order() {
        let places = Places::from_iter([MAX_ARGUMENTS - 1, 0, 3]);
        assert!(places.iter().eq([0, 3, MAX_ARGUMENTS - 1]));
        assert!(places.before(3).iter().eq([0]));
        assert!(places.before(0).is_empty() && !places.is_empty());
        assert!(places.has(3) && !places.has(2));
    }
}
