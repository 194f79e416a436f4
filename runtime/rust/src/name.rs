//! Names of arrays in messages.

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
