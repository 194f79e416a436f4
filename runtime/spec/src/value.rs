//! Values that a body receives, and how it fails.

use std::ffi::c_void;
use std::slice;

/// Value that a body receives for each argument, scalars and results too; `cuvec_value` in C.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// An array's elements, or where a scalar of the declared dtype is.
    pub data: *mut c_void,
    /// Sizes of an array, as many as its rank; in a call with a walk, as are declared.
    pub shape: *const i64,
    /// In elements; null: contiguous, as its layout says. In bytes, by dimension, in a call with a walk.
    pub strides: *const i64,
    /// Elements; in a call with a walk of the declared dimensions alone.
    pub size: i64,
    /// 0, for the body to write how much there is; null unless the declaration says `at most`.
    pub count: *mut i64,
}

impl Value {
    /// The shape of an array of this rank.
    ///
    /// # Safety
    /// The value must be an array of this rank, and the call not be over.
    #[must_use]
    pub unsafe fn extents<'a>(&self, rank: usize) -> &'a [i64] {
        match rank {
            0 => &[],
            // SAFETY: the caller's.
            _ => unsafe { slice::from_raw_parts(self.shape, rank) },
        }
    }

    /// A scalar.
    ///
    /// # Safety
    /// The value must be a scalar of the dtype that `T` stands for.
    #[must_use]
    pub unsafe fn scalar<T: Copy>(&self) -> T {
        // SAFETY: the caller's.
        unsafe { *self.data.cast::<T>() }
    }
}

/// Python's exception that a failure becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Type,
    Value,
    Overflow,
    Memory,
    Runtime,
    /// A signal's handler has raised: the exception is set already.
    Interrupted,
}
