//! Errors and panics on their way to C++.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::bridge::ErrorKind;

thread_local! {
    static LAST: Cell<ErrorKind> = const { Cell::new(ErrorKind::Runtime) };
    /// Where in the sources this thread has panicked.
    static PANICKED_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What C++ is told: the kind is asked for, the text is thrown.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    text: String,
}

pub type Result<T> = std::result::Result<T, Error>;

pub fn error_kind() -> ErrorKind {
    LAST.get()
}

/// Runs one call from C++, which must not be unwound into.
pub fn call<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    keep_quiet_when_panicking();
    // What a panic leaves half done is the host's, whose locks it poisons or recovers.
    let result = panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(Error::from_panic(payload.as_ref())));
    result.inspect_err(|error| LAST.set(error.kind))
}

/// A panic is an exception for Python, not lines on a terminal that may not be there.
fn keep_quiet_when_panicking() {
    // No `Once`: in a process forked meanwhile, it would never end.
    static HOOKED: AtomicBool = AtomicBool::new(false);
    if !HOOKED.load(Relaxed) && !HOOKED.swap(true, Relaxed) {
        panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
            let place = info.location().map(ToString::to_string);
            PANICKED_AT.set(place.unwrap_or_default());
        }));
    }
}

impl Error {
    pub fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        Self {
            kind,
            text: text.into(),
        }
    }

    pub fn value(text: impl Into<String>) -> Self {
        Self::new(ErrorKind::Value, text)
    }

    #[cold]
    fn from_panic(payload: &(dyn Any + Send)) -> Self {
        let said = payload.downcast_ref::<&str>().copied();
        let said = said.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let place = match PANICKED_AT.take() {
            place if place.is_empty() => place, // it was on another thread
            place => format!(" at {place}"),
        };
        let said = said.unwrap_or("without a word");
        Self::new(ErrorKind::Runtime, format!("Rust panicked{place}: {said}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<host::Error> for Error {
    #[cold]
    fn from(error: host::Error) -> Self {
        let kind = match error {
            host::Error::Type(_) => ErrorKind::Type,
            host::Error::Value(_) => ErrorKind::Value,
            host::Error::Overflow(_) => ErrorKind::Overflow,
            host::Error::Memory { .. } | host::Error::Scratch(_) => ErrorKind::Memory,
            host::Error::Interrupted => ErrorKind::Interrupted,
            host::Error::Unavailable(_) | host::Error::Kernel(_) | host::Error::Cuda { .. } => {
                ErrorKind::Runtime
            }
        };
        Self::new(kind, error.to_string())
    }
}

/// C++ has thrown.
impl From<cxx::Exception> for Error {
    fn from(exception: cxx::Exception) -> Self {
        Self::new(ErrorKind::Runtime, exception.what())
    }
}
