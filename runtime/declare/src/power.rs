//! Powers of numbers: the nearest double.

/// The sum of two doubles, the second of them less than the last bit of the first.
#[derive(Clone, Copy)]
struct TwoDoubles {
    high: f64,
    low: f64,
}

impl TwoDoubles {
    fn sum(large: f64, small: f64) -> Self {
        let high = large + small;
        Self {
            high,
            low: small - (high - large),
        }
    }

    /// Exactly, of numbers between 1 and 4.
    fn product(x: f64, y: f64) -> Self {
        let (a, b) = (Self::halves(x), Self::halves(y));
        let high = x * y;
        Self {
            high,
            low: ((a.high * b.high - high) + a.high * b.low + a.low * b.high) + a.low * b.low,
        }
    }

    fn times(self, other: Self) -> Self {
        let whole = Self::product(self.high, other.high);
        let rest = self.high * other.low + self.low * other.high;
        Self::sum(whole.high, whole.low + rest)
    }

    fn inverse(self) -> Self {
        let first = 1.0 / self.high;
        let whole = Self::product(first, self.high);
        let rest = (1.0 - whole.high) - whole.low - first * self.low;
        Self::sum(first, rest / self.high)
    }

    /// The first and the last 26 bits.
    fn halves(x: f64) -> Self {
        let scaled = 134_217_729.0 * x; // 2^27 + 1
        let high = scaled - (scaled - x);
        Self {
            high,
            low: x - high,
        }
    }

    fn scaled(self, factor: f64) -> Self {
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
    fn of(mut value: TwoDoubles, mut exponent: i64) -> Self {
        while value.high >= 2.0 {
            (value, exponent) = (value.scaled(0.5), exponent + 1);
        }
        while value.high < 1.0 {
            (value, exponent) = (value.scaled(2.0), exponent - 1);
        }
        Self { value, exponent }
    }

    fn times(self, other: Self) -> Self {
        let exponent = self.exponent + other.exponent;
        Self::of(self.value.times(other.value), exponent)
    }

    /// Infinity and zero beyond what doubles are.
    fn real(self) -> f64 {
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

/// `x` to the power of `n`; nothing if it is no number.
pub fn pow(x: f64, n: i64) -> Option<f64> {
    const BEYOND: i64 = 4096; // what no double has as an exponent, and none gets back from
    if x == 0.0 {
        return (n >= 0).then_some(if n == 0 { 1.0 } else { 0.0 });
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
    let signed = if x < 0.0 && n % 2 != 0 { -real } else { real };
    signed.is_finite().then_some(signed)
}

#[cfg(test)]
mod tests {
    use super::pow;

    #[test]
    fn the_nearest_double() {
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
            assert_eq!(pow(x, n), Some(wanted), "{x} to the power of {n}");
        }
    }

    #[test]
    fn what_is_no_number() {
        assert_eq!(pow(1.5, i64::MAX), None);
        assert_eq!(pow(0.0, -1), None);
    }
}
