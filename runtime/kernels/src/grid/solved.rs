//! Dimensions that are solved for, as `m` is by `indptr: &I[m + 1]`.

use core::ops::{Add, Mul, Sub};

/// `offset + slope * d`, what an extent is of its only dimension `d`. Numbers of it are of this type
/// too, as soon as they meet it.
#[derive(Clone, Copy)]
pub struct Affine {
    offset: isize,
    slope: isize,
}

/// The dimension of an axis of this size. That there is one, the core has checked.
#[inline(always)]
pub fn solve(size: usize, extent: impl FnOnce(Affine) -> Affine) -> usize {
    let Affine { offset, slope } = extent(Affine {
        offset: 0,
        slope: 1,
    });
    let rest = size.cast_signed().wrapping_sub(offset);
    rest.checked_div(slope).unwrap_or(0).cast_unsigned()
}

impl Affine {
    #[inline(always)]
    fn plus(self, offset: isize) -> Self {
        Self {
            offset: self.offset.wrapping_add(offset),
            slope: self.slope,
        }
    }

    #[inline(always)]
    fn times(self, factor: isize) -> Self {
        Self {
            offset: self.offset.wrapping_mul(factor),
            slope: self.slope.wrapping_mul(factor),
        }
    }
}

macro_rules! operators {
    ($($operator:ident::$name:ident: |$extent:ident, $number:ident| $right:expr, $left:expr;)*) => {
        $(
            impl $operator<isize> for Affine {
                type Output = Self;
                #[inline(always)]
                fn $name(self, $number: isize) -> Self {
                    let $extent = self;
                    $right
                }
            }

            impl $operator<Affine> for isize {
                type Output = Affine;
                #[inline(always)]
                fn $name(self, $extent: Affine) -> Affine {
                    let $number = self;
                    $left
                }
            }
        )*
    };
}

operators! {
    Add::add: |extent, number| extent.plus(number), extent.plus(number);
    Sub::sub: |extent, number| extent.plus(-number), extent.times(-1).plus(number);
    Mul::mul: |extent, number| extent.times(number), extent.times(number);
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn dimensions_are_solved_for() {
        assert_eq!(solve(5, |m| m + 1), 4);
        assert_eq!(solve(6, |d| 2 * d), 3);
        assert_eq!(solve(7, |n| (n - 1) * 2 + 3), 3);
        assert_eq!(solve(2, |n| 7 - n), 5);
    }
}
