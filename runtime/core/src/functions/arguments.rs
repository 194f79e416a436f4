//! Arguments of a call, and sets of a function's arguments.

use std::iter;

use cuvec_spec::MAX_ARGUMENTS;

use super::scalar::Scalar;
use crate::array::Array;

/// The arrays of a call, each at the index of its argument. Scalars have none, and results that
/// are still to be allocated.
pub type Arrays<'a> = [Option<&'a Array>];

/// The scalars of a call, each at the index of its argument.
pub type Scalars = [Scalar];

/// As many arguments as most functions have at most: to reserve so many takes a small part of a call.
pub const INLINE_ARGS: usize = 4;

/// A bit for each argument, by its index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ArgumentSet(u32);

const _: () = assert!(MAX_ARGUMENTS <= u32::BITS as usize);

impl ArgumentSet {
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn has(self, index: usize) -> bool {
        self.0 & 1 << index != 0
    }

    /// Those that come before an argument.
    pub const fn before(self, index: usize) -> Self {
        Self(self.0 & ((1 << index) - 1))
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

impl FromIterator<usize> for ArgumentSet {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        Self(indices.into_iter().fold(0, |bits, index| bits | 1 << index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_come_in_their_order() {
        let set = ArgumentSet::from_iter([MAX_ARGUMENTS - 1, 0, 3]);
        assert!(set.iter().eq([0, 3, MAX_ARGUMENTS - 1]));
        assert!(set.before(3).iter().eq([0]));
        assert!(set.before(0).is_empty() && !set.is_empty());
        assert!(set.has(3) && !set.has(2));
    }
}
