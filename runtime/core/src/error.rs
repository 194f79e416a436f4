//! Errors, by the Python exceptions they become.

use std::fmt;

use cudarc::driver::DriverError;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error. It is a pointer, so that successful results are returned in a register.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<Kind>);

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A wrong dtype or kind of object: `TypeError`.
    Type(String),
    /// A wrong shape, layout, place or value: `ValueError`.
    Value(String),
    /// A scalar that is out of the range of its dtype: `OverflowError`.
    Overflow(String),
    /// Not enough memory: `MemoryError`.
    Memory { bytes: usize, kind: &'static str },
    /// CUDA cannot be used here: `RuntimeError`.
    Unavailable(String),
    /// Not enough memory for the work of a function: `MemoryError`.
    Scratch(String),
    /// An error that a function has met: `RuntimeError`.
    Kernel(String),
    /// A signal's handler has raised: that exception, which is set already.
    Interrupted,
    /// An error that CUDA reported: `RuntimeError`.
    Cuda { name: String, text: String },
}

impl std::error::Error for Error {}

/// Errors are made apart from successful calls, whose code should stay in the CPU's
/// caches.
impl Error {
    #[must_use]
    pub fn kind(&self) -> &Kind {
        &self.0
    }

    #[cold]
    pub fn wrong_type(text: fmt::Arguments<'_>) -> Self {
        Kind::Type(text.to_string()).into()
    }

    #[cold]
    pub fn wrong_value(text: fmt::Arguments<'_>) -> Self {
        Kind::Value(text.to_string()).into()
    }
}

impl From<Kind> for Error {
    #[cold]
    fn from(kind: Kind) -> Self {
        Self(Box::new(kind))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            Kind::Type(text)
            | Kind::Value(text)
            | Kind::Overflow(text)
            | Kind::Unavailable(text)
            | Kind::Scratch(text)
            | Kind::Kernel(text) => f.write_str(text),
            Kind::Memory { bytes, kind } => {
                write!(f, "cannot allocate {bytes} bytes of {kind} memory")
            }
            Kind::Interrupted => f.write_str("interrupted"),
            Kind::Cuda { name, text } => write!(f, "{name}: {text}"),
        }
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
        Kind::Cuda { name, text }.into()
    }
}
