//! Names of attributes, as strings of Python that are made once.
//!
//! Not pyo3's `intern!`: it detaches from the interpreter while it makes one, and then the process may be forked, and the
//! child waits for ever.

use cuvec_core::fork::Once;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A string of Python of this text.
macro_rules! interned {
    ($py:expr, $text:literal) => {{
        static STRING: cuvec_core::fork::Once<pyo3::Py<pyo3::types::PyString>> =
            cuvec_core::fork::Once::new();
        $crate::interned::string($py, &STRING, $text)
    }};
}

pub(crate) use interned;

#[inline]
pub fn string<'a, 'py>(
    py: Python<'py>,
    made: &'a Once<Py<PyString>>,
    text: &str,
) -> &'a Bound<'py, PyString> {
    let make = || made.keep(PyString::intern(py, text).unbind());
    made.get().unwrap_or_else(make).bind(py)
}
