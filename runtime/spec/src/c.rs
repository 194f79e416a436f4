//! Rows made by a compiler of C or C++: `cuvec/abi.h`, read as specs.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::slice;

use crate::argument::{Argument, Number, Role, Shape, Type};
use crate::body::{Status, Value, Variants};
use crate::dtype::DType;
use crate::extent::{Dimension, Extent, Term};
use crate::spec::{Spec, Variable};
use crate::{MAX_ARGUMENTS, MAX_DIMENSIONS, MAX_RANK, MAX_VARIABLES};

/// The number of the interface: rows of another are refused.
pub const ABI: i32 = 2;

/// Bytes of a name, with the null at its end, and of a message.
pub const MAX_NAME: usize = 32;
pub const MAX_ERROR: usize = 512;

pub type Name = [u8; MAX_NAME];

/// `cuvec_extent`: some of the function's terms.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowExtent {
    pub first: i16,
    pub count: i16,
}

/// `cuvec_term`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowTerm {
    pub operation: u8,
    pub value: i64,
}

/// `cuvec_number`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowNumber {
    pub is_integer: i8,
    pub integer: i64,
    pub real: f64,
}

/// `cuvec_argument`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowArgument {
    pub name: Name,
    pub role: i8,
    pub dtype: i8,
    pub rank: i8,
    pub keyword_only: i8,
    pub has_default: i8,
    pub is_number: i8,
    pub shape: [RowExtent; MAX_RANK],
    pub value: RowNumber,
}

/// `cuvec_dimension`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowDimension {
    pub name: Name,
    pub scalar: i8,
}

/// `cuvec_variable`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowVariable {
    pub name: Name,
    pub count: i8,
    pub dtypes: [i8; DType::ALL.len()],
}

/// `cuvec_call`: what a host lends to a body. A host puts its own data behind it.
#[repr(C)]
#[derive(Debug)]
pub struct Call {
    pub stream: *mut c_void,
    pub gpu: i32,
    pub scratch: unsafe extern "C" fn(*mut Self, usize) -> *mut c_void,
    pub parallel: unsafe extern "C" fn(*mut Self, i64, Task, *mut c_void) -> c_int,
    pub interrupted: unsafe extern "C" fn(*mut Self) -> c_int,
    /// A text of C. Only its first byte is set before a body is called.
    pub error: [MaybeUninit<u8>; MAX_ERROR],
}

impl Call {
    /// No message.
    #[must_use]
    pub const fn no_error() -> [MaybeUninit<u8>; MAX_ERROR] {
        let mut error = [const { MaybeUninit::uninit() }; MAX_ERROR];
        error[0] = MaybeUninit::new(0);
        error
    }

    /// The message.
    ///
    /// # Safety
    /// Whoever has written one must have ended it with a null.
    #[must_use]
    pub unsafe fn message(&self) -> String {
        // SAFETY: the caller's.
        let text = unsafe { CStr::from_ptr(self.error.as_ptr().cast()) };
        text.to_string_lossy().into_owned()
    }
}

/// One task of `parallel`.
pub type Task = unsafe extern "C" fn(*mut c_void, i64);

/// `cuvec_body`: a `cuvec_status`, with a message in `error`.
pub type Body = unsafe extern "C" fn(*mut Call, *const Value) -> c_int;

/// `cuvec_variant`: the function for one choice of dtypes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    pub cpu: Option<Body>,
    /// None without CUDA.
    pub gpu: Option<Body>,
}

/// `cuvec_function`.
#[repr(C)]
#[derive(Debug)]
pub struct Row {
    pub abi: i32,
    pub n_arguments: i32,
    pub n_dimensions: i32,
    pub n_variables: i32,
    pub n_variants: i32,
    pub name: *const c_char,
    pub signature: *const c_char,
    pub doc: *const c_char,
    pub file: *const c_char,
    pub arguments: *const RowArgument,
    pub dimensions: *const RowDimension,
    pub variables: *const RowVariable,
    pub terms: *const RowTerm,
    pub variants: *const Variant,
}

/// What a body's answer means; none for success.
#[must_use]
pub const fn status(code: c_int) -> Option<Status> {
    Some(match code {
        0 => return None,
        1 => Status::Type,
        2 => Status::Value,
        3 => Status::Overflow,
        4 => Status::Memory,
        6 => Status::Interrupted,
        _ => Status::Runtime,
    })
}

/// The functions of a table with null at its end. What they are made of is never freed.
///
/// # Safety
/// The table, and all that its rows lead to, must be as `cuvec/abi.h` says and stay so.
///
/// # Errors
/// For a row of another interface, or one that says what there is not.
pub unsafe fn functions(table: *const *const Row) -> Result<Vec<Spec>, String> {
    let mut specs = Vec::new();
    // SAFETY: the caller's; the end is not passed.
    unsafe {
        let mut next = table;
        while let Some(row) = (*next).as_ref() {
            specs.push(read(row)?);
            next = next.add(1);
        }
    }
    Ok(specs)
}

/// # Safety
/// As for [`functions`].
unsafe fn read(row: &'static Row) -> Result<Spec, String> {
    if row.abi != ABI {
        return Err(format!(
            "a function is declared for interface {}, and this is interface {ABI}; \
             build the whole package again",
            row.abi
        ));
    }
    // SAFETY: the caller's.
    unsafe {
        let name = text(row.name)?;
        let broken = |what: &str| format!("the row of function `{name}` has a wrong {what}");
        let arguments = list(row.arguments, row.n_arguments, MAX_ARGUMENTS);
        let dimensions = list(row.dimensions, row.n_dimensions, MAX_DIMENSIONS);
        let variables = list(row.variables, row.n_variables, MAX_VARIABLES);
        let arguments = arguments.ok_or_else(|| broken("number of arguments"))?;
        let dimensions = dimensions.ok_or_else(|| broken("number of dimensions"))?;
        let variables = variables.ok_or_else(|| broken("number of variables"))?;
        let variants = list(row.variants, row.n_variants, usize::MAX);
        let argument = |row_argument| argument(row, row_argument).ok_or_else(|| broken("argument"));
        let variable = |row_variable| variable(row_variable).ok_or_else(|| broken("variable"));
        let dimension = |row: &'static RowDimension| {
            let name = name_of(&row.name).ok_or_else(|| broken("name of a dimension"))?;
            let scalar = usize::try_from(row.scalar).ok();
            Ok::<_, String>(Dimension { name, scalar })
        };
        Ok(Spec {
            name,
            signature: text(row.signature)?,
            doc: text(row.doc)?.trim(),
            file: text(row.file)?,
            arguments: kept(arguments.iter().map(argument))?,
            dimensions: kept(dimensions.iter().map(dimension))?,
            variables: kept(variables.iter().map(variable))?,
            variants: Variants::C(variants.ok_or_else(|| broken("number of variants"))?),
        })
    }
}

fn kept<T>(items: impl Iterator<Item = Result<T, String>>) -> Result<&'static [T], String> {
    Ok(items.collect::<Result<Vec<_>, _>>()?.leak())
}

/// # Safety
/// There must be `count` items, for good.
unsafe fn list<T>(first: *const T, count: i32, limit: usize) -> Option<&'static [T]> {
    match usize::try_from(count).ok()? {
        0 => Some(&[]),
        count if count > limit => None,
        // SAFETY: the caller's.
        count => Some(unsafe { slice::from_raw_parts(first, count) }),
    }
}

/// # Safety
/// A string of C, for good.
unsafe fn text(string: *const c_char) -> Result<&'static str, String> {
    // SAFETY: the caller's.
    let string = unsafe { CStr::from_ptr(string) };
    string.to_str().map_err(|_| {
        format!(
            "a function's text is not UTF-8: {}",
            string.to_string_lossy()
        )
    })
}

fn name_of(name: &'static Name) -> Option<&'static str> {
    CStr::from_bytes_until_nul(name).ok()?.to_str().ok()
}

/// # Safety
/// The function's terms must be as many as its arguments say.
unsafe fn argument(function: &'static Row, row: &'static RowArgument) -> Option<Argument> {
    let extents = |rank| {
        let extents = row.shape.get(..rank)?.iter();
        // SAFETY: the caller's.
        let extents = extents.map(|&extent| unsafe { expression(function, extent) });
        Some(Shape::Extents(extents.collect::<Option<Vec<_>>>()?.leak()))
    };
    Some(Argument {
        name: name_of(&row.name)?,
        role: match row.role {
            0 => Role::Scalar,
            1 => Role::In,
            2 => Role::InOut,
            3 => Role::Out,
            4 => Role::Result,
            _ => return None,
        },
        dtype: match usize::try_from(row.dtype) {
            Ok(code) => Type::Fixed(*DType::ALL.get(code)?),
            Err(_) => Type::Variable((-1 - i32::from(row.dtype)) as usize),
        },
        shape: match usize::try_from(row.rank) {
            Ok(rank) => extents(rank)?,
            Err(_) => Shape::Any,
        },
        keyword_only: row.keyword_only != 0,
        default: (row.has_default != 0).then_some(match row.value.is_integer {
            0 => Number::Real(row.value.real),
            _ => Number::Integer(row.value.integer),
        }),
        is_number: row.is_number != 0,
    })
}

/// # Safety
/// The function must have these terms.
unsafe fn expression(function: &'static Row, extent: RowExtent) -> Option<Extent> {
    let first = usize::try_from(extent.first).ok()?;
    // SAFETY: the caller's.
    let terms = unsafe { list(function.terms.wrapping_add(first), extent.count.into(), 64) }?;
    let term = |term: &RowTerm| {
        Some(match term.operation {
            b'#' => Term::Number(term.value),
            b'd' => Term::Dimension(usize::try_from(term.value).ok()?),
            b'+' => Term::Add,
            b'-' => Term::Subtract,
            b'*' => Term::Multiply,
            b'/' => Term::Divide,
            _ => return None,
        })
    };
    let terms: Vec<_> = terms.iter().map(term).collect::<Option<_>>()?;
    Some(Extent(terms.leak()))
}

fn variable(row: &'static RowVariable) -> Option<Variable> {
    let codes = row.dtypes.get(..usize::try_from(row.count).ok()?)?;
    let dtype = |&code: &i8| DType::ALL.get(usize::try_from(code).ok()?).copied();
    let dtypes: Vec<_> = codes.iter().map(dtype).collect::<Option<_>>()?;
    Some(Variable {
        name: name_of(&row.name)?,
        dtypes: dtypes.leak(),
    })
}
