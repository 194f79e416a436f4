//! Declared functions, one after the other in one call.

use std::ffi::{CString, c_int, c_void};
use std::iter;
use std::marker::PhantomData;

use cuvec_spec::{MAX_RANK, Status, Value, c};
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::api::Body;
use crate::argument::Arguments;
use crate::element::Element;
use crate::operand::{Brand, NONE, Operand, Operands};
use crate::run::{Call, Context, Stop, enter};

/// Runs declared functions in one call, without Python: on the GPU if there is one, in the order of the stream. The body gets an
/// [`Operand`] for an array, `&x`, and a tuple of them for a tuple of arrays; [`Composition::run`] gives them to functions, and
/// [`Composition::scratch`] makes more. Messages call it `function`.
///
/// ```no_run
/// # use cuvec::{Array, CuVec, Stream};
/// # use pyo3::prelude::*;
/// /// Return `a @ (a @ x)` for a square matrix `a`, calculated by the declared function `gemv`.
/// #[pyfunction]
/// #[pyo3(signature = (a, x, stream = None))]
/// fn twice(
///     py: Python<'_>,
///     a: Array<f64, 2>,
///     x: Array<f64>,
///     stream: Stream<'_>,
/// ) -> PyResult<CuVec<f64>> {
///     let n = x.len() as i64;
///     let y = cuvec::zeros(py, [n])?;
///     let arrays = (&a, &x, &y);
///     cuvec::compose(py, "twice", stream.as_ref(), arrays, |call, (a, x, y)| {
///         let between = call.scratch::<f64, 1>([n])?;
///         call.run("gemv", (a, x, between))?;
///         call.run("gemv", (a, between, y))
///     })?;
///     Ok(y)
/// }
/// # fn main() -> PyResult<()> {
/// #     Python::attach(|py| {
/// #         let a = py.import("numpy")?.call_method1("array", ([[0.0, 2.0], [3.0, 0.0]],))?;
/// #         let x = cuvec::from_slice(py, &[1.0, 2.0])?;
/// #         let twice = wrap_pyfunction!(twice, py)?;
/// #         assert_eq!(twice.call1((&a, &x))?.extract::<Vec<f64>>()?, [6.0, 12.0]);
/// #         let x = cuvec::from_slice(py, &[1.0, 2.0, 3.0])?;
/// #         let error = twice.call1((&a, &x)).unwrap_err();
/// #         assert!(error.to_string().starts_with("ValueError: gemv(): x has shape (3,), but n is 2"));
/// #         let one = py.import("numpy")?.call_method1("ones", ([1; 12],))?; // more dimensions than are declared
/// #         let (one, sum) = (Array::<f64, { cuvec::ANY }>::borrow(&one, "x")?, cuvec::zeros::<f64, 0>(py, [])?);
/// #         cuvec::compose(py, "sum", None, (&one, &sum), |call, (x, sum)| call.run("dot", (x, x, sum)))?;
/// #         assert_eq!(sum.object(py).extract::<f64>()?, 1.0);
/// #         Ok(())
/// #     })
/// # }
/// ```
///
/// # Errors
/// Errors of the body; a ValueError where an array that is written overlaps another.
pub fn compose<A, F, R>(
    py: Python<'_>,
    function: &str,
    stream: Option<&Bound<'_, PyAny>>,
    arrays: A,
    body: F,
) -> PyResult<R>
where
    A: Arguments,
    F: for<'a> FnOnce(&mut Composition<'a>, A::Operands<'a>) -> Result<R, Stop> + Send,
    R: Send,
{
    let context = Context {
        cpu: None::<()>,
        gpu: Some((body, &raw const arrays)),
        outcome: None,
    };
    let body = on_either::<A, F, R> as Body;
    enter(py, function, stream, &arrays, context, (body, Some(body)))
}

unsafe extern "C" fn on_either<A, F, R>(
    call: *mut c::Call,
    values: *const Value,
    context: *mut c_void,
) -> c_int
where
    A: Arguments,
    F: for<'a> FnOnce(&mut Composition<'a>, A::Operands<'a>) -> Result<R, Stop>,
{
    // SAFETY: the context of this run, whose thread this is.
    let context = unsafe { &mut *context.cast::<Context<(), (F, *const A), R>>() };
    let (body, arrays) = context.gpu.take().expect("a body runs once");
    // SAFETY: the arrays are borrowed while the call runs, there is a value for each, and what the body gets is of its lifetime alone.
    context.run(|| unsafe { body(&mut Composition::new(call), (*arrays).operands(values)) })
}

/// The call of [`compose`].
pub struct Composition<'a> {
    call: Call,
    brand: Brand<'a>,
}

impl<'a> Composition<'a> {
    /// # Safety
    /// The operands of this lifetime must be of this call.
    pub(crate) unsafe fn new(call: *mut c::Call) -> Self {
        Self {
            call: Call(call),
            brand: PhantomData,
        }
    }

    /// Calls a declared function of the package with all its arguments, in a tuple, and behind them an array for each result. What it takes is
    /// checked as in a call from Python; nothing is copied.
    ///
    /// # Errors
    /// Errors of the function.
    pub fn run(&mut self, function: &str, operands: impl Operands<'a>) -> Result<(), Stop> {
        let name = CString::new(function).map_err(Stop::error)?;
        let operands = operands.list();
        let raw: Vec<_> = operands.iter().map(Operand::raw).collect();
        let call = self.call.0;
        // SAFETY: the core's call; the arrays are of this call, and on its side.
        let status = unsafe { ((*call).run)(call, name.as_ptr(), raw.as_ptr(), raw.len() as i32) };
        let Some(status) = Status::of(status) else {
            return Ok(());
        };
        // SAFETY: the core has written it.
        let message = unsafe { (*call).message() };
        Err(Stop::Error(match status {
            Status::Interrupted => return Err(Stop::Interrupted),
            Status::Type => PyTypeError::new_err(message),
            Status::Value => PyValueError::new_err(message),
            Status::Overflow => PyOverflowError::new_err(message),
            Status::Memory => PyMemoryError::new_err(message),
            Status::Runtime => PyRuntimeError::new_err(message),
        }))
    }

    /// An array until the call is done. Its contents are undefined.
    ///
    /// # Errors
    /// A MemoryError; a ValueError for a size below zero.
    pub fn scratch<T: Element, const N: usize>(
        &mut self,
        sizes: [i64; N],
    ) -> Result<Operand<'a>, Stop> {
        const { assert!(N <= MAX_RANK, "arrays have 8 dimensions at most") };
        let mut sizes_and_size = sizes
            .iter()
            .copied()
            .chain(iter::once(size_of::<T>() as i64));
        let bytes = sizes_and_size.try_fold(1_u64, |bytes, size| {
            let unsigned = u64::try_from(size);
            let size = unsigned
                .map_err(|_| PyValueError::new_err(format!("a size of memory cannot be {size}")))?;
            let bytes = bytes
                .checked_mul(size)
                .filter(|bytes| *bytes <= i64::MAX as u64);
            bytes.ok_or_else(no_memory)
        })?;
        let call = self.call.0;
        // SAFETY: the core's call.
        let address = unsafe { ((*call).scratch)(call, bytes.max(1) as usize) };
        if address.is_null() {
            return Err(no_memory().into());
        }
        let mut shape = [0; MAX_RANK];
        shape[..N].copy_from_slice(&sizes);
        let value = Value {
            data: address,
            size: sizes.iter().product(),
            ..NONE
        };
        // SAFETY: the core's memory, of the call.
        Ok(unsafe { Operand::scratch(value, shape, T::DTYPE, N as i8) }) // of at most MAX_RANK
    }

    /// Ends the body after Ctrl-C: for long loops.
    ///
    /// # Errors
    /// [`Stop::Interrupted`].
    pub fn check_interrupt(&mut self) -> Result<(), Stop> {
        self.call.check_interrupt()
    }
}

#[cold]
fn no_memory() -> PyErr {
    PyMemoryError::new_err("not enough scratch memory")
}
