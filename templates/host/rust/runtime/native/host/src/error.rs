//! What can go wrong, by the Python exception it becomes.

use cudarc::driver::DriverError;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A wrong dtype or kind of object: `TypeError`.
    #[error("{0}")]
    Type(String),
    /// A wrong shape, layout, place or value: `ValueError`.
    #[error("{0}")]
    Value(String),
    /// Not enough memory: `MemoryError`.
    #[error("cannot allocate {bytes} bytes of {kind} memory")]
    Memory { bytes: usize, kind: &'static str },
    /// CUDA cannot be used here: `RuntimeError`.
    #[error("{0}")]
    Unavailable(String),
    /// A kernel that was stopped by a check of its own: `RuntimeError`.
    #[error("{0}")]
    Kernel(String),
    /// An error that CUDA reported: `RuntimeError`.
    #[error("{name}: {text}")]
    Cuda { name: String, text: String },
}

impl From<DriverError> for Error {
    fn from(error: DriverError) -> Self {
        let code = error.0 as u32;
        let name = error.error_name().map_or_else(
            |_| format!("CUDA error {code}"),
            |name| name.to_string_lossy().into_owned(),
        );
        let text = error.error_string().map_or_else(
            |_| "CUDA has no text for this error".to_owned(),
            |text| text.to_string_lossy().into_owned(),
        );
        Self::Cuda { name, text }
    }
}
