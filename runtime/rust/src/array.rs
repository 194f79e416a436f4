//! Arrays of Python's, borrowed.

use std::convert::Infallible;
use std::ffi::CString;
use std::marker::PhantomData;
use std::slice;

use cuvec_spec::Role;
use pyo3::prelude::*;

use crate::api::{Api, RawArray, api};
use crate::element::Element;

/// An array, until it is dropped.
struct Borrowed {
    raw: *mut RawArray,
    api: &'static Api,
}

// SAFETY: the core's functions need nothing of the thread but the GIL; `release` takes it itself.
unsafe impl Send for Borrowed {}
// SAFETY: as above; what C sees of an array never changes.
unsafe impl Sync for Borrowed {}

impl Borrowed {
    fn new(py: Python<'_>, api: &'static Api, raw: *mut RawArray) -> PyResult<Self> {
        if raw.is_null() {
            return Err(PyErr::fetch(py));
        }
        Ok(Self { raw, api })
    }

    fn borrow<T: Element>(
        object: &Bound<'_, PyAny>,
        name: &str,
        role: Role,
        rank: usize,
    ) -> PyResult<Self> {
        let (api, name) = (api()?, CString::new(name)?);
        let (dtype, rank) = (T::DTYPE.value().into(), rank as i32);
        // SAFETY: the GIL is held, and the object lives.
        let raw = unsafe { (api.borrow)(object.as_ptr(), name.as_ptr(), role as i32, dtype, rank) };
        Self::new(object.py(), api, raw)
    }

    fn shape(&self) -> &[usize] {
        // SAFETY: as many sizes as its rank, none of which is negative.
        unsafe { slice::from_raw_parts((*self.raw).shape.cast(), (*self.raw).rank as usize) }
    }

    fn len(&self) -> usize {
        // SAFETY: it is not released yet.
        unsafe { (*self.raw).size as usize }
    }

    fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        // SAFETY: the GIL is held; every array has an object.
        unsafe { Bound::from_owned_ptr(py, (self.api.object)(self.raw)) }
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        // SAFETY: nobody uses it any more.
        unsafe { (self.api.release)(self.raw) }
    }
}

macro_rules! array {
    ($(#[$doc:meta])* $name:ident, $role:expr) => {
        $(#[$doc])*
        pub struct $name<T: Element, const RANK: usize = 1>(Borrowed, PhantomData<T>);

        impl<T: Element, const RANK: usize> $name<T, RANK> {
            /// Borrows an array of any library, which messages call by its name.
            ///
            /// # Errors
            /// Those of a declared function: a TypeError for another dtype, a ValueError for another
            /// rank, for an array that is not C-contiguous and so on.
            pub fn borrow(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
                let borrowed = Borrowed::borrow::<T>(object, name, $role, RANK)?;
                Ok(Self(borrowed, PhantomData))
            }

            #[must_use]
            pub fn shape(&self) -> &[usize] {
                self.0.shape()
            }

            /// Number of elements.
            #[must_use]
            pub fn len(&self) -> usize {
                self.0.len()
            }

            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Its Python object.
            #[must_use]
            pub fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
                self.0.object(py)
            }

            pub(crate) fn raw(&self) -> *mut RawArray {
                self.0.raw
            }
        }

        /// As an argument of a function. Messages call it `array`; [`borrow`](Self::borrow) knows better.
        impl<'py, T: Element, const RANK: usize> FromPyObject<'_, 'py> for $name<T, RANK> {
            type Error = PyErr;

            fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                Self::borrow(&object, "array")
            }
        }

        impl<'py, T: Element, const RANK: usize> IntoPyObject<'py> for $name<T, RANK> {
            type Target = PyAny;
            type Output = Bound<'py, PyAny>;
            type Error = Infallible;

            fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
                Ok(self.object(py))
            }
        }
    };
}

array!(
    /// An array that is read.
    Array,
    Role::In
);
array!(
    /// An array that is read and written.
    ArrayMut,
    Role::InOut
);

/// A new CuVec of zeros.
///
/// # Errors
/// A ValueError for a size that does not fit, a MemoryError where there is not enough memory.
pub fn zeros<T: Element, const RANK: usize>(
    py: Python<'_>,
    shape: [i64; RANK],
) -> PyResult<ArrayMut<T, RANK>> {
    let api = api()?;
    // SAFETY: the GIL is held, and there are as many sizes.
    let raw = unsafe { (api.zeros)(T::DTYPE.value().into(), RANK as i32, shape.as_ptr()) };
    Ok(ArrayMut(Borrowed::new(py, api, raw)?, PhantomData))
}
