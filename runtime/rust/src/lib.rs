//! The runtime of a package, for functions and classes that are written by hand with pyo3. They take the arrays that declared functions take,
//! with the same checks and in the same order of streams, and make arrays.
//!
//! ```no_run
//! use cuvec::{ArrayMut, Stream};
//! use pyo3::prelude::*;
//!
//! /// Multiply the float64 array `x` by `factor`, in place.
//! #[pyfunction]
//! #[pyo3(signature = (x, factor, stream = None))]
//! fn scale(py: Python<'_>, x: ArrayMut<f64>, factor: f64, stream: Stream<'_>) -> PyResult<()> {
//!     cuvec::run(py, "scale", stream.as_ref(), &x, |_call, x| {
//!         x.iter_mut().for_each(|x| *x *= factor);
//!         Ok(())
//!     })
//! }
//!
//! #[pymodule(gil_used = false)]
//! mod example {
//!     #[pymodule_export]
//!     use super::scale;
//!     # use pyo3::prelude::*;
//!
//!     #[pymodule_init]
//!     fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
//!         cuvec::load(module)
//!     }
//! }
//! # fn main() -> PyResult<()> {
//! #     Python::attach(|py| {
//! #         let x = py.import("numpy")?.call_method1("array", ([1.0, 2.0],))?;
//! #         wrap_pyfunction!(scale, py)?.call1((&x, 3))?;
//! #         assert_eq!(x.extract::<Vec<f64>>()?, [3.0, 6.0]);
//! #         Ok(())
//! #     })
//! # }
//! ```
//!
//! - [`Array`] and [`ArrayMut`] are arguments: arrays of any library, with the type of elements and the number of dimensions (1, unless it is
//!   named, or [`ANY`]). [`names!`] gives messages their names.
//! - [`run`] gives their elements to a body, without the GIL. [`run_on_gpu`] has a body for the GPU as well, for cudarc or C++.
//! - [`zeros`], [`from_fn`] and [`from_slice`] make a [`CuVec`], which is returned or kept as a buffer.
//! - [`call`] calls a declared function, and [`compose`] several in one call, without Python.
//! - [`load`] comes first, when the module is made.
//!
//! All of it is `cuvec/api.h`, behind which the core is.

#![warn(missing_docs)]

mod api;
mod argument;
mod array;
mod compose;
mod element;
mod new;
mod operand;
mod run;

use pyo3::prelude::*;

#[doc(hidden)]
pub use api::required;
pub use api::{call, device, load, set_threads};
pub use argument::{Argument, Arguments};
pub use array::{ANY, Array, ArrayMut, Name, Unnamed};
pub use compose::{Composition, compose};
pub use cuvec_spec::DType;
pub use element::Element;
pub use new::{CuVec, from_fn, from_slice, zeros};
pub use operand::{Operand, Operands};
pub use run::{Call, Stop, run, run_on_either, run_on_gpu};

/// An object that [`ArrayMut::borrow`] borrows an array of, in functions that do more with it.
pub type Object<'py> = Bound<'py, PyAny>;

/// The argument `stream`, which [`run`] takes: the handle of a CUDA stream, as an integer, or an object that knows it, such as a stream of
/// PyTorch's, CuPy's and cuda-core's. Without one a call is done when it returns.
pub type Stream<'py> = Option<Bound<'py, PyAny>>;

/// The base of a class that is used in `with` statements, at whose end its method `close` is called:
/// `#[pyclass(extends = With)]`. Its constructor returns
/// `PyClassInitializer::from(With).add_subclass(Self { … })`.
#[pyclass(subclass, frozen)]
pub struct With;

#[pymethods]
impl With {
    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(this: &Bound<'_, Self>, _exception: &Bound<'_, PyAny>) -> PyResult<()> {
        this.call_method0("close").map(drop)
    }
}
