//! Sums that lose nothing on the way.

use super::{Float, Shuffle};

/// A running sum of products of numbers of type `T`, in twice the precision of `T` at least.
///
/// ```ignore
/// fold (x, y) {
///     start: Sum::<T>::ZERO,
///     add: |sum, x, y| sum.plus_product(x, y),
///     merge: Sum::plus,
///     value: Sum::value,
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Sum<T: Carried>(T::Carry);

/// A type whose sums are carried by another.
pub trait Carried: Copy {
    type Carry: Carry<Self>;
}

pub trait Carry<T>: Shuffle {
    const ZERO: Self;
    #[must_use]
    fn plus_product(self, x: T, y: T) -> Self;
    #[must_use]
    fn plus(self, other: Self) -> Self;
    fn value(self) -> f64;
}

impl<T: Carried> Sum<T> {
    pub const ZERO: Self = Self(T::Carry::ZERO);

    #[inline(always)]
    #[must_use]
    pub fn plus_product(self, x: T, y: T) -> Self {
        Self(self.0.plus_product(x, y))
    }

    #[inline(always)]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.plus(other.0))
    }

    #[inline(always)]
    #[must_use]
    pub fn value(self) -> f64 {
        self.0.value()
    }
}

impl<T: Carried> Shuffle for Sum<T> {
    #[inline(always)]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
        Self(self.0.shuffle(how))
    }
}

impl Carried for f32 {
    type Carry = f64;
}

/// The product of two floats is exact in a double, and so is nearly every sum of them.
impl Carry<f32> for f64 {
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn plus_product(self, x: f32, y: f32) -> Self {
        let (x, y) = (Self::from(x), Self::from(y));
        if cfg!(target_arch = "nvptx64") {
            Float::mul_add(x, y, self) // one instruction, and the same bits
        } else {
            self + x * y
        }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
}

impl Carried for f64 {
    type Carry = Twofold;
}

/// `sum + error`, in twice the working precision.
///
/// Algorithm Dot2 of Ogita, Rump and Oishi, "Accurate sum and dot product",
/// SIAM J. Sci. Comput. 26 (2005): the rounding error of every product and of every
/// addition is computed exactly and summed apart.
#[derive(Clone, Copy)]
pub struct Twofold {
    sum: f64,
    error: f64,
}

impl Carry<f64> for Twofold {
    const ZERO: Self = Self {
        sum: 0.0,
        error: 0.0,
    };

    #[inline(always)]
    fn plus_product(self, x: f64, y: f64) -> Self {
        let sum = x * y;
        let error = Float::mul_add(x, y, -sum);
        self.plus(Self { sum, error })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let sum = self.sum + other.sum;
        let part = sum - self.sum;
        let error = (self.sum - (sum - part)) + (other.sum - part);
        Self {
            sum,
            error: self.error + other.error + error,
        }
    }

    /// The errors of infinities are not numbers; the sum is then right without them.
    #[inline(always)]
    fn value(self) -> f64 {
        let value = self.sum + self.error;
        if value.is_finite() { value } else { self.sum }
    }
}

impl Shuffle for Twofold {
    #[inline(always)]
    fn shuffle(self, how: impl Fn(u32) -> u32 + Copy) -> Self {
        Self {
            sum: self.sum.shuffle(how),
            error: self.error.shuffle(how),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sum;

    fn dot(x: &[f64], y: &[f64]) -> f64 {
        let pairs = x.iter().zip(y);
        pairs
            .fold(Sum::<f64>::ZERO, |sum, (&x, &y)| sum.plus_product(x, y))
            .value()
    }

    #[test]
    fn double_precision_is_doubled_again() {
        // The sum is 2: everything else cancels, and takes with it what was rounded off.
        let big = 1e17;
        let x = [big, 1.0, 3.0, -big, 1.0 + f64::EPSILON, 1.0 + f64::EPSILON];
        let y = [1.0, 5.0, -1.0, 1.0, 1.0 - f64::EPSILON, -1.0 + f64::EPSILON];
        assert_eq!(dot(&x, &y), 2.0);
        let x = [1.0 + f64::EPSILON, 1.0];
        let y = [1.0 - f64::EPSILON, -1.0];
        assert_eq!(dot(&x, &y), -f64::EPSILON * f64::EPSILON);
    }

    #[test]
    fn infinities_give_infinities() {
        assert_eq!(dot(&[1.0, f64::INFINITY], &[1.0, 1.0]), f64::INFINITY);
        assert_eq!(dot(&[1e200, 1.0], &[1e200, 1.0]), f64::INFINITY);
        assert_eq!(dot(&[1e305, 1.0], &[1.0, 1.0]), 1e305);
        assert!(dot(&[f64::INFINITY, f64::NEG_INFINITY], &[1.0, 1.0]).is_nan());
    }
}
