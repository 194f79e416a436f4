//! Arrays of Python's, borrowed.

use std::convert::Infallible;
use std::ffi::CString;
use std::marker::PhantomData;
use std::slice;

use cuvec_spec::Role;
use pyo3::prelude::*;

use crate::api::{Api, RawArray, api};
use crate::element::Element;

/// The number of dimensions of an array that may have any: `ArrayMut<f64, ANY>`.
pub const ANY: usize = usize::MAX;

/// An array, until it is dropped.
pub(crate) struct Borrowed {
    raw: *mut RawArray,
    api: &'static Api,
}

// SAFETY: the core's functions need nothing of the thread but the GIL; `release` takes it itself.
unsafe impl Send for Borrowed {}
// SAFETY: what C sees of an array never changes, and `release` is called once.
unsafe impl Sync for Borrowed {}

impl Borrowed {
    /// Takes the result of a function of the API: null if it has raised.
    pub(crate) fn new(py: Python<'_>, api: &'static Api, raw: *mut RawArray) -> PyResult<Self> {
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
        let rank = i32::try_from(rank).unwrap_or(-1); // `ANY`
        let dtype = T::DTYPE.value().into();
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
        pub struct $name<T: Element, const N: usize = 1, A: Name = Unnamed>(
            Borrowed,
            PhantomData<(T, fn() -> A)>,
        );

        impl<T: Element, const N: usize, A: Name> $name<T, N, A> {
            pub(crate) fn new(borrowed: Borrowed) -> Self {
                Self(borrowed, PhantomData)
            }

            /// Borrows an array of any library, which messages call by this name.
            ///
            /// # Errors
            /// The same as in a declared function: a TypeError for what is no array and for another dtype, a ValueError for another number of
            /// dimensions, for an array that is not C-contiguous and so on.
            pub fn borrow(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
                Borrowed::borrow::<T>(object, name, $role, N).map(Self::new)
            }

            /// The size of each dimension.
            #[must_use]
            pub fn shape(&self) -> &[usize] {
                self.0.shape()
            }

            /// The same as an array, to be taken apart: `let [m, n] = a.sizes();`. Not for [`ANY`].
            #[must_use]
            pub fn sizes(&self) -> [usize; N] {
                self.shape().try_into().expect("it was borrowed with N dimensions")
            }

            /// Number of elements.
            #[must_use]
            pub fn len(&self) -> usize {
                self.0.len()
            }

            /// True if there are no elements.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Its Python object: the one that it was borrowed of.
            #[must_use]
            pub fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
                self.0.object(py)
            }

            pub(crate) fn raw(&self) -> *mut RawArray {
                self.0.raw
            }
        }

        /// As an argument of a function.
        impl<'py, T: Element, const N: usize, A: Name> FromPyObject<'_, 'py> for $name<T, N, A> {
            type Error = PyErr;

            fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                Self::borrow(&object, A::NAME)
            }
        }

        impl<'py, T: Element, const N: usize, A: Name> IntoPyObject<'py> for &$name<T, N, A> {
            type Target = PyAny;
            type Output = Bound<'py, PyAny>;
            type Error = Infallible;

            fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
                Ok(self.object(py))
            }
        }

        impl<'py, T: Element, const N: usize, A: Name> IntoPyObject<'py> for $name<T, N, A> {
            type Target = PyAny;
            type Output = Bound<'py, PyAny>;
            type Error = Infallible;

            fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
                (&self).into_pyobject(py)
            }
        }
    };
}

array!(
    /// An array that is read, of `N` dimensions and elements `T`, of any library: NumPy, CuPy, PyTorch and so on. It is an argument of functions, and can
    /// be stored in a class or sent to another thread, as a [`Py`] can. [`run`](crate::run) gives its elements to a body.
    ///
    /// ```no_run
    /// # use cuvec::Array;
    /// # use pyo3::prelude::*;
    /// /// Return the largest sum of a row of the matrix `a`.
    /// #[pyfunction]
    /// fn largest_row(py: Python<'_>, a: Array<f32, 2>) -> PyResult<f32> {
    ///     let [_m, n] = a.sizes();
    ///     cuvec::run(py, "largest_row", None, &a, |_call, a| {
    ///         let sums = a.chunks(n.max(1)).map(|row| row.iter().sum());
    ///         Ok(sums.fold(f32::NEG_INFINITY, f32::max))
    ///     })
    /// }
    /// # fn main() -> PyResult<()> {
    /// #     Python::attach(|py| {
    /// #         let numpy = py.import("numpy")?;
    /// #         let a = numpy.call_method1("array", ([[1, 2], [3, 4]], "float32"))?;
    /// #         let largest_row = wrap_pyfunction!(largest_row, py)?;
    /// #         assert_eq!(largest_row.call1((a,))?.extract::<f32>()?, 7.0);
    /// #         let empty = numpy.call_method1("zeros", ((2, 0), "float32"))?;
    /// #         assert_eq!(largest_row.call1((empty,))?.extract::<f32>()?, f32::NEG_INFINITY);
    /// #         let wrong = numpy.call_method1("zeros", (2, "float32"))?;
    /// #         let error = largest_row.call1((wrong,)).unwrap_err();
    /// #         assert_eq!(error.to_string(), "ValueError: array must have 2 dimensions, not shape (2,)");
    /// #         assert!(error.value(py).getattr("__notes__")?.to_string().contains("'a'"));
    /// #         Ok(())
    /// #     })
    /// # }
    /// ```
    Array,
    Role::In
);
array!(
    /// An array that is read and written, in place: otherwise an [`Array`].
    ///
    /// One of several dtypes is an enum, which pyo3 extracts:
    ///
    /// ```no_run
    /// # use cuvec::{ANY, ArrayMut};
    /// # use pyo3::prelude::*;
    /// #[derive(FromPyObject)]
    /// enum Floats {
    ///     F32(ArrayMut<f32, ANY>),
    ///     F64(ArrayMut<f64, ANY>),
    /// }
    ///
    /// /// Set the elements of `x` to zero, whatever its shape.
    /// #[pyfunction]
    /// fn clear(py: Python<'_>, x: Floats) -> PyResult<()> {
    ///     match x {
    ///         Floats::F32(x) => cuvec::run(py, "clear", None, &x, |_call, x| {
    ///             x.fill(0.0);
    ///             Ok(())
    ///         }),
    ///         Floats::F64(x) => cuvec::run(py, "clear", None, &x, |_call, x| {
    ///             x.fill(0.0);
    ///             Ok(())
    ///         }),
    ///     }
    /// }
    /// # fn main() -> PyResult<()> {
    /// #     Python::attach(|py| {
    /// #         let clear = wrap_pyfunction!(clear, py)?;
    /// #         for dtype in ["float32", "float64"] {
    /// #             let x = py.import("numpy")?.call_method1("ones", ((2, 3), dtype))?;
    /// #             clear.call1((&x,))?;
    /// #             assert!(!x.call_method0("any")?.extract::<bool>()?);
    /// #         }
    /// #         clear.call1(([1.0],)).unwrap_err();
    /// #         Ok(())
    /// #     })
    /// # }
    /// ```
    ArrayMut,
    Role::InOut
);

/// Name of an array in messages: [`names!`](crate::names) makes types of names.
pub trait Name {
    /// The name.
    const NAME: &'static str;
}

/// An array without a name: messages call it `array`, and pyo3 adds a note with the argument's name to messages of an extraction.
pub enum Unnamed {}

impl Name for Unnamed {
    const NAME: &'static str = "array";
}

/// `cuvec::names!(x, y)` makes the types `x` and `y`, with which messages call arrays by their names:
/// `x: Array<f64, 1, x>` is an argument with messages as in declared functions, "x must have 1 dimension, not shape (2, 2)".
///
/// ```no_run
/// # use cuvec::Array;
/// # use pyo3::prelude::*;
/// cuvec::names!(x);
///
/// /// Return the number of elements of the array `x`.
/// #[pyfunction]
/// fn count(x: Array<f64, 1, x>) -> usize {
///     x.len()
/// }
/// # fn main() -> PyResult<()> {
/// #     Python::attach(|py| {
/// #         let error = wrap_pyfunction!(count, py)?.call1((1,)).unwrap_err();
/// #         assert!(error.to_string().starts_with("TypeError: x must be an array, not int"));
/// #         Ok(())
/// #     })
/// # }
/// ```
#[macro_export]
macro_rules! names {
    ($($name:ident),+ $(,)?) => {
        $(
            #[allow(non_camel_case_types)]
            enum $name {}

            impl $crate::Name for $name {
                const NAME: &'static str = stringify!($name);
            }
        )+
    };
}
