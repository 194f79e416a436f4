//! Scalars of a call, as bodies get them.

use std::slice;

use cuvec_spec::{DType, Number, SmallFloat};

/// A scalar in the dtype of its argument, aligned for any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Scalar([u8; 16]);

impl Scalar {
    fn from_bytes<const N: usize>(bytes: [u8; N]) -> Self {
        let mut scalar = Self::default();
        scalar.0[..N].copy_from_slice(&bytes);
        scalar
    }

    fn bytes<const N: usize>(self, from: usize) -> [u8; N] {
        std::array::from_fn(|index| self.0[from + index])
    }

    /// An integer; none if the dtype, which must be one of integers or bool, cannot hold it.
    #[must_use]
    pub fn integer(value: i128, dtype: DType) -> Option<Self> {
        let fits = match dtype {
            DType::Bool => (0..=1).contains(&value),
            _ if dtype.kind() == 'i' => {
                let limit = 1_i128 << (8 * dtype.size() - 1);
                (-limit..limit).contains(&value)
            }
            _ => (0..1_i128 << (8 * dtype.size())).contains(&value),
        };
        // The low bytes come first; bodies read as many as the dtype has.
        fits.then(|| Self::from_bytes(value.to_le_bytes()))
    }

    /// A real number, rounded; none if the dtype, which must be one of real numbers, is too small for
    /// it: it has only infinity for a finite number, or no infinity.
    #[must_use]
    pub fn real(value: f64, dtype: DType) -> Option<Self> {
        if let Some(small) = Small::of(dtype) {
            return Some(Self::from_bytes(small.bits(value)?.to_le_bytes()));
        }
        if dtype == DType::F32 {
            let rounded = value as f32;
            let fits = rounded.is_finite() || !value.is_finite();
            return fits.then(|| Self::from_bytes(rounded.to_ne_bytes()));
        }
        Some(Self::from_bytes(value.to_ne_bytes()))
    }

    /// A complex number; as [`Scalar::real`].
    #[must_use]
    pub fn complex(real: f64, imaginary: f64, dtype: DType) -> Option<Self> {
        let (part, size) = match dtype {
            DType::C64 => (DType::F32, 4),
            _ => (DType::F64, 8),
        };
        let (mut whole, imaginary) = (Self::real(real, part)?, Self::real(imaginary, part)?);
        whole.0[size..2 * size].copy_from_slice(&imaginary.0[..size]);
        Some(whole)
    }

    /// A literal of a declaration; none if the dtype cannot hold it.
    #[must_use]
    pub fn declared(literal: Number, dtype: DType) -> Option<Self> {
        match (literal, dtype.kind()) {
            (Number::Integer(integer), 'f') => Self::real(integer as f64, dtype),
            (Number::Integer(integer), 'c') => Self::complex(integer as f64, 0.0, dtype),
            (Number::Integer(integer), _) => Self::integer(integer.into(), dtype),
            (Number::Real(real), 'f') => Self::real(real, dtype),
            (Number::Real(real), 'c') => Self::complex(real, 0.0, dtype),
            (Number::Real(_), _) => None,
        }
    }

    /// Puts an item of a tuple behind those before it.
    pub fn put(self, item: usize, dtype: DType, tuple: &mut [Self]) {
        let (size, start) = (dtype.size(), item * dtype.size());
        Self::bytes_of(tuple)[start..start + size].copy_from_slice(&self.0[..size]);
    }

    /// The bytes of scalars that lie one behind the other.
    pub fn bytes_of(scalars: &mut [Self]) -> &mut [u8] {
        let size = size_of_val(scalars);
        // SAFETY: they are bytes, and nothing else.
        unsafe { slice::from_raw_parts_mut(scalars.as_mut_ptr().cast(), size) }
    }

    /// Returns the value that [`Scalar::integer`] took.
    #[must_use]
    pub fn as_integer(self, dtype: DType) -> i128 {
        let bits = 8 * dtype.size();
        let value = i128::from_le_bytes(self.0) << (128 - bits);
        if dtype.kind() == 'i' {
            value >> (128 - bits)
        } else {
            (value.cast_unsigned() >> (128 - bits)).cast_signed()
        }
    }

    /// Returns the value that [`Scalar::real`] took, rounded.
    #[must_use]
    pub fn as_real(self, dtype: DType) -> f64 {
        if let Some(small) = Small::of(dtype) {
            return small.value(u16::from_le_bytes(self.bytes(0)));
        }
        match dtype {
            DType::F32 => f32::from_ne_bytes(self.bytes(0)).into(),
            _ => f64::from_ne_bytes(self.bytes(0)),
        }
    }

    /// Returns the value that [`Scalar::complex`] took, rounded.
    #[must_use]
    pub fn as_complex(self, dtype: DType) -> (f64, f64) {
        match dtype {
            DType::C64 => (
                f32::from_ne_bytes(self.bytes(0)).into(),
                f32::from_ne_bytes(self.bytes(4)).into(),
            ),
            _ => (
                f64::from_ne_bytes(self.bytes(0)),
                f64::from_ne_bytes(self.bytes(8)),
            ),
        }
    }

    /// Where it is.
    pub fn address(&self) -> *const u8 {
        self.0.as_ptr()
    }

    /// Where it is, to be written.
    pub fn address_mut(&mut self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
}

/// Conversions of a float of 16 bits or fewer: a sign, an exponent, and the bits of a fraction.
struct Small(SmallFloat);

impl Small {
    fn of(dtype: DType) -> Option<Self> {
        dtype.small_float().map(Self)
    }

    /// The bits of all that is not a sign.
    fn magnitude(&self) -> u16 {
        (1 << (self.0.exponent + self.0.fraction)) - 1
    }

    /// The least magnitude that is no finite number.
    fn limit(&self) -> u16 {
        match self.0.has_infinity {
            true => self.magnitude() - ((1 << self.0.fraction) - 1),
            false => self.magnitude(),
        }
    }

    /// The exponent of the smallest numbers that have all bits of the fraction.
    fn least_exponent(&self) -> i32 {
        2 - (1 << (self.0.exponent - 1))
    }

    /// The nearest number, of two the even one.
    fn bits(&self, value: f64) -> Option<u16> {
        if self.0.fraction == 0 {
            return Self::exponent_bits(value);
        }
        let sign = u16::from(value.is_sign_negative()) << (self.0.exponent + self.0.fraction);
        let size = value.abs();
        if size.is_nan() {
            return Some(sign | self.limit() | 1 << (self.0.fraction - 1));
        }
        if size.is_infinite() {
            return self.0.has_infinity.then_some(sign | self.limit());
        }
        // Steps between numbers have one size below twice the smallest, and grow with every power of two.
        let least = self.least_exponent();
        let exponent = (((size.to_bits() >> 52) as i32) - 1023).max(least);
        let steps = size * 2_f64.powi(self.0.fraction as i32 - exponent); // exact
        let above = u64::from((exponent - least).unsigned_abs()) << self.0.fraction;
        // 2^fraction steps or more have the bit of the exponent in them; twice as many carry into it.
        let bits = above.saturating_add(steps.round_ties_even() as u64);
        (bits < self.limit().into()).then_some(sign | bits as u16)
    }

    /// The nearest power of two, of two the larger one. As in ml_dtypes, everything beyond the smallest is rounded up
    /// to the second.
    fn exponent_bits(value: f64) -> Option<u16> {
        if value.is_nan() {
            return Some(255);
        }
        let rounded = ((value.to_bits() + (1 << 51)) >> 52) as i64 + 127 - 1023;
        let smallest = i64::from(value > 2_f64.powi(-127));
        (value > 0.0 && rounded < 255).then(|| rounded.max(smallest) as u16)
    }

    /// Returns the value of bits. Those above them mean nothing.
    fn value(&self, bits: u16) -> f64 {
        if self.0.fraction == 0 {
            return match bits & 255 {
                255 => f64::NAN,
                bits => 2_f64.powi(i32::from(bits) - 127),
            };
        }
        let magnitude = bits & self.magnitude();
        let sign = if bits & (self.magnitude() + 1) == 0 {
            1.0
        } else {
            -1.0
        };
        if magnitude >= self.limit() {
            let infinite = self.0.has_infinity && magnitude == self.limit();
            return sign * if infinite { f64::INFINITY } else { f64::NAN };
        }
        let exponent = i32::from(magnitude >> self.0.fraction);
        let steps = f64::from(magnitude & ((1 << self.0.fraction) - 1));
        let hidden = if exponent == 0 {
            0.0
        } else {
            2_f64.powi(self.0.fraction as i32)
        };
        let unit = self.least_exponent() - self.0.fraction as i32 + (exponent - 1).max(0);
        sign * (hidden + steps) * 2_f64.powi(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_fit_or_are_refused() {
        for (dtype, smallest, largest) in [
            (DType::Bool, 0, 1),
            (DType::I8, -128, 127),
            (DType::U8, 0, 255),
            (DType::I32, i32::MIN.into(), i32::MAX.into()),
            (DType::I64, i64::MIN.into(), i64::MAX.into()),
            (DType::U64, 0, u64::MAX.into()),
        ] {
            for value in [smallest, largest] {
                let scalar = Scalar::integer(value, dtype).unwrap();
                assert_eq!(scalar.as_integer(dtype), value, "{dtype:?}");
            }
            for value in [smallest - 1, largest + 1] {
                assert_eq!(Scalar::integer(value, dtype), None, "{dtype:?}");
            }
        }
    }

    #[test]
    fn numbers_that_become_infinite_are_refused() {
        assert_eq!(Scalar::real(1e39, DType::F32), None);
        assert_eq!(Scalar::real(65520.0, DType::F16), None);
        assert_eq!(Scalar::complex(0.0, -1e39, DType::C64), None);
        assert!(Scalar::real(f64::INFINITY, DType::F16).is_some());
        assert!(Scalar::real(f64::NAN, DType::F32).is_some());
        let tenth = Scalar::real(0.1, DType::F32).unwrap();
        assert_eq!(tenth.as_real(DType::F32), f64::from(0.1_f32));
        let both = Scalar::complex(0.5, -2.0, DType::C64).unwrap();
        assert_eq!(both.as_complex(DType::C64), (0.5, -2.0));
    }

    #[test]
    fn numbers_of_declarations_become_what_is_asked_for() {
        let two = |dtype| Scalar::declared(Number::Integer(2), dtype);
        assert_eq!(two(DType::F16).unwrap().as_real(DType::F16), 2.0);
        assert_eq!(two(DType::U8).unwrap().as_integer(DType::U8), 2);
        assert_eq!(two(DType::C64).unwrap().as_complex(DType::C64), (2.0, 0.0));
        assert_eq!(two(DType::Bool), None);
        assert_eq!(Scalar::declared(Number::Real(0.5), DType::I32), None);
    }

    const SMALL: [DType; 4] = [DType::F16, DType::BF16, DType::F8E4M3, DType::F8E5M2];

    #[test]
    fn all_of_small_floats_there_and_back() {
        for small in SMALL.map(|dtype| Small::of(dtype).unwrap()) {
            for bits in 0..=small.magnitude() {
                let value = small.value(bits);
                if value.is_nan() {
                    assert!(small.value(small.bits(value).unwrap()).is_nan());
                } else {
                    assert_eq!(small.bits(value), Some(bits), "{value}");
                    let negative = bits | (small.magnitude() + 1);
                    assert_eq!(small.bits(-value), Some(negative), "{value}");
                    assert_eq!(small.value(negative), -value);
                }
            }
        }
    }

    #[test]
    fn bytes_behind_a_small_float_mean_nothing() {
        let small = Small::of(DType::F8E4M3).unwrap();
        let bits = small.bits(1.5).unwrap();
        assert_eq!(small.value(bits | 0xff00), 1.5);
    }

    #[test]
    fn small_floats_are_rounded_to_the_nearest() {
        for small in SMALL.map(|dtype| Small::of(dtype).unwrap()) {
            for bits in 0..small.limit() - 1 {
                let (low, high) = (small.value(bits), small.value(bits + 1));
                let middle = f64::midpoint(low, high);
                assert_eq!(small.bits(middle), Some(bits + (bits & 1)), "{middle}");
                assert_eq!(small.bits(middle.next_down()), Some(bits));
                assert_eq!(small.bits(middle.next_up()), Some(bits + 1));
            }
            assert_eq!(small.bits(-1e-300), Some(small.magnitude() + 1));
        }
    }

    #[test]
    fn powers_of_two() {
        let small = Small::of(DType::F8E8M0).unwrap();
        for bits in 0..255 {
            let value = small.value(bits | 0xff00);
            assert_eq!(value, 2_f64.powi(i32::from(bits) - 127));
            assert_eq!(small.bits(value), Some(bits));
            assert_eq!(small.bits(value.next_down()), Some(bits));
            assert_eq!(small.bits(-value), None);
        }
        for bits in 1..254 {
            let middle = 1.5 * small.value(bits);
            assert_eq!(small.bits(middle), Some(bits + 1));
            assert_eq!(small.bits(middle.next_down()), Some(bits));
        }
        assert_eq!(small.bits(f64::from_bits(1)), Some(0));
        assert_eq!(small.bits(small.value(0).next_up()), Some(1));
        assert!(small.value(small.bits(f64::NAN).unwrap()).is_nan());
        for value in [
            0.0,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            1.5 * small.value(254),
        ] {
            assert_eq!(small.bits(value), None, "{value}");
        }
    }

    #[test]
    fn limits_of_small_floats() {
        let largest = [65504.0, 3.389_531_389_251_535_5e38, 448.0, 57344.0];
        let too_large = [65520.0, 3.396_177_529_876_6e38, 465.0, 61440.0];
        for ((dtype, largest), too_large) in SMALL.into_iter().zip(largest).zip(too_large) {
            let scalar = Scalar::real(largest, dtype).unwrap();
            assert_eq!(scalar.as_real(dtype), largest, "{dtype:?}");
            assert_eq!(Scalar::real(too_large, dtype), None, "{dtype:?}");
            let infinity = Scalar::real(f64::INFINITY, dtype);
            assert_eq!(infinity.is_some(), dtype != DType::F8E4M3, "{dtype:?}");
        }
    }
}
