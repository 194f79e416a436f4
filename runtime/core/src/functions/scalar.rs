//! Scalars of a call, as bodies get them.

use cuvec_spec::{DType, Number};

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

    /// A real number, rounded; none if it is finite and the dtype, which must be one of real
    /// numbers, has only infinity for it.
    #[must_use]
    pub fn real(value: f64, dtype: DType) -> Option<Self> {
        let (scalar, rounded) = match dtype {
            DType::F16 => {
                let bits = half_bits(value);
                let infinite = bits & 0x7fff == 0x7c00;
                let rounded = if infinite { f64::INFINITY } else { 0.0 };
                (Self::from_bytes(bits.to_ne_bytes()), rounded)
            }
            DType::F32 => {
                let rounded = value as f32;
                (Self::from_bytes(rounded.to_ne_bytes()), f64::from(rounded))
            }
            _ => (Self::from_bytes(value.to_ne_bytes()), value),
        };
        (!rounded.is_infinite() || !value.is_finite()).then_some(scalar)
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

    /// What [`Scalar::integer`] was made of.
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

    /// What [`Scalar::real`] was made of, rounded.
    #[must_use]
    pub fn as_real(self, dtype: DType) -> f64 {
        match dtype {
            DType::F16 => half_value(u16::from_ne_bytes(self.bytes(0))),
            DType::F32 => f32::from_ne_bytes(self.bytes(0)).into(),
            _ => f64::from_ne_bytes(self.bytes(0)),
        }
    }

    /// What [`Scalar::complex`] was made of, rounded.
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

/// The nearest number of float16, to the even one of two.
fn half_bits(value: f64) -> u16 {
    let sign = ((value.to_bits() >> 48) & 0x8000) as u16;
    let size = value.abs();
    if size.is_nan() {
        return sign | 0x7e00;
    }
    if size >= 65520.0 {
        return sign | 0x7c00; // half of a step beyond the largest
    }
    // Steps between numbers are 2^-24 below 2^-14, and grow with every power of two.
    let exponent = (((size.to_bits() >> 52) as i32) - 1023).max(-14);
    let steps = (size * 2_f64.powi(10 - exponent)).round_ties_even() as u16; // exact but for the rounding
    // 1024 steps or more have the bit of the exponent in them; 2048 carry into it.
    sign | ((((exponent + 14) as u16) << 10) + steps)
}

fn half_value(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, steps) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    sign * match exponent {
        0 => steps * 2_f64.powi(-24),
        0x1f if steps == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1024.0 + steps) * 2_f64.powi(exponent - 25),
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

    #[test]
    fn all_of_float16_there_and_back() {
        for bits in 0..=u16::MAX {
            let value = half_value(bits);
            if !value.is_nan() {
                assert_eq!(half_bits(value), bits, "{value}");
            }
        }
    }

    #[test]
    fn float16_rounds_to_the_nearest() {
        for bits in 0..0x7bff_u16 {
            let (low, high) = (half_value(bits), half_value(bits + 1));
            let middle = f64::midpoint(low, high);
            assert_eq!(half_bits(middle), bits + (bits & 1), "{middle}");
            assert_eq!(half_bits(middle.next_down()), bits);
            assert_eq!(half_bits(middle.next_up()), bits + 1);
        }
        assert_eq!(half_bits(-1e-300), 0x8000);
    }
}
