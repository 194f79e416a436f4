//! Types of array elements.

/// The element types that NumPy, CUDA and DLPack share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
    C64,
    C128,
}

/// Everything other interfaces call a dtype: name, array-interface kind, `struct` format,
/// item size in bytes.
const NAMES: [(DType, &str, char, &str, usize); 14] = [
    (DType::Bool, "bool", 'b', "?", 1),
    (DType::I8, "int8", 'i', "b", 1),
    (DType::U8, "uint8", 'u', "B", 1),
    (DType::I16, "int16", 'i', "h", 2),
    (DType::U16, "uint16", 'u', "H", 2),
    (DType::I32, "int32", 'i', "i", 4),
    (DType::U32, "uint32", 'u', "I", 4),
    (DType::I64, "int64", 'i', "q", 8),
    (DType::U64, "uint64", 'u', "Q", 8),
    (DType::F16, "float16", 'f', "e", 2),
    (DType::F32, "float32", 'f', "f", 4),
    (DType::F64, "float64", 'f', "d", 8),
    (DType::C64, "complex64", 'c', "Zf", 8),
    (DType::C128, "complex128", 'c', "Zd", 16),
];

impl DType {
    const fn names(self) -> (&'static str, char, &'static str, usize) {
        let (_, name, kind, format, size) = NAMES[self as usize];
        (name, kind, format, size)
    }

    /// All of them, in the order of their codes in C.
    pub const ALL: [Self; 14] = {
        let mut all = [Self::Bool; 14];
        let mut code = 0;
        while code < all.len() {
            all[code] = NAMES[code].0;
            code += 1;
        }
        all
    };

    /// NumPy's name, such as `float32`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.names().0
    }

    /// The kind letter of the array interface: `b`, `i`, `u`, `f` or `c`.
    #[must_use]
    pub const fn kind(self) -> char {
        self.names().1
    }

    /// The format of the `struct` module and the buffer protocol.
    #[must_use]
    pub const fn format(self) -> &'static str {
        self.names().2
    }

    /// Bytes of one element.
    #[must_use]
    pub const fn size(self) -> usize {
        self.names().3
    }

    /// The dtype of an array-interface kind letter and item size.
    #[must_use]
    pub fn from_kind(kind: char, size: usize) -> Option<Self> {
        NAMES
            .iter()
            .find(|row| row.2 == kind && row.4 == size)
            .map(|row| row.0)
    }

    /// The dtype of an array-interface `typestr`, such as `<f4`; `None` when it is not one
    /// of these or not in this machine's byte order.
    #[must_use]
    pub fn from_typestr(typestr: &str) -> Option<Self> {
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

    /// The array-interface `typestr`, such as `<f4` or `|b1`.
    #[must_use]
    pub fn typestr(self) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_variants() {
        for (index, row) in NAMES.iter().enumerate() {
            assert_eq!(row.0 as usize, index);
        }
    }

    #[test]
    fn typestr_and_back() {
        for (dtype, ..) in NAMES {
            assert_eq!(DType::from_typestr(&dtype.typestr()), Some(dtype));
        }
    }

    #[test]
    fn foreign_byte_order_and_unknown_types_have_no_dtype() {
        for typestr in [">f4", ">c8", "<f16", "<c32", "|V8", "", "<", "f4", "<fx"] {
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
