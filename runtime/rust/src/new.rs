//! New arrays.

use std::convert::Infallible;
use std::ops::Deref;

use cuvec_spec::Value;
use pyo3::prelude::*;

use crate::api::{RawArray, api};
use crate::argument::Argument;
use crate::array::{ArrayMut, Borrowed};
use crate::element::Element;
use crate::run::run;

/// A new array, made by [`zeros`], [`from_fn`] or [`from_slice`]: the result of a function, or a buffer that a class owns. It has the
/// methods of an [`ArrayMut`], and a body gets its elements. In Python it is a `CuVec`.
pub struct CuVec<T: Element, const N: usize = 1>(ArrayMut<T, N>);

impl<T: Element, const N: usize> Deref for CuVec<T, N> {
    type Target = ArrayMut<T, N>;

    fn deref(&self) -> &ArrayMut<T, N> {
        &self.0
    }
}

impl<'py, T: Element, const N: usize> IntoPyObject<'py> for &CuVec<T, N> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
        Ok(self.object(py))
    }
}

impl<'py, T: Element, const N: usize> IntoPyObject<'py> for CuVec<T, N> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
        (&self).into_pyobject(py)
    }
}

/// A new array of zeros.
///
/// ```no_run
/// # use cuvec::CuVec;
/// # use pyo3::prelude::*;
/// /// Return the identity matrix of `n` rows.
/// #[pyfunction]
/// fn identity(py: Python<'_>, n: i64) -> PyResult<CuVec<f32, 2>> {
///     let a = cuvec::zeros(py, [n, n])?;
///     cuvec::run(py, "identity", None, &a, |_call, a| {
///         a.iter_mut().step_by(n as usize + 1).for_each(|a| *a = 1.0);
///         Ok(())
///     })?;
///     Ok(a)
/// }
/// # fn main() -> PyResult<()> {
/// #     Python::attach(|py| {
/// #         let a = wrap_pyfunction!(identity, py)?.call1((3,))?;
/// #         assert_eq!(a.get_type().name()?, "CuVec");
/// #         let expected = py.import("numpy")?.call_method1("eye", (3,))?;
/// #         assert!(a.call_method1("__eq__", (expected,))?.call_method0("all")?.extract::<bool>()?);
/// #         Ok(())
/// #     })
/// # }
/// ```
///
/// # Errors
/// A ValueError for a size that does not fit, a MemoryError where there is not enough memory.
pub fn zeros<T: Element, const N: usize>(py: Python<'_>, shape: [i64; N]) -> PyResult<CuVec<T, N>> {
    let api = api()?;
    // SAFETY: the GIL is held, and there are as many sizes.
    let raw = unsafe { (api.zeros)(T::DTYPE.value().into(), N as i32, shape.as_ptr()) };
    Ok(CuVec(ArrayMut::new(Borrowed::new(py, api, raw)?)))
}

/// A new array of what the function returns for each index.
///
/// # Errors
/// As for [`zeros`].
pub fn from_fn<T, F>(py: Python<'_>, n: i64, mut element: F) -> PyResult<CuVec<T>>
where
    T: Element,
    F: FnMut(usize) -> T + Send,
{
    let array = zeros(py, [n])?;
    run(py, "from_fn", None, &array, move |_call, elements| {
        for (i, place) in elements.iter_mut().enumerate() {
            *place = element(i);
        }
        Ok(())
    })?;
    Ok(array)
}

/// A new array with a copy of these elements.
///
/// # Errors
/// As for [`zeros`].
pub fn from_slice<T: Element>(py: Python<'_>, elements: &[T]) -> PyResult<CuVec<T>> {
    from_fn(py, elements.len() as i64, |i| elements[i])
}

impl<T: Element, const N: usize> Argument for &CuVec<T, N> {
    type Slice<'a> = &'a mut [T];
    type Pointer = *mut T;

    fn raw(&self) -> *mut RawArray {
        ArrayMut::raw(self)
    }

    unsafe fn slice<'a>(value: &Value) -> &'a mut [T] {
        // SAFETY: the caller's.
        unsafe { <&ArrayMut<T, N>>::slice(value) }
    }

    fn pointer(value: &Value) -> *mut T {
        value.data.cast()
    }
}
