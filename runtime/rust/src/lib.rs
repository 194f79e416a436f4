//! The runtime of a package, for functions and classes that are written by hand with pyo3.
//!
//! ```ignore
//! #[pyfunction]
//! #[pyo3(signature = (x, factor, stream = None))]
//! fn scale(x: &Object<'_>, factor: f64, stream: Stream<'_>) -> PyResult<()> {
//!     let array = ArrayMut::<f64>::borrow(x, "x")?; // of any library
//!     cuvec::run(x.py(), "scale", stream.as_ref(), (&array,), |_call, (x,)| {
//!         x.iter_mut().for_each(|x| *x *= factor);
//!         Ok(())
//!     })
//! }
//! ```
//!
//! A module calls [`load`] when it is made. All of it is `cuvec/api.h`, behind which the core is.

mod api;
mod array;
mod element;
mod library;
mod run;
mod with;

use pyo3::prelude::*;

pub use api::{call, load};
pub use array::{Array, ArrayMut, zeros};
pub use element::Element;
#[doc(hidden)]
pub use library::required;
pub use run::{Argument, Arguments, Call, Stop, from_fn, run, run_on_either, run_on_gpu};
pub use with::With;

/// An argument that [`ArrayMut::borrow`] takes an array of.
pub type Object<'py> = Bound<'py, PyAny>;

/// The argument `stream`, which [`run`] takes.
pub type Stream<'py> = Option<Bound<'py, PyAny>>;
