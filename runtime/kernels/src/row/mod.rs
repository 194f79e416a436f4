//! Provides the macro with the parts of rows: the types of the crate `cuvec-spec`, and functions
//! that the compiler runs.

pub use cuvec_spec::{DType, Field, MAX_RANK, Status, Struct, Value, c};

pub use crate::call::Done;
use crate::grid::Complex;
use crate::grid::small_float::*;

/// The architectures at the end of a text, before its zero, which with the text is in the library.
#[must_use]
pub const fn for_tensor_cores(text: &'static str) -> &'static str {
    let (text, _end) = text.split_at(text.len() - 1);
    text.split_at(text.len() - "80+".len()).1
}

/// A dtype of a declaration.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dtype",
    note = "dtypes are bool, i8 … i64, u8 … u64, bf16, the f8 formats, f16, f32, f64, complex64 and complex128; a size is `usize`"
)]
pub trait Typed {
    const DTYPE: DType;
}

/// The type of a struct's member.
pub trait Member {
    const DTYPE: DType;
    const RANK: usize = 0;
    /// Sizes of as many axes.
    const SIZES: &'static [usize; MAX_RANK] = &[0; MAX_RANK];
    const SHAPE: &'static [usize] = Self::SIZES.split_at(Self::RANK).0;
}

impl<T: Member, const N: usize> Member for [T; N] {
    const DTYPE: DType = T::DTYPE;
    const RANK: usize = T::RANK + 1;
    const SIZES: &'static [usize; MAX_RANK] = &{
        let (mut sizes, mut axis) = ([N; MAX_RANK], 1);
        while axis < MAX_RANK {
            sizes[axis] = T::SIZES[axis - 1];
            axis += 1;
        }
        sizes
    };
}

macro_rules! typed {
    ($($type:ty: $dtype:ident;)*) => {
        $(
            impl Typed for $type {
                const DTYPE: DType = DType::$dtype;
            }
            impl Member for $type {
                const DTYPE: DType = DType::$dtype;
            }
        )*
    };
}

typed! {
    bool: Bool;
    i8: I8;
    u8: U8;
    i16: I16;
    u16: U16;
    i32: I32;
    u32: U32;
    i64: I64;
    u64: U64;
    usize: I64;
    f32: F32;
    f64: F64;
    Complex<f32>: C64;
    Complex<f64>: C128;
}
for_small_floats!(dtypes typed);

/// In the place of a function's name, for a file that names its functions by `functions!`.
pub const SEVERAL: &str = "*";

/// Checks whether a file of this name may declare the function, or several.
#[must_use]
pub const fn is_in_file(function: &str, file: &str) -> bool {
    same(function, file) || same(function, SEVERAL)
}

#[must_use]
pub const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut at = 0;
    while at < left.len() && at < right.len() && left[at] == right[at] {
        at += 1;
    }
    at == left.len() && at == right.len()
}

/// Checks whether a name is in one of the lists; `*` is every name.
#[must_use]
pub const fn is_written(name: &str, lists: &[&[&str]]) -> bool {
    let mut list = 0;
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            if same(lists[list][at], name) || same(lists[list][at], "*") {
                return true;
            }
            at += 1;
        }
        list += 1;
    }
    false
}

/// Checks whether two different arrays have the same extents, of all that there are.
#[must_use]
pub const fn are_one_shape(left: &str, right: &str, arrays: &[(&str, &str)]) -> bool {
    let (mut extents, mut at) = ([""; 2], 0);
    while at < arrays.len() {
        if same(arrays[at].0, left) {
            extents[0] = arrays[at].1;
        }
        if same(arrays[at].0, right) {
            extents[1] = arrays[at].1;
        }
        at += 1;
    }
    !same(left, right) && !same(extents[0], "") && same(extents[0], extents[1])
}

/// Checks whether all arrays among these modes and extents have one shape.
#[must_use]
pub const fn one_shape(parameters: &[(&str, &str)]) -> bool {
    let (mut known, mut at) = (None, 0);
    while at < parameters.len() {
        let (mode, extents) = parameters[at];
        if !same(mode, "scalar") {
            match known {
                None => known = Some(extents),
                Some(known) if !same(known, extents) => return false,
                Some(_) => {}
            }
        }
        at += 1;
    }
    known.is_some()
}
