//! Errors on demand, for the tests in `runtime/tests/test_cxx_errors.py`.

use std::panic::resume_unwind;
use std::thread;

use crate::bridge::ErrorKind;
use crate::error::{Error, Result, call};

pub fn fail(kind: ErrorKind, text: &str) -> Result<()> {
    call(|| Err(Error::new(kind, text)))
}

pub fn panic(text: &str, on_thread: bool) -> Result<()> {
    call(|| {
        if on_thread {
            let panicked = thread::scope(|scope| scope.spawn(|| panic!("{text}")).join());
            panicked.unwrap_or_else(|payload| resume_unwind(payload));
        }
        panic!("{text}")
    })
}
