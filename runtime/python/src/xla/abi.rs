//! The part of the C interface to XLA's foreign functions that is used here.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::slice;

use cuvec_core::DType;

pub const INVALID_ARGUMENT: c_int = 3;
pub const RESOURCE_EXHAUSTED: c_int = 8;
pub const INTERNAL: c_int = 13;

/// An error of XLA's, which only XLA looks into.
pub enum Failure {}

pub type Handler = unsafe extern "C-unwind" fn(*const Frame) -> *mut Failure;

/// How every structure begins.
#[repr(C)]
pub struct Head {
    size: usize,
    /// Subject of a call other than work.
    pub extension: *const c_void,
}

impl Head {
    fn of<T>() -> Self {
        Self {
            size: size_of::<T>(),
            extension: ptr::null(),
        }
    }
}

#[repr(C)]
pub struct Buffer {
    head: Head,
    dtype: c_int,
    pub data: *mut c_void,
    rank: i64,
    dims: *const i64,
}

impl Buffer {
    /// The dtype by XLA's number; none for one that functions do not have.
    pub fn dtype(&self) -> Option<DType> {
        DType::from_xla(self.dtype)
    }

    pub fn extents(&self) -> &[i64] {
        // SAFETY: as XLA says.
        unsafe { row(self.dims, self.rank) }
    }
}

#[repr(C)]
pub struct Buffers {
    head: Head,
    size: i64,
    types: *const i32,
    items: *const *const Buffer,
}

impl Buffers {
    pub fn iter(&self) -> impl Iterator<Item = &Buffer> {
        // SAFETY: as XLA says.
        unsafe { row(self.items, self.size).iter().map(|&item| &*item) }
    }
}

#[repr(C)]
pub struct Text {
    address: *const u8,
    size: usize,
}

#[repr(C)]
pub struct Attributes {
    head: Head,
    size: i64,
    types: *const i32,
    names: *const *const Text,
    items: *const *const Text,
}

impl Attributes {
    /// The only attribute that there is.
    pub fn text(&self) -> &[u8] {
        // SAFETY: as XLA says.
        unsafe {
            match row(self.items, self.size) {
                [text] => row((**text).address, (**text).size as i64),
                _ => &[],
            }
        }
    }
}

#[repr(C)]
pub struct NewError {
    head: Head,
    message: *const c_char,
    code: c_int,
}

impl NewError {
    pub fn of(message: &CStr, code: c_int) -> Self {
        Self {
            head: Head::of::<Self>(),
            message: message.as_ptr(),
            code,
        }
    }
}

#[repr(C)]
pub struct GetStream {
    head: Head,
    context: *mut c_void,
    pub stream: *mut c_void,
}

impl GetStream {
    pub fn of(context: *mut c_void) -> Self {
        Self {
            head: Head::of::<Self>(),
            context,
            stream: ptr::null_mut(),
        }
    }
}

#[repr(C)]
struct Version {
    head: Head,
    major: c_int,
    minor: c_int,
}

#[repr(C)]
pub struct Api {
    head: Head,
    version: Version,
    internal: *const c_void,
    pub new_error: unsafe extern "C" fn(*mut NewError) -> *mut Failure,
    get_message: *const c_void,
    destroy_error: *const c_void,
    register: *const c_void,
    pub get_stream: unsafe extern "C" fn(*mut GetStream) -> *mut Failure,
}

/// A call of a handler.
#[repr(C)]
pub struct Frame {
    pub head: Head,
    pub api: *const Api,
    pub context: *mut c_void,
    stage: c_int,
    pub arguments: Buffers,
    pub results: Buffers,
    pub attributes: Attributes,
}

/// Consecutive items, of which there may be none.
///
/// # Safety
/// As many must be there.
unsafe fn row<'a, T>(items: *const T, size: i64) -> &'a [T] {
    match usize::try_from(size) {
        // SAFETY: the caller's.
        Ok(size @ 1..) => unsafe { slice::from_raw_parts(items, size) },
        _ => &[],
    }
}
