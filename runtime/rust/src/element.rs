//! The types of elements.

use cuvec_spec::DType;

/// A type of elements: an integer or a floating-point number.
///
/// # Safety
/// `DTYPE` must be that of the type, and any bits that arrays of it hold must be a value.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The dtype of arrays with such elements.
    const DTYPE: DType;
}

macro_rules! elements {
    ($($type:ty: $dtype:ident),* $(,)?) => {
        $(
            // SAFETY: the same type in Rust.
            unsafe impl Element for $type {
                const DTYPE: DType = DType::$dtype;
            }
        )*
    };
}

// Not `bool`: others may leave bytes in an array that are neither 0 nor 1.
elements!(
    i8: I8,
    u8: U8,
    i16: I16,
    u16: U16,
    i32: I32,
    u32: U32,
    i64: I64,
    u64: U64,
    f32: F32,
    f64: F64,
);
