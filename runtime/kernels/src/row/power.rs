//! Powers and square roots in defaults, calculated while the compiler runs: the nearest double, as
//! `include/cuvec/power.h` has it. Rust has none of its own there.

/// The sum of two doubles, the second of them less than the last bit of the first.
#[derive(Clone, Copy)]
struct TwoDoubles {
    high: f64,
    low: f64,
}

impl TwoDoubles {
    const fn sum(large: f64, small: f64) -> Self {
        let high = large + small;
        Self {
            high,
            low: small - (high - large),
        }
    }

    /// Exactly, of numbers between 1 and 4.
    const fn product(x: f64, y: f64) -> Self {
        let (a, b) = (Self::halves(x), Self::halves(y));
        let high = x * y;
        Self {
            high,
            low: ((a.high * b.high - high) + a.high * b.low + a.low * b.high) + a.low * b.low,
        }
    }

    const fn times(self, other: Self) -> Self {
        let whole = Self::product(self.high, other.high);
        let rest = self.high * other.low + self.low * other.high;
        Self::sum(whole.high, whole.low + rest)
    }

    const fn inverse(self) -> Self {
        let first = 1.0 / self.high;
        let whole = Self::product(first, self.high);
        let rest = (1.0 - whole.high) - whole.low - first * self.low;
        Self::sum(first, rest / self.high)
    }

    /// The first and the last 26 bits.
    const fn halves(x: f64) -> Self {
        let scaled = 134_217_729.0 * x; // 2^27 + 1
        let high = scaled - (scaled - x);
        Self {
            high,
            low: x - high,
        }
    }

    const fn scaled(self, factor: f64) -> Self {
        Self {
            high: self.high * factor,
            low: self.low * factor,
        }
    }
}

/// A positive number: what is between 1 and 2, times a power of two.
#[derive(Clone, Copy)]
struct Scaled {
    value: TwoDoubles,
    exponent: i64,
}

impl Scaled {
    const fn of(mut value: TwoDoubles, mut exponent: i64) -> Self {
        while value.high >= 2.0 {
            (value, exponent) = (value.scaled(0.5), exponent + 1);
        }
        while value.high < 1.0 {
            (value, exponent) = (value.scaled(2.0), exponent - 1);
        }
        Self { value, exponent }
    }

    const fn times(self, other: Self) -> Self {
        let exponent = self.exponent + other.exponent;
        Self::of(self.value.times(other.value), exponent)
    }

    /// Infinity and zero beyond what doubles are.
    const fn real(self) -> f64 {
        let (mut real, mut exponent) = (self.value.high, self.exponent);
        while exponent > 0 && real.is_finite() {
            (real, exponent) = (real * 2.0, exponent - 1);
        }
        while exponent < 0 && real > 0.0 {
            (real, exponent) = (real / 2.0, exponent + 1);
        }
        real
    }
}

/// `x` to the power of `n`.
///
/// # Panics
/// When there is no such number: an error of the build.
#[must_use]
pub const fn pow(x: f64, n: i64) -> f64 {
    const BEYOND: i64 = 4096; // what no double has as an exponent, and none gets back from
    assert!(x.is_finite(), "a power of `inf` or `nan`");
    if x == 0.0 {
        assert!(n >= 0, "zero to a negative power");
        return if n == 0 { 1.0 } else { 0.0 };
    }
    let one = TwoDoubles::sum(1.0, 0.0);
    let mut square = Scaled::of(TwoDoubles::sum(x.abs(), 0.0), 0);
    let (mut found, mut rest) = (Scaled::of(one, 0), n);
    while rest != 0 {
        if rest % 2 != 0 {
            found = found.times(square);
        }
        if square.exponent.abs() <= BEYOND {
            square = square.times(square);
        }
        rest /= 2;
    }
    if n < 0 {
        found = Scaled::of(found.value.inverse(), -found.exponent);
    }
    let real = found.real();
    assert!(real.is_finite(), "a power that is too large");
    if x < 0.0 && n % 2 != 0 { -real } else { real }
}

/// The square root.
///
/// # Panics
/// For negative numbers, and those that are not finite: an error of the build.
#[must_use]
pub const fn sqrt(x: f64) -> f64 {
    assert!(
        x >= 0.0 && x.is_finite(),
        "a root of a negative number, of `inf` or of `nan`"
    );
    if x == 0.0 {
        return 0.0;
    }
    let scaled = Scaled::of(TwoDoubles::sum(x, 0.0), 0);
    let is_odd = scaled.exponent % 2 != 0;
    let y = scaled.value.high * if is_odd { 2.0 } else { 1.0 }; // between 1 and 4
    let (mut root, mut step) = (1.5, 0);
    while step < 6 {
        root = (root + y / root) / 2.0;
        step += 1;
    }
    // An exact comparison with the middle of two doubles decides which one is nearest.
    let last = f64::EPSILON;
    let square = TwoDoubles::product(root, root);
    let rest = (y - square.high) - square.low;
    if rest > root * last {
        root += last;
    } else if rest <= -root * last {
        root -= last;
    }
    let value = TwoDoubles::sum(root, 0.0);
    let exponent = (scaled.exponent - is_odd as i64) / 2;
    Scaled { value, exponent }.real()
}

#[cfg(test)]
mod tests {
    use super::{pow, sqrt};

    #[test]
    fn the_nearest_double() {
        for x in 1..2000 {
            let x = f64::from(x);
            for x in [x, x.recip(), x * 1e-300, x * x * 1e290] {
                assert_eq!(sqrt(x), x.sqrt(), "{x}");
            }
        }
        // As Python has the quotients of integers, which are exact.
        for (x, n, wanted) in [
            (10.0, 22, 1e22),
            (10.0, 300, 1e300),
            (10.0, -300, 1e-300),
            (1.1, 100, 13780.61233982238),
            (-3.0, 33, -5559060566555523.0),
            (0.5, 2000, 0.0),
            (0.9, i64::MAX, 0.0),
            (2.0, -1074, 5e-324),
            (7.25, 0, 1.0),
        ] {
            assert_eq!(pow(x, n), wanted, "{x} to the power of {n}");
        }
    }

    #[test]
    #[should_panic(expected = "too large")]
    fn a_power_that_is_too_large() {
        let _ = pow(1.5, i64::MAX);
    }
}
