//! Types of array elements.

pub use cuvec_spec::DType;

/// A Rust type of which an array can be.
pub trait Element: Copy + Send + Sync + 'static {
    const DTYPE: DType;
}

impl Element for f32 {
    const DTYPE: DType = DType::F32;
}

impl Element for f64 {
    const DTYPE: DType = DType::F64;
}
