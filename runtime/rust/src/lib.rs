//! The runtime of a package, for functions and classes that are written by hand with pyo3.
//!
//! ```ignore
//! #[pyfunction]
//! #[pyo3(signature = (x, factor, stream = None))]
//! fn scale(x: &Bound<'_, PyAny>, factor: f64, stream: Option<Bound<'_, PyAny>>) -> PyResult<()> {
//!     let x = ArrayMut::<f64>::borrow(x, "x")?; // an array of any library
//!     cuvec::run(x.py(), "scale", stream.as_ref(), (&x,), |_call, (x,)| {
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
mod run;

pub use api::{call, load};
pub use array::{Array, ArrayMut, zeros};
pub use element::Element;
pub use run::{Argument, Arguments, Call, Stop, run, run_on_gpu};
