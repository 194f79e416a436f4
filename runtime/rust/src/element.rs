//! The types of elements.

use cuvec_spec::DType;

/// A type of elements: an integer or a floating-point number, with the feature `half` of this crate [`half::f16`] and [`half::bf16`], and with
/// `num-complex` [`num_complex::Complex`]:
///
/// ```no_run
/// # use cuvec::{ANY, ArrayMut};
/// # use pyo3::prelude::*;
/// use num_complex::Complex;
///
/// /// Conjugate the elements of the complex128 array `x`, in place.
/// #[pyfunction]
/// fn conjugate(py: Python<'_>, x: ArrayMut<Complex<f64>, ANY>) -> PyResult<()> {
///     cuvec::run(py, "conjugate", None, &x, |_call, x| {
///         x.iter_mut().for_each(|x| *x = x.conj());
///         Ok(())
///     })
/// }
/// # fn main() -> PyResult<()> {
/// #     Python::attach(|py| {
/// #         let x = cuvec::from_slice(py, &[Complex::new(1.0, 2.0), Complex::new(3.0, 0.0)])?;
/// #         wrap_pyfunction!(conjugate, py)?.call1((&x,))?;
/// #         let expected = [Complex::new(1.0, -2.0), Complex::new(3.0, 0.0)];
/// #         assert!(cuvec::run(py, "look", None, &x, |_call, x| Ok(x == expected))?);
/// #         let half = cuvec::from_slice(py, &[half::f16::ONE])?;
/// #         assert_eq!(half.object(py).getattr("dtype")?.to_string(), "float16");
/// #         let error = wrap_pyfunction!(conjugate, py)?.call1((&half,)).unwrap_err();
/// #         assert!(error.to_string().contains("dtype float16"));
/// #         Ok(())
/// #     })
/// # }
/// ```
///
/// # Safety
/// `DTYPE` must match the type, and any bits that arrays of it hold must be a value.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The dtype of arrays with such elements.
    const DTYPE: DType;
}

macro_rules! elements {
    ($($type:ty: $dtype:ident),* $(,)?) => {
        $(
            // SAFETY: the same bytes, and any of them are a number.
            unsafe impl Element for $type {
                const DTYPE: DType = DType::$dtype;
            }
        )*
    };
}

#[cfg(feature = "half")]
elements!(half::f16: F16, half::bf16: BF16);

#[cfg(feature = "num-complex")]
elements!(num_complex::Complex<f32>: C64, num_complex::Complex<f64>: C128);

// Not `bool`: others may leave bytes in an array that are neither 0 nor 1.
elements!(
    i8: I8,
    u8: U8,
    i16: I16,
    u16: U16,
    i32: I32,
    u32: U32,
    i64: I64,
    u64: U64,
    f32: F32,
    f64: F64,
);
