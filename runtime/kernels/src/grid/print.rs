//! Prints from kernels, for debugging: `kernel_print!("x[{}] = {}", i, x[i])`.
//!
//! On the GPU the text and the values are written for the host, which prints the line when it waits for the GPU. On the
//! CPU it is printed at once.

use super::{bf16, f16};

/// Bytes of a text, and values, at most, as in `cuvec_print` of `cuvec/abi.h`.
const TEXT: usize = 176;
const VALUES: usize = 8;

/// Prints a line, such as `kernel_print!("x[{}] = {}", i, x[i])`, for debugging. Values are integers, floats and bools, 8 at
/// most.
///
/// GPU lines come, in no particular order, when the host waits; those beyond 256 are counted.
#[macro_export]
macro_rules! kernel_print {
    ($text:literal $(, $value:expr)* $(,)?) => {{
        const _: () = $crate::grid::check_print($text, 0 $(+ { let _ = stringify!($value); 1 })*);
        $crate::grid::print($text, &[$($crate::grid::Printable::printed($value)),*]);
    }};
}

/// Refuses, when building, a text whose `{}` are not as many as the values.
pub const fn check_print(text: &str, values: usize) {
    let (bytes, mut index, mut places) = (text.as_bytes(), 0, 0);
    assert!(
        bytes.len() <= TEXT && values <= VALUES,
        "a line that a kernel prints has 176 bytes and 8 values at most"
    );
    while index < bytes.len() {
        let is_open = bytes[index] == b'{';
        assert!(
            bytes[index] != b'}'
                && (!is_open || index + 1 < bytes.len() && bytes[index + 1] == b'}'),
            "a kernel prints values as `{{}}`, without a format"
        );
        places += is_open as usize;
        index += 1 + is_open as usize;
    }
    assert!(places == values, "a line has a `{{}}` for each value");
}

/// Value that a kernel can print: a letter for its type, and its bits.
pub trait Printable {
    fn printed(self) -> (u8, u64);
}

macro_rules! printable {
    ($($kind:literal: $($type:ty),* => |$value:ident| $bits:expr;)*) => {
        $($(
            impl Printable for $type {
                #[inline(always)]
                fn printed(self) -> (u8, u64) {
                    let $value = self;
                    ($kind, $bits)
                }
            }
        )*)*
    };
}

printable! {
    b'i': i8, i16, i32, i64, isize => |value| value as i64 as u64;
    b'u': u8, u16, u32, u64, usize => |value| value as u64;
    b'f': f32 => |value| value.to_bits().into();
    b'f': f16, bf16 => |value| f32::from(value).to_bits().into();
    b'd': f64 => |value| value.to_bits();
    b'b': bool => |value| value.into();
}

/// Prints the line.
#[cfg(not(target_arch = "nvptx64"))]
pub fn print(text: &'static str, values: &[(u8, u64)]) {
    use std::io::Write as _;

    let line = cuvec_spec::print::line(text, values.iter().copied());
    let _ = std::writeln!(std::io::stdout(), "{line}"); // or nobody reads it
}

#[cfg(target_arch = "nvptx64")]
pub use super::panic::print;
