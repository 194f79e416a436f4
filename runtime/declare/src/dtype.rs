//! The dtypes of arrays and numbers.

use std::ops::RangeInclusive;

/// Calls a macro with the table of dtypes: the variant of `cuvec_spec::DType`, DLPack's type code and the bits of an
/// element, the names in NumPy or ml_dtypes, in Rust and in C++, the format of the `struct` module and the buffer
/// protocol, and XLA's number. What ml_dtypes adds has no format of its own, and is bytes there. Floats of fewer than
/// 32 bits have a [`SmallFloat`] besides: bits of the exponent and of the fraction, and whether there is an infinity.
///
/// The same dtypes are in `cuvec/abi.h`.
#[macro_export]
macro_rules! dtypes {
    ($then:ident) => {
        $then! {
            Bool 6 8 "bool" "bool" "bool" c"?" 1;
            I8 0 8 "int8" "i8" "std::int8_t" c"b" 2;
            U8 1 8 "uint8" "u8" "std::uint8_t" c"B" 6;
            I16 0 16 "int16" "i16" "std::int16_t" c"h" 3;
            U16 1 16 "uint16" "u16" "std::uint16_t" c"H" 7;
            I32 0 32 "int32" "i32" "std::int32_t" c"i" 4;
            U32 1 32 "uint32" "u32" "std::uint32_t" c"I" 8;
            I64 0 64 "int64" "i64" "int64" c"q" 5;
            U64 1 64 "uint64" "u64" "std::uint64_t" c"Q" 9;
            F16 2 16 "float16" "f16" "float16" c"e" 10 (5 10 true);
            F32 2 32 "float32" "f32" "float" c"f" 11;
            F64 2 64 "float64" "f64" "double" c"d" 12;
            C64 5 64 "complex64" "complex64" "complex64" c"Zf" 15;
            C128 5 128 "complex128" "complex128" "complex128" c"Zd" 18;
            BF16 4 16 "bfloat16" "bf16" "bfloat16" c"2s" 16 (8 7 true);
            F8E4M3 10 8 "float8_e4m3fn" "f8e4m3" "float8_e4m3fn" c"1s" 20 (4 3 false);
            F8E5M2 12 8 "float8_e5m2" "f8e5m2" "float8_e5m2" c"1s" 19 (5 2 true);
            F8E8M0 14 8 "float8_e8m0fnu" "f8e8m0" "float8_e8m0fnu" c"1s" 33 (8 0 false);
        }
    };
}

/// A float of fewer than 32 bits. Without bits of a fraction it is a power of two, and has neither zero nor sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallFloat {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the fraction.
    pub fraction: u32,
    /// True if the largest exponent is for infinity and NaNs. Otherwise it is an exponent as others are, and only all
    /// bits set are a NaN.
    pub has_infinity: bool,
}

/// A row of the table, as far as declarations need it.
pub struct Row {
    /// In NumPy or ml_dtypes.
    pub numpy: &'static str,
    pub rust: &'static str,
    pub cpp: &'static str,
    pub small_float: Option<SmallFloat>,
    is_extension: bool,
}

macro_rules! rows {
    ($($variant:ident $code:literal $bits:literal $numpy:literal $rust:literal $cpp:literal $format:literal $xla:literal
        $(($exponent:literal $fraction:literal $has_infinity:literal))?;)*) => {
        &[$(Row {
            numpy: $numpy,
            rust: $rust,
            cpp: $cpp,
            small_float: only(&[$(SmallFloat {
                exponent: $exponent,
                fraction: $fraction,
                has_infinity: $has_infinity,
            })?]),
            is_extension: is_extension($code),
        }),*]
    };
}

/// The dtypes.
pub const DTYPES: &[Row] = dtypes!(rows);

const fn only(floats: &[SmallFloat]) -> Option<SmallFloat> {
    match floats {
        [it] => Some(*it),
        _ => None,
    }
}

/// True of DLPack's type codes that ml_dtypes has, and not NumPy.
pub const fn is_extension(code: u8) -> bool {
    matches!(code, 4 | 7..)
}

/// One of `DTYPES`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DType(pub usize);

impl DType {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..DTYPES.len()).map(Self)
    }

    /// By its name in NumPy or in Rust.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|it| [it.numpy(), it.rust()].contains(&name))
    }

    /// An option is the number of the text among its choices, of int32.
    pub const OPTION: Self = Self(5);

    /// Dtype of a Python number that is a size.
    pub const SIZE: Self = Self(7);

    /// The dtype of the real part.
    pub fn real(self) -> Self {
        let real = match self.numpy() {
            "complex64" => Self::named("float32"),
            "complex128" => Self::named("float64"),
            _ => None,
        };
        real.unwrap_or(self)
    }

    pub fn numpy(self) -> &'static str {
        DTYPES[self.0].numpy
    }

    pub fn rust(self) -> &'static str {
        DTYPES[self.0].rust
    }

    pub fn cpp(self) -> &'static str {
        DTYPES[self.0].cpp
    }

    pub fn is_bool(self) -> bool {
        self.numpy() == "bool"
    }

    pub fn is_integer(self) -> bool {
        self.numpy().contains("int")
    }

    /// True if NumPy does not have it, but ml_dtypes.
    pub fn is_extension(self) -> bool {
        DTYPES[self.0].is_extension
    }

    /// The format of a float of fewer than 32 bits.
    pub fn small_float(self) -> Option<SmallFloat> {
        DTYPES[self.0].small_float
    }

    /// True if its values have fractions.
    pub fn is_inexact(self) -> bool {
        !self.is_bool() && !self.is_integer()
    }

    pub fn is_complex(self) -> bool {
        self.numpy().starts_with("complex")
    }

    /// The values of one that has no fractions.
    pub fn range(self) -> RangeInclusive<i128> {
        let bits = |prefix| self.numpy().strip_prefix(prefix)?.parse::<u32>().ok();
        match (bits("uint"), bits("int")) {
            (Some(bits), _) => 0..=(1 << bits) - 1,
            (None, Some(bits)) => -(1 << (bits - 1))..=(1 << (bits - 1)) - 1,
            (None, None) => 0..=1,
        }
    }
}
