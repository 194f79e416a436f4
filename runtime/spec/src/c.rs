//! The interface in C between the functions of a package and the core: `cuvec/abi.h` in Rust.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::slice;

use crate::MAX_RANK;
pub use crate::print::Print;
pub use crate::report::{Report, ReportSlot};
use crate::value::{Status, Value};

/// The number of the interface: rows of another are refused.
pub const ABI: i32 = 12;

pub const MAX_ERROR: usize = 512;

/// Feature of a function: its bodies are of elements.
pub const EACH: i32 = 1;
pub const NO_GRAPH: i32 = 2;

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
    pub n_variants: i32,
    pub n_structs: i32,
    pub name: *const c_char,
    pub signature: *const c_char,
    pub doc: *const c_char,
    pub file: *const c_char,
    pub derivative: *const c_char,
    pub architectures: *const c_char,
    pub variants: *const Variant,
    pub structs: *const *const RowStruct,
    pub constructs: *const RowClass,
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
    /// The rows of its functions.
    ///
    /// # Safety
    /// As for [`libraries`].
    ///
    /// # Errors
    /// For a wrong number of them.
    pub unsafe fn rows(&'static self) -> Result<&'static [&'static Row], String> {
        // SAFETY: the caller's; a reference is such a pointer.
        let rows = unsafe { list(self.functions.cast(), self.n_functions) };
        rows.ok_or_else(|| "a library has a wrong number of functions".to_owned())
    }

    /// The kernels of its image.
    ///
    /// # Safety
    /// As for [`libraries`].
    #[must_use]
    pub unsafe fn kernels(&'static self) -> &'static [Kernel] {
        // SAFETY: the caller's.
        unsafe { list(self.kernels, self.n_kernels) }.unwrap_or(&[])
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
        unsafe { list(self.parameters, self.n_parameters) }.unwrap_or(&[])
    }
}

/// # Safety
/// There must be `count` items, for good.
pub(crate) unsafe fn list<T>(first: *const T, count: i32) -> Option<&'static [T]> {
    match usize::try_from(count).ok()? {
        0 => Some(&[]),
        // SAFETY: the caller's.
        count => Some(unsafe { slice::from_raw_parts(first, count) }),
    }
}

/// # Safety
/// A string of C, for good.
pub(crate) unsafe fn text(string: *const c_char) -> Result<&'static str, String> {
    // SAFETY: the caller's.
    let string = unsafe { CStr::from_ptr(string) };
    string.to_str().map_err(|_| {
        format!(
            "a function's text is not UTF-8: {}",
            string.to_string_lossy()
        )
    })
}
