//! What can go wrong, by the Python exception it becomes.

use std::fmt;

use cudarc::driver::DriverError;
use declared::{Failure, Status};

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// A wrong dtype or kind of object: `TypeError`.
    Type(String),
    /// A wrong shape, layout, place or value: `ValueError`.
    Value(String),
    /// A number that its dtype cannot hold: `OverflowError`.
    Overflow(String),
    /// Not enough memory: `MemoryError`.
    Memory { bytes: usize, kind: &'static str },
    /// CUDA cannot be used here: `RuntimeError`.
    Unavailable(String),
    /// Not enough memory for the work of a function: `MemoryError`.
    Scratch(String),
    /// What a function has met: `RuntimeError`.
    Kernel(String),
    /// A signal's handler has raised: that exception, which is set already.
    Interrupted,
    /// An error that CUDA reported: `RuntimeError`.
    Cuda { name: String, text: String },
}

impl std::error::Error for Error {}

/// What calls meet that go wrong is made out of the way of those that go well, whose code is to stay
/// in the processor's caches.
impl Error {
    #[cold]
    pub fn wrong_type(text: fmt::Arguments<'_>) -> Self {
        Self::Type(text.to_string())
    }

    #[cold]
    pub fn wrong_value(text: fmt::Arguments<'_>) -> Self {
        Self::Value(text.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(text)
            | Self::Value(text)
            | Self::Overflow(text)
            | Self::Unavailable(text)
            | Self::Scratch(text)
            | Self::Kernel(text) => f.write_str(text),
            Self::Memory { bytes, kind } => {
                write!(f, "cannot allocate {bytes} bytes of {kind} memory")
            }
            Self::Interrupted => f.write_str("interrupted"),
            Self::Cuda { name, text } => write!(f, "{name}: {text}"),
        }
    }
}

impl From<Failure> for Error {
    #[cold]
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
    #[cold]
    fn from(error: Error) -> Self {
        let status = match error {
            Error::Memory { .. } | Error::Scratch(_) => Status::Memory,
            _ => Status::Runtime,
        };
        Self::new(status, error.to_string())
    }
}

impl From<DriverError> for Error {
    #[cold]
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
