//! Types of elements: numbers, and structs, whose bytes bodies and Python understand, and the core does not.

use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::hash::{Hash, Hasher};

use cuvec_declare::dtype::{DTYPES, SmallFloat, is_extension};

macro_rules! table {
    ($($variant:ident $code:literal $bits:literal $numpy:literal $rust:literal $cpp:literal $format:literal $xla:literal
        $(($exponent:literal $fraction:literal $has_infinity:literal))?;)*) => {
        /// The element types that NumPy or ml_dtypes, CUDA and DLPack share. The value is DLPack's type code
        /// times 256, plus the bits of an element, as in `cuvec/abi.h`. And the structs of a package, which no
        /// library has but NumPy.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(i16)]
        pub enum DType {
            $($variant = $code << 8 | $bits,)*
            Struct(&'static Struct) = Self::STRUCT,
        }

        /// The name in NumPy or ml_dtypes, the format of the `struct` module and the buffer protocol, and XLA's
        /// number of each.
        const NAMES: &[(DType, &str, &CStr, i32)] =
            &[$((DType::$variant, $numpy, $format, $xla)),*];
    };
}

cuvec_declare::dtypes!(table);

impl Hash for DType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value().hash(state);
    }
}

impl DType {
    /// `CUVEC_STRUCT_DTYPE`: the value of the first struct of a function.
    pub const STRUCT: i16 = 0x7f00;

    /// DLPack's type code times 256, plus the bits; [`DType::STRUCT`] for a struct.
    #[must_use]
    pub const fn value(self) -> i16 {
        // SAFETY: an enum with a `repr` begins with what tells its variants apart.
        unsafe { *(&raw const self).cast() }
    }

    /// The struct, if it is one.
    #[must_use]
    pub const fn structure(self) -> Option<&'static Struct> {
        match self {
            Self::Struct(structure) => Some(structure),
            _ => None,
        }
    }

    const fn names(self) -> (&'static str, &'static CStr, i32) {
        let mut row = 0;
        loop {
            let (dtype, name, format, xla) = NAMES[row];
            if dtype.value() == self.value() {
                return (name, format, xla);
            }
            row += 1;
        }
    }

    /// All of them.
    pub const ALL: [Self; NAMES.len()] = {
        let mut all = [Self::Bool; NAMES.len()];
        let mut row = 0;
        while row < all.len() {
            all[row] = NAMES[row].0;
            row += 1;
        }
        all
    };

    /// The dtype of this value: DLPack's type code times 256, plus the bits.
    #[must_use]
    pub fn from_value(value: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|dtype| dtype.value() == value)
    }

    /// The dtype of DLPack's type code and bits.
    #[must_use]
    pub fn from_dlpack(code: u8, bits: u8) -> Option<Self> {
        Self::from_value(i16::from(code) << 8 | i16::from(bits))
    }

    /// DLPack's type code and bits, which structs have none of.
    #[must_use]
    pub const fn dlpack(self) -> (u8, u8) {
        ((self.value() >> 8) as u8, (self.value() & 0xff) as u8)
    }

    /// The name in NumPy or ml_dtypes, such as `float32`, or the name of a struct.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Struct(structure) => structure.name,
            dtype => dtype.names().0,
        }
    }

    /// Returns NumPy's kind: `b`, `i`, `u`, `f` or `c`, or `V` of a struct.
    #[must_use]
    pub const fn kind(self) -> char {
        match self.dlpack().0 {
            _ if self.structure().is_some() => 'V',
            0 => 'i',
            1 => 'u',
            5 => 'c',
            6 => 'b',
            _ => 'f',
        }
    }

    /// The dtype of the real part: float32 for complex64, and itself for others that are no complex ones.
    #[must_use]
    pub const fn real(self) -> Self {
        match self {
            Self::C64 => Self::F32,
            Self::C128 => Self::F64,
            dtype => dtype,
        }
    }

    /// True if NumPy does not have it, but ml_dtypes.
    #[must_use]
    pub const fn is_extension(self) -> bool {
        self.structure().is_none() && is_extension(self.dlpack().0)
    }

    /// The format of a float of fewer than 32 bits.
    #[must_use]
    pub fn small_float(self) -> Option<SmallFloat> {
        let row = NAMES.iter().position(|it| it.0 == self)?;
        DTYPES[row].small_float
    }

    /// The format of the `struct` module and the buffer protocol; bytes for a struct.
    #[must_use]
    pub fn format(self) -> Cow<'static, CStr> {
        match self {
            Self::Struct(structure) => {
                let format = format!("{}s", structure.size);
                CString::new(format).expect("digits and a letter").into()
            }
            dtype => dtype.names().1.into(),
        }
    }

    /// XLA's number.
    #[must_use]
    pub const fn xla(self) -> i32 {
        self.names().2
    }

    /// The dtype of XLA's number.
    #[must_use]
    pub fn from_xla(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|dtype| dtype.xla() == number)
    }

    /// Bytes of one element.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Struct(structure) => structure.size,
            dtype => (dtype.value() as usize & 0xff) / 8,
        }
    }

    /// Alignment of elements in bytes, a power of two.
    #[must_use]
    pub const fn alignment(self) -> usize {
        match self {
            Self::Struct(structure) => structure.alignment,
            dtype => dtype.size(),
        }
    }

    /// The dtype of an array-interface kind letter and item size.
    #[must_use]
    pub fn from_kind(kind: char, size: usize) -> Option<Self> {
        let is_it =
            |dtype: &Self| dtype.kind() == kind && dtype.size() == size && !dtype.is_extension();
        Self::ALL.into_iter().find(is_it)
    }

    /// The dtype of an array-interface `typestr`, such as `<f4`, or of a name of ml_dtypes; `None` when
    /// it is not one of these or not in this machine's byte order.
    #[must_use]
    pub fn from_typestr(typestr: &str) -> Option<Self> {
        let is_named = |dtype: &Self| dtype.is_extension() && dtype.name() == typestr;
        Self::from_numpys(typestr).or_else(|| Self::ALL.into_iter().find(is_named))
    }

    fn from_numpys(typestr: &str) -> Option<Self> {
        let mut letters = typestr.chars();
        let order = letters.next()?;
        let kind = letters.next()?;
        let size: usize = letters.as_str().parse().ok()?;
        let native = if cfg!(target_endian = "little") {
            '<'
        } else {
            '>'
        };
        (order == native || order == '=' || size == 1)
            .then(|| Self::from_kind(kind, size))
            .flatten()
    }

    /// The array-interface `typestr`, such as `<f4` or `|b1`; where that would not tell which it is, its
    /// name in ml_dtypes, or of a struct.
    #[must_use]
    pub fn typestr(self) -> String {
        if self.is_extension() || self.structure().is_some() {
            return self.name().to_owned();
        }
        let order = match (self.size(), cfg!(target_endian = "little")) {
            (1, _) => '|',
            (_, true) => '<',
            (_, false) => '>',
        };
        format!("{order}{}{}", self.kind(), self.size())
    }

    /// The dtype of a `struct` format in native sizes, with or without `@`/`=`.
    #[must_use]
    pub fn from_format(format: &str, size: usize) -> Option<Self> {
        let native = if cfg!(target_endian = "little") {
            '<'
        } else {
            '>'
        };
        let letter = format.trim_start_matches(['@', '=', native]);
        let kind = match letter {
            "?" => 'b',
            "b" | "h" | "i" | "l" | "q" | "n" => 'i',
            "B" | "H" | "I" | "L" | "Q" | "N" => 'u',
            "e" | "f" | "d" => 'f',
            "Zf" | "Zd" | "F" | "D" => 'c',
            _ => return None,
        };
        Self::from_kind(kind, size)
    }
}

/// A member of a struct: a number, or an array of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub dtype: DType,
    /// From the start of the struct, in bytes.
    pub offset: usize,
    /// Shape of an array; empty for a number.
    pub shape: &'static [usize],
}

impl Field {
    /// How many numbers it has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// A struct, laid out as C does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Struct {
    pub name: &'static str,
    /// In bytes.
    pub size: usize,
    pub alignment: usize,
    pub fields: &'static [Field],
}

impl Struct {
    /// Its name and members: `Particle(pos: float32(3), id: int32)`.
    #[must_use]
    pub fn text(&self) -> String {
        let field = |it: &Field| {
            let shape: Vec<_> = it.shape.iter().map(usize::to_string).collect();
            let shape = match &shape[..] {
                [] => String::new(),
                shape => format!("({})", shape.join(",")),
            };
            format!("{}: {}{shape}", it.name, it.dtype.name())
        };
        let fields: Vec<_> = self.fields.iter().map(field).collect();
        format!("{}({})", self.name, fields.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_leads_back() {
        for dtype in DType::ALL {
            let (code, bits) = dtype.dlpack();
            assert_eq!(DType::from_dlpack(code, bits), Some(dtype));
            assert_eq!(DType::from_xla(dtype.xla()), Some(dtype));
            assert_eq!(usize::from(bits), 8 * dtype.size());
        }
        assert_eq!(DType::from_dlpack(7, 8), None);
    }

    #[test]
    fn typestr_and_back() {
        for dtype in DType::ALL {
            assert_eq!(DType::from_typestr(&dtype.typestr()), Some(dtype));
        }
    }

    #[test]
    fn foreign_byte_order_and_unknown_types_have_no_dtype() {
        for typestr in [
            ">f4", ">c8", "<f16", "<c32", "<V2", "|V8", "", "<", "f4", "<f1", "<fx",
        ] {
            assert_eq!(DType::from_typestr(typestr), None, "{typestr}");
        }
    }

    #[test]
    fn formats_of_the_buffer_protocol() {
        assert_eq!(DType::from_format("l", 8), Some(DType::I64));
        assert_eq!(DType::from_format("@d", 8), Some(DType::F64));
        assert_eq!(DType::from_format("Zf", 8), Some(DType::C64));
        assert_eq!(DType::from_format("<Zd", 16), Some(DType::C128));
        assert_eq!(DType::from_format(">f", 4), None);
    }
}
