//! The kernel languages, and limits of functions in them.

use cuvec_declare::literal::{INTEGERS, Integers};

pub struct Language {
    /// The answer to the question for it.
    pub name: &'static str,
    pub ending: &'static str,
    /// The ones of 64 bits, or what Rust takes a number for whose type is not said.
    pub integers: Integers,
    /// True if an optional array may have strides.
    pub optional_layouts: bool,
    /// True if a member of a struct may be a bool.
    pub structs_have_bool: bool,
}

/// The default first.
pub const LANGUAGES: [Language; 2] = [
    Language {
        name: "cu",
        ending: "cu",
        integers: INTEGERS,
        optional_layouts: true,
        structs_have_bool: true,
    },
    Language {
        name: "rust",
        ending: "rs",
        integers: i32::MIN as i64..=i32::MAX as i64,
        optional_layouts: false,
        structs_have_bool: false,
    },
];
