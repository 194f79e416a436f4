//! Errors and panics on their way to C++.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use host::error::Kind;

use crate::bridge::ErrorKind;

thread_local! {
    static LAST: Cell<ErrorKind> = const { Cell::new(ErrorKind::Runtime) };
    /// Where in the sources this thread has panicked.
    static PANICKED_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// What goes wrong. It is a pointer, as the host's.
#[derive(Debug)]
pub struct Error(Box<Told>);

/// What C++ is told: the kind is asked for, the text is thrown.
#[derive(Debug)]
struct Told {
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
    let mut outcome = None;
    // What a panic leaves half done is the host's, whose locks it poisons or recovers.
    let end = panic::catch_unwind(AssertUnwindSafe(|| outcome = Some(work())));
    match (end, outcome) {
        (Ok(()), Some(Ok(value))) => Ok(value), // nothing else is moved: that takes a part of a call
        (Ok(()), Some(Err(error))) => failed(error),
        (Ok(()), None) => unreachable!("the work has ended"),
        (Err(payload), _) => failed(Error::from_panic(payload.as_ref())),
    }
}

#[cold]
fn failed<T>(error: Error) -> Result<T> {
    LAST.set(error.0.kind);
    Err(error)
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
        let text = text.into();
        Self(Box::new(Told { kind, text }))
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
        f.write_str(&self.0.text)
    }
}

impl From<host::Error> for Error {
    #[cold]
    fn from(error: host::Error) -> Self {
        let kind = match error.kind() {
            Kind::Type(_) => ErrorKind::Type,
            Kind::Value(_) => ErrorKind::Value,
            Kind::Overflow(_) => ErrorKind::Overflow,
            Kind::Memory { .. } | Kind::Scratch(_) => ErrorKind::Memory,
            Kind::Interrupted => ErrorKind::Interrupted,
            Kind::Unavailable(_) | Kind::Kernel(_) | Kind::Cuda { .. } => ErrorKind::Runtime,
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
