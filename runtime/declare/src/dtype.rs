//! The dtypes of arrays and numbers.

use std::ops::RangeInclusive;

/// The dtypes, by their names in NumPy or ml_dtypes, in Rust and in C++.
pub const DTYPES: [(&str, &str, &str); 17] = [
    ("bool", "bool", "bool"),
    ("int8", "i8", "std::int8_t"),
    ("uint8", "u8", "std::uint8_t"),
    ("int16", "i16", "std::int16_t"),
    ("uint16", "u16", "std::uint16_t"),
    ("int32", "i32", "std::int32_t"),
    ("uint32", "u32", "std::uint32_t"),
    ("int64", "i64", "int64"),
    ("uint64", "u64", "std::uint64_t"),
    ("float16", "f16", "float16"),
    ("float32", "f32", "float"),
    ("float64", "f64", "double"),
    ("complex64", "complex64", "complex64"),
    ("complex128", "complex128", "complex128"),
    ("bfloat16", "bf16", "bfloat16"),
    ("float8_e4m3fn", "f8e4m3", "float8_e4m3fn"),
    ("float8_e5m2", "f8e5m2", "float8_e5m2"),
];

/// One of `DTYPES`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DType(pub usize);

impl DType {
    /// By its name in NumPy or in Rust.
    pub fn named(name: &str) -> Option<Self> {
        let found = DTYPES
            .iter()
            .position(|(numpy, rust, _)| [*numpy, *rust].contains(&name));
        found.map(Self)
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
        DTYPES[self.0].0
    }

    pub fn rust(self) -> &'static str {
        DTYPES[self.0].1
    }

    pub fn cpp(self) -> &'static str {
        DTYPES[self.0].2
    }

    pub fn is_bool(self) -> bool {
        self.numpy() == "bool"
    }

    pub fn is_integer(self) -> bool {
        self.numpy().contains("int")
    }

    /// True if NumPy does not have it, but ml_dtypes.
    pub fn is_extension(self) -> bool {
        matches!(self.numpy(), "bfloat16" | "float8_e4m3fn" | "float8_e5m2")
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
