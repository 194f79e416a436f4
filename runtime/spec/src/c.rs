//! The interface in C between the functions of a package and the core: `cuvec/abi.h` in Rust, and its
//! rows read as specs.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::slice;

use crate::argument::{Argument, DefaultValue, Layout, Number, Role, Shape, Type};
use crate::body::{Status, Value};
use crate::dtype::DType;
use crate::dtype::{Field, Struct};
use crate::extent::{Dimension, Extent, Term};
pub use crate::print::Print;
pub use crate::report::{Report, ReportSlot};
use crate::spec::{Class, Spec, Variable};
use crate::{MAX_ARGUMENTS, MAX_DIMENSIONS, MAX_RANK, MAX_VARIABLES};

/// The number of the interface: rows of another are refused.
pub const ABI: i32 = 11;

/// Bytes of a name, with the null at its end, and of a message.
pub const MAX_NAME: usize = 64;
/// Choices of all options of a function.
pub const MAX_CHOICES: usize = 32;
/// Items of all tuples of a function.
pub const MAX_ITEMS: usize = 64;
/// Structs of a function.
pub const MAX_STRUCTS: usize = 8;
pub const MAX_ERROR: usize = 512;

/// Dtypes of one variable, and terms of one expression.
pub const MAX_DTYPES: usize = 24;
pub const MAX_TERMS: i16 = 64;
/// Feature of a function: its leading dimensions belong to a loop.
pub const LOOPS: i32 = 2;
pub const NO_GRAPH: i32 = 4;

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

/// `cuvec_choice`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowChoice {
    pub name: Name,
}

/// `cuvec_argument`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowArgument {
    pub name: Name,
    pub dtype: i16,
    pub role: i8,
    pub rank: i8,
    pub keyword_only: i8,
    pub has_default: i8,
    pub is_number: i8,
    pub shape: [RowExtent; MAX_RANK],
    pub value: RowNumber,
    pub at_most: i8,
    pub is_optional: i8,
    pub first_choice: i16,
    pub n_choices: i16,
    pub is_saved: i8,
    pub layout: i8,
    pub first_item: i16,
    pub n_items: i16,
    pub chooses: i8,
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
    pub dtypes: [i16; MAX_DTYPES],
}

/// `cuvec_field`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowField {
    pub name: *const c_char,
    pub dtype: i16,
    pub offset: u32,
    pub shape: [u32; MAX_RANK],
}

/// `cuvec_struct`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowStruct {
    pub name: *const c_char,
    pub size: u32,
    pub alignment: u32,
    pub n_fields: i32,
    pub fields: *const RowField,
}

/// `cuvec_parameter`: a parameter of a kernel, in bytes among the parameters of a launch.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub offset: u32,
    pub size: u32,
}

/// `cuvec_kernel`: a kernel of a library's image.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    pub name: *const c_char,
    pub function: *const c_char,
    pub file: *const c_char,
    pub index: i32,
    pub n_parameters: i32,
    pub parameters: *const Parameter,
}

/// `cuvec_launch`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    pub kernel: *const Kernel,
    pub blocks: [u32; 3],
    pub threads: [u32; 3],
    pub shared: u32,
    pub bytes: usize,
    pub parameters: *const c_void,
}

/// `cuvec_operand`: what a body gives to a declared function that it calls.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub value: Value,
    pub dtype: i16,
    pub rank: i8,
    pub is_writable: i8,
}

impl Operand {
    /// True if it is a scalar, or several.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        self.rank < 0 && !self.value.data.is_null()
    }
}

/// `cuvec_call`: what the core provides to a body. The core puts data of its own behind it.
#[repr(C)]
#[derive(Debug)]
pub struct Call {
    pub stream: *mut c_void,
    pub batch: i64,
    pub report: *mut ReportSlot,
    pub gpu: i32,
    pub scratch: unsafe extern "C" fn(*mut Self, usize) -> *mut c_void,
    pub parallel: unsafe extern "C" fn(*mut Self, i64, Task, *mut c_void) -> c_int,
    pub interrupted: unsafe extern "C" fn(*mut Self) -> c_int,
    pub launch: unsafe extern "C" fn(*mut Self, *const Launch) -> c_int,
    /// A string of C. Only its first byte is set before a body is called.
    pub error: [MaybeUninit<u8>; MAX_ERROR],
    pub object: *mut c_void,
    pub allocate: unsafe extern "C" fn(*mut Self, usize, *mut *mut c_void) -> *mut c_void,
    pub release: unsafe extern "C" fn(*mut c_void),
    pub keep: unsafe extern "C" fn(*mut Self, *mut c_void, End),
    pub adds_to: unsafe extern "C" fn(*mut Self, *const c_void),
    pub run: unsafe extern "C" fn(*mut Self, *const c_char, *const Operand, i32) -> c_int,
    pub walk: *const Walk,
}

/// `cuvec_walk`: how an element-wise body finds elements.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    pub rank: i32,
    pub packs: u32,
    pub counts: [i64; MAX_RANK],
    pub threads: u32,
    pub tiles: [u32; 2],
    pub width: i8,
    pub height: i8,
    pub is_packed: i8,
}

impl Call {
    /// No message.
    #[must_use]
    pub const fn no_error() -> [MaybeUninit<u8>; MAX_ERROR] {
        let mut error = [const { MaybeUninit::uninit() }; MAX_ERROR];
        error[0] = MaybeUninit::new(0);
        error
    }

    /// Puts a message there, as much of it as fits, and returns the status with it.
    #[cold]
    pub fn fail(&mut self, status: Status, message: &str) -> c_int {
        let mut end = message.len().min(MAX_ERROR - 1);
        while !message.is_char_boundary(end) {
            end -= 1;
        }
        for (slot, &byte) in self.error.iter_mut().zip(&message.as_bytes()[..end]) {
            // A string of C ends at its first null.
            slot.write(if byte == 0 { b'?' } else { byte });
        }
        self.error[end].write(0);
        status.code()
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

/// Ends something that a body has left to the core.
pub type End = unsafe extern "C" fn(*mut c_void);

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
    /// Elements that a thread of an element-wise body takes; 0 for a body that takes no [`Walk`].
    pub lanes: i32,
}

/// `cuvec_function`.
#[repr(C)]
#[derive(Debug)]
pub struct Row {
    pub features: i32,
    pub n_arguments: i32,
    pub n_dimensions: i32,
    pub n_variables: i32,
    pub n_variants: i32,
    pub name: *const c_char,
    pub signature: *const c_char,
    pub doc: *const c_char,
    pub file: *const c_char,
    pub derivative: *const c_char,
    pub arguments: *const RowArgument,
    pub dimensions: *const RowDimension,
    pub variables: *const RowVariable,
    pub terms: *const RowTerm,
    pub variants: *const Variant,
    pub choices: *const RowChoice,
    pub items: *const RowNumber,
    pub architectures: *const c_char,
    pub constructs: *const RowClass,
    pub structs: *const *const RowStruct,
    pub n_structs: i32,
}

/// `cuvec_class`.
#[repr(C)]
#[derive(Debug)]
pub struct RowClass {
    pub n_methods: i32,
    pub methods: *const Row,
    pub destroy: End,
}

/// `cuvec_library`: functions that are written in one language, of which one image has all kernels.
#[repr(C)]
#[derive(Debug)]
pub struct Library {
    pub abi: i32,
    pub driver: i32,
    pub n_functions: i32,
    pub n_kernels: i32,
    pub functions: *const *const Row,
    pub image: *const c_char,
    pub kernels: *const Kernel,
    pub next: Option<unsafe extern "C" fn() -> *const Self>,
}

// SAFETY: constants, which nobody changes.
unsafe impl Send for Library {}
// SAFETY: constants, which nobody changes, may be read by all.
unsafe impl Sync for Library {}

/// Function that the library `_functions` exports.
pub type Functions = unsafe extern "C" fn() -> *const Library;

impl Status {
    /// The `cuvec_status`.
    #[must_use]
    pub const fn code(self) -> c_int {
        match self {
            Self::Type => 1,
            Self::Value => 2,
            Self::Overflow => 3,
            Self::Memory => 4,
            Self::Runtime => 5,
            Self::Interrupted => 6,
        }
    }

    /// Returns the status of a `cuvec_status`; none for success.
    #[must_use]
    pub const fn of(code: c_int) -> Option<Self> {
        Some(match code {
            0 => return None,
            1 => Self::Type,
            2 => Self::Value,
            3 => Self::Overflow,
            4 => Self::Memory,
            6 => Self::Interrupted,
            _ => Self::Runtime,
        })
    }
}

/// The libraries of a package: one for CUDA C++, and one for each file in Rust. They are never freed.
///
/// # Safety
/// All that they lead to must be as `cuvec/abi.h` says and stay so.
///
/// # Errors
/// For a library of another interface.
pub unsafe fn libraries(functions: Functions) -> Result<Vec<&'static Library>, String> {
    let mut libraries = Vec::new();
    let mut next = Some(functions);
    while let Some(functions) = next {
        // SAFETY: the caller's.
        let library: &'static Library = unsafe { &*functions() };
        if library.abi != ABI {
            return Err(format!(
                "the functions are built for interface {}, and the core is interface {ABI}; \
                 build the whole package again",
                library.abi
            ));
        }
        libraries.push(library);
        next = library.next;
    }
    Ok(libraries)
}

impl Library {
    /// The functions as specs. What those are made of is never freed.
    ///
    /// # Safety
    /// As for [`libraries`].
    ///
    /// # Errors
    /// For a row that says what there is not.
    pub unsafe fn specs(&'static self) -> Result<Vec<Spec>, String> {
        // SAFETY: the caller's.
        unsafe {
            let rows = list(self.functions, self.n_functions, usize::MAX);
            let rows = rows.ok_or("a library has a wrong number of functions")?;
            rows.iter().map(|&row| read(&*row)).collect()
        }
    }

    /// The kernels of its image.
    ///
    /// # Safety
    /// As for [`libraries`].
    #[must_use]
    pub unsafe fn kernels(&'static self) -> &'static [Kernel] {
        // SAFETY: the caller's.
        unsafe { list(self.kernels, self.n_kernels, usize::MAX) }.unwrap_or(&[])
    }
}

impl Kernel {
    /// The name in the image, the function that it belongs to, and its file.
    ///
    /// # Safety
    /// As for [`libraries`].
    ///
    /// # Errors
    /// For a text that is not UTF-8.
    pub unsafe fn names(&'static self) -> Result<[&'static str; 3], String> {
        // SAFETY: the caller's.
        unsafe { Ok([text(self.name)?, text(self.function)?, text(self.file)?]) }
    }

    /// Its parameters.
    ///
    /// # Safety
    /// As for [`libraries`].
    #[must_use]
    pub unsafe fn parameters(&'static self) -> &'static [Parameter] {
        // SAFETY: the caller's.
        unsafe { list(self.parameters, self.n_parameters, usize::MAX) }.unwrap_or(&[])
    }
}

/// # Safety
/// As for [`libraries`].
unsafe fn read(row: &'static Row) -> Result<Spec, String> {
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
        let variable = |row_variable| variable(row_variable).ok_or_else(|| broken("variable"));
        let variables = kept(variables.iter().map(variable))?;
        let variants = list(row.variants, row.n_variants, usize::MAX);
        let structs = list(row.structs, row.n_structs, MAX_STRUCTS);
        let structs = structs.ok_or_else(|| broken("number of structs"))?;
        let read = |&it: &*const RowStruct| structure(&*it).ok_or_else(|| broken("struct"));
        let structs = kept(structs.iter().map(read))?;
        let argument = |row_argument| {
            argument(row, row_argument, variables, structs).ok_or_else(|| broken("argument"))
        };
        let dimension = |row: &'static RowDimension| {
            let name = name_of(&row.name).ok_or_else(|| broken("name of a dimension"))?;
            let scalar = usize::try_from(row.scalar).ok();
            Ok::<_, String>(Dimension { name, scalar })
        };
        Ok(Spec {
            name,
            signature: text(row.signature)?,
            doc: text(row.doc)?.trim(),
            file: match row.file.is_null() {
                true => "", // a method's, which its class knows
                false => text(row.file)?,
            },
            derivative: match row.derivative.is_null() {
                true => "",
                false => text(row.derivative)?,
            },
            architectures: match row.architectures.is_null() {
                true => None,
                false => Some(text(row.architectures)?),
            },
            loops: row.features & LOOPS != 0,
            allow_cuda_graph: row.features & NO_GRAPH == 0,
            arguments: kept(arguments.iter().map(argument))?,
            dimensions: kept(dimensions.iter().map(dimension))?,
            variables,
            variants: variants.ok_or_else(|| broken("number of variants"))?,
            class: match row.constructs.is_null() {
                true => None,
                false => Some(class(&*row.constructs, text(row.file)?)?),
            },
        })
    }
}

/// # Safety
/// As for [`libraries`].
unsafe fn class(row: &'static RowClass, file: &'static str) -> Result<Class, String> {
    // SAFETY: the caller's.
    unsafe {
        let methods = list(row.methods, row.n_methods, usize::MAX);
        let methods = methods.ok_or("a class has a wrong number of methods")?;
        let read = |row| Ok(Spec { file, ..read(row)? });
        Ok(Class {
            methods: kept(methods.iter().map(read))?,
            destroy: row.destroy,
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
/// The function's terms, choices and items must be as many as its arguments say.
unsafe fn argument(
    function: &'static Row,
    row: &'static RowArgument,
    variables: &'static [Variable],
    structs: &'static [Struct],
) -> Option<Argument> {
    let chooses = usize::try_from(row.chooses).ok()?.checked_sub(1);
    let leading = row.rank < 0;
    let count = i32::from(row.rank);
    let count = if leading { -1 - count } else { count };
    let extents = row.shape.get(..usize::try_from(count).ok()?)?.iter();
    // SAFETY: the caller's.
    let extents = extents.map(|&extent| unsafe { expression(function, extent) });
    let extents = extents.collect::<Option<Vec<_>>>()?.leak();
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
        dtype: match row.dtype {
            DType::STRUCT.. => {
                let index = usize::try_from(row.dtype - DType::STRUCT).ok()?;
                Type::Fixed(DType::Struct(structs.get(index)?))
            }
            0.. => Type::Fixed(DType::from_value(row.dtype)?),
            _ => match (-1 - i32::from(row.dtype)) as usize {
                variable @ ..MAX_VARIABLES => Type::Variable(variable),
                real => Type::Real(real - MAX_VARIABLES),
            },
        },
        shape: Shape { leading, extents },
        keyword_only: row.keyword_only != 0,
        default: match (row.has_default, row.is_optional, row.n_items) {
            (0, _, _) => None, // and then there may be no items
            (_, 0, 0) => Some(DefaultValue::Number(number(row.value))),
            // SAFETY: the caller's.
            (_, 0, _) => Some(DefaultValue::Items(unsafe { items(function, row) }?)),
            _ => Some(DefaultValue::Nothing),
        },
        is_number: row.is_number != 0,
        at_most: row.at_most != 0,
        is_optional: row.is_optional != 0,
        choices: match chooses {
            Some(variable) => variables.get(variable)?.names(),
            // SAFETY: the caller's.
            None => unsafe { choices(function, row) }?,
        },
        chooses,
        is_saved: row.is_saved != 0,
        layout: match row.layout {
            0 => Layout::Contiguous,
            1 => Layout::Rows,
            2 => Layout::Strided,
            _ => return None,
        },
        items: usize::try_from(row.n_items).ok()?,
    })
}

/// # Safety
/// The function must have these choices.
unsafe fn choices(function: &'static Row, row: &RowArgument) -> Option<&'static [&'static str]> {
    let first = usize::try_from(row.first_choice).ok()?;
    // SAFETY: the caller's.
    let choices = unsafe {
        list(
            function.choices.wrapping_add(first),
            row.n_choices.into(),
            MAX_CHOICES,
        )
    }?;
    let names = choices.iter().map(|choice| name_of(&choice.name));
    Some(names.collect::<Option<Vec<_>>>()?.leak())
}

/// # Safety
/// The function must have these items.
unsafe fn items(function: &'static Row, row: &RowArgument) -> Option<&'static [Number]> {
    let first = usize::try_from(row.first_item).ok()?;
    let items = function.items.wrapping_add(first);
    // SAFETY: the caller's.
    let items = unsafe { list(items, row.n_items.into(), MAX_ITEMS) }?;
    Some(items.iter().copied().map(number).collect::<Vec<_>>().leak())
}

const fn number(row: RowNumber) -> Number {
    match row.is_integer {
        0 => Number::Real(row.real),
        _ => Number::Integer(row.integer),
    }
}

/// # Safety
/// The function must have these terms.
unsafe fn expression(function: &'static Row, extent: RowExtent) -> Option<Extent> {
    let first = usize::try_from(extent.first).ok()?;
    // SAFETY: the caller's.
    let terms = unsafe {
        list(
            function.terms.wrapping_add(first),
            extent.count.into(),
            MAX_TERMS as usize,
        )
    }?;
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
    let dtypes = codes.iter().map(|&code| DType::from_value(code));
    let dtypes: Vec<_> = dtypes.collect::<Option<_>>()?;
    Some(Variable {
        name: name_of(&row.name)?,
        dtypes: dtypes.leak(),
    })
}

/// # Safety
/// As for [`libraries`].
unsafe fn structure(row: &'static RowStruct) -> Option<Struct> {
    // SAFETY: the caller's.
    let (name, fields) = unsafe {
        (
            text(row.name).ok()?,
            list(row.fields, row.n_fields, 1 << 16),
        )
    };
    let field = |field: &RowField| {
        let shape = field.shape.iter().take_while(|&&size| size != 0);
        let shape: Vec<_> = shape.map(|&size| size as usize).collect();
        Some(Field {
            // SAFETY: the caller's.
            name: unsafe { text(field.name) }.ok()?,
            dtype: DType::from_value(field.dtype)?,
            offset: field.offset as usize,
            shape: shape.leak(),
        })
    };
    let fields: Vec<_> = fields?.iter().map(field).collect::<Option<_>>()?;
    Some(Struct {
        name,
        size: row.size as usize,
        alignment: row.alignment as usize,
        fields: fields.leak(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::mem::zeroed;

    #[test]
    fn a_tuple_without_a_default_may_have_no_items() {
        // SAFETY: numbers, and pointers that are null.
        let (function, mut row): (Row, RowArgument) = unsafe { zeroed() };
        row.name[0] = b'a';
        (row.dtype, row.n_items) = (DType::F64.value(), 2);
        let (function, row) = (Box::leak(Box::new(function)), Box::leak(Box::new(row)));
        // SAFETY: it has nothing that could be read.
        let argument = unsafe { argument(function, row, &[], &[]) }.unwrap();
        assert_eq!((argument.items, argument.default), (2, None));
    }
}
