//! What can go wrong, by the Python exception it becomes.

use cudarc::driver::DriverError;
use declared::{Failure, Status};

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A wrong dtype or kind of object: `TypeError`.
    #[error("{0}")]
    Type(String),
    /// A wrong shape, layout, place or value: `ValueError`.
    #[error("{0}")]
    Value(String),
    /// A number that its dtype cannot hold: `OverflowError`.
    #[error("{0}")]
    Overflow(String),
    /// Not enough memory: `MemoryError`.
    #[error("cannot allocate {bytes} bytes of {kind} memory")]
    Memory { bytes: usize, kind: &'static str },
    /// CUDA cannot be used here: `RuntimeError`.
    #[error("{0}")]
    Unavailable(String),
    /// Not enough memory for the work of a function: `MemoryError`.
    #[error("{0}")]
    Scratch(String),
    /// What a function has met: `RuntimeError`.
    #[error("{0}")]
    Kernel(String),
    /// A signal's handler has raised: that exception, which is set already.
    #[error("interrupted")]
    Interrupted,
    /// An error that CUDA reported: `RuntimeError`.
    #[error("{name}: {text}")]
    Cuda { name: String, text: String },
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        let message = failure.message;
        match failure.status {
            Status::Type => Self::Type(message),
            Status::Value => Self::Value(message),
            Status::Overflow => Self::Overflow(message),
            Status::Memory => Self::Scratch(message),
            Status::Runtime => Self::Kernel(message),
            Status::Interrupted => Self::Interrupted,
        }
    }
}

/// What a host function has met while a body used it.
impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match error {
            Error::Memory { .. } | Error::Scratch(_) => Status::Memory,
            _ => Status::Runtime,
        };
        Self::new(status, error.to_string())
    }
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
