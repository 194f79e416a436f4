//! Provides the macro with the parts of specs: the types of the crate `cuvec-spec`, and functions
//! that the compiler runs.

mod check;
mod extents;
mod power;
mod text;

pub use check::{checked, has_rows};
pub use cuvec_spec::body::Value;
pub use cuvec_spec::{
    Argument, DefaultValue, Dimension, Extent, Layout, MAX_RANK, MAX_VARIABLES, Number, Role,
    Shape, Spec, Status, Term, Variable as DTypes, c,
};
pub use extents::Extents;
pub use text::{doc, doc_len, name, signature, signature_len, text};

pub use crate::call::Done;
pub use cuvec_spec::{Class, DType, Field, Struct, Type};

use crate::grid::{Complex, Real, bf16, f8e4m3, f8e5m2, f16};

/// The architectures at the end of a text, before its zero, which with the text is in the library.
#[must_use]
pub const fn for_tensor_cores(text: &'static str) -> &'static str {
    let (text, _end) = text.split_at(text.len() - 1);
    text.split_at(text.len() - "80+".len()).1
}

/// Dtype variable of this index where none is chosen.
pub struct Variable<const INDEX: usize>;

/// A dtype of a declaration.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a dtype",
    note = "dtypes are bool, i8 … i64, u8 … u64, bf16, f8e4m3, f8e5m2, f16, f32, f64, complex64 and complex128; a size is `usize`"
)]
pub trait Typed {
    const TYPE: Type;
    const DTYPE: DType;
    /// Items of a tuple.
    const ITEMS: usize = 0;
}

impl<T: Typed, const N: usize> Typed for [T; N] {
    const TYPE: Type = T::TYPE;
    const DTYPE: DType = T::DTYPE;
    const ITEMS: usize = {
        assert!(N > 0, "a tuple has an item at least");
        N
    };
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

impl<const INDEX: usize> Typed for Variable<INDEX> {
    const TYPE: Type = Type::Variable(INDEX);
    const DTYPE: DType = panic!("a dtype variable among the dtypes of another");
}

/// Type of `real(T)` for such a variable.
pub struct RealPart<const INDEX: usize>;

impl<const INDEX: usize> Real for Variable<INDEX> {
    type Part = RealPart<INDEX>;
}

impl<const INDEX: usize> Typed for RealPart<INDEX> {
    const TYPE: Type = Type::Real(INDEX);
    const DTYPE: DType = panic!("a computed dtype among a variable's");
}

macro_rules! typed {
    ($($type:ty: $dtype:ident;)*) => {
        $(
            impl Typed for $type {
                const TYPE: Type = Type::Fixed(DType::$dtype);
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
    bf16: BF16;
    f8e4m3: F8E4M3;
    f8e5m2: F8E5M2;
    f16: F16;
    f32: F32;
    f64: F64;
    Complex<f32>: C64;
    Complex<f64>: C128;
}

/// Properties of an argument or a result by its mode.
#[derive(Clone, Copy)]
pub struct Mode {
    role: Role,
    layout: Layout,
    at_most: bool,
    is_optional: bool,
}

impl Mode {
    const fn of(role: Role, layout: Layout) -> Self {
        Self {
            role,
            layout,
            at_most: false,
            is_optional: false,
        }
    }
}

/// The modes that the macro reads.
#[allow(non_upper_case_globals)]
pub mod mode {
    use super::{Layout::*, Mode, Role};

    pub const scalar: Mode = Mode::of(Role::Scalar, Contiguous);
    pub const read: Mode = Mode::of(Role::In, Contiguous);
    pub const inout: Mode = Mode::of(Role::InOut, Contiguous);
    pub const fresh: Mode = Mode::of(Role::Out, Contiguous);
    pub const out: Mode = Mode::of(Role::Result, Contiguous);
    pub const maybe: Mode = Mode {
        is_optional: true,
        ..read
    };
    pub const maybe_inout: Mode = Mode {
        is_optional: true,
        ..inout
    };
    pub const maybe_fresh: Mode = Mode {
        is_optional: true,
        ..fresh
    };
    pub const found: Mode = Mode {
        at_most: true,
        ..out
    };
    pub const read_strided: Mode = Mode::of(Role::In, Strided);
    pub const inout_strided: Mode = Mode::of(Role::InOut, Strided);
    pub const fresh_strided: Mode = Mode::of(Role::Out, Strided);
    pub const read_rows: Mode = Mode::of(Role::In, Rows);
    pub const inout_rows: Mode = Mode::of(Role::InOut, Rows);
    pub const fresh_rows: Mode = Mode::of(Role::Out, Rows);
}

/// Where an argument or a result is in a declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(non_camel_case_types)] // as the macro reads them
pub enum Place {
    /// By position.
    pos,
    /// Behind the `*`.
    kw,
    /// An array behind `->`.
    result,
    /// As `result`, for the derivative alone.
    saved,
    /// A number behind `->`, with a name and without.
    number,
    unnamed,
}

#[must_use]
pub const fn argument(
    name: &'static str,
    mode: Mode,
    dtype: Type,
    shape: Shape,
    place: Place,
    default: Option<DefaultValue>,
) -> Argument {
    Argument {
        name,
        role: mode.role,
        dtype,
        shape,
        keyword_only: matches!(place, Place::kw),
        default,
        is_number: matches!(place, Place::number | Place::unnamed),
        at_most: mode.at_most,
        is_optional: mode.is_optional,
        choices: &[],
        chooses: None,
        is_saved: matches!(place, Place::saved),
        layout: mode.layout,
        items: 0,
    }
}

/// The argument, as an option if there are choices, a dtype if it chooses one, and a tuple if there are items.
///
/// # Panics
/// When a default has another number of items: an error of the build.
#[must_use]
pub const fn with_choices(
    argument: Argument,
    choices: &'static [&'static str],
    chooses: Option<usize>,
    items: usize,
) -> Argument {
    if let Some(DefaultValue::Items(given)) = argument.default {
        assert!(
            given.len() == items,
            "the default of a tuple has another number of items"
        );
    }
    Argument {
        choices,
        chooses,
        items,
        ..argument
    }
}

/// The names of the dtypes of all variables.
pub type Names = [[&'static str; c::MAX_DTYPES]; MAX_VARIABLES];

/// # Panics
/// When there are too many: an error of the build.
#[must_use]
pub const fn names(variables: &[DTypes]) -> Names {
    assert!(
        variables.len() <= MAX_VARIABLES,
        "a function has 4 dtype variables at most"
    );
    let (mut names, mut at) = ([[""; c::MAX_DTYPES]; MAX_VARIABLES], 0);
    while at < variables.len() {
        let (dtypes, mut index) = (variables[at].dtypes, 0);
        while index < dtypes.len() {
            names[at][index] = dtypes[index].name();
            index += 1;
        }
        at += 1;
    }
    names
}

/// The variable whose dtype an argument chooses.
///
/// # Panics
/// When it is none: an error of the build.
#[must_use]
pub const fn variable_of(dtype: Type) -> usize {
    match dtype {
        Type::Variable(variable) => variable,
        _ => panic!(
            "an argument chooses the dtype of a variable, as in `dtype: T = f32` or `dtype: dtype(T)`"
        ),
    }
}

/// The names of the dtypes that a variable may be.
#[must_use]
pub const fn choices_of(
    dtype: Type,
    variables: &[DTypes],
    names: &'static Names,
) -> &'static [&'static str] {
    let variable = variable_of(dtype);
    names[variable].split_at(variables[variable].dtypes.len()).0
}

/// The index of a default among the choices of an option.
///
/// # Panics
/// When it is none: an error of the build.
#[must_use]
pub const fn index_of(default: &str, choices: &[&str]) -> i64 {
    let mut index = 0;
    while index < choices.len() {
        if same(choices[index], default) {
            return index as i64;
        }
        index += 1;
    }
    panic!("the default is none of the choices")
}

/// Names that a default may use besides Rust's.
#[allow(non_upper_case_globals)]
pub mod literal {
    pub use super::power::{pow, sqrt};

    pub const inf: f64 = f64::INFINITY;
    pub const nan: f64 = f64::NAN;
    pub const pi: f64 = core::f64::consts::PI;
    pub const e: f64 = core::f64::consts::E;
}

/// The shape that is written so.
#[must_use]
pub const fn shape(all: &'static [Extent], (first, count): (usize, usize), written: &str) -> Shape {
    let extents = all.split_at(first).1.split_at(count).0;
    if is_leading(written) {
        Shape::leading(extents)
    } else {
        Shape::of(extents)
    }
}

/// Checks whether the shape begins with `...`.
#[must_use]
pub const fn is_leading(written: &str) -> bool {
    let bytes = written.as_bytes();
    bytes.len() >= 3 && same(written.split_at(3).0, "...")
}

/// The number that is written so, which is these two.
///
/// # Panics
/// When integers are divided: an error of the build.
#[must_use]
pub const fn number(written: &str, integer: i64, real: f64) -> Number {
    let (bytes, mut at, mut divides) = (written.as_bytes(), 0, false);
    while at < bytes.len() {
        if bytes[at].is_ascii_alphabetic() || bytes[at] == b'.' {
            return Number::Real(real);
        }
        divides |= bytes[at] == b'/';
        at += 1;
    }
    assert!(
        !divides,
        "`/` rounds the quotient of integers: write `1.0 / 3.0`"
    );
    Number::Integer(integer)
}

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
