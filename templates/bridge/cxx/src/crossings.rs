//! Errors on demand, for the tests in `tests/test_cxx_errors.py`.

use crate::bridge::ErrorKind;
use crate::error::{Error, Result, call};

pub fn fail(kind: ErrorKind, text: &str) -> Result<()> {
    call(|| Err(Error::new(kind, text)))
}

pub fn panic(text: &str, on_thread: bool) -> Result<()> {
    call(|| {
        if on_thread {
            host::parallel::in_parallel(|| panic!("{text}"))?;
        }
        panic!("{text}")
    })
}
