//! XLA, which calls functions of the package while a program of JAX runs, on threads of its own.
//!
//! <https://docs.jax.dev/en/latest/ffi.html>; the structs are from `xla/ffi/api/c_api.h` in jaxlib.

mod abi;
mod call;

use std::ffi::CString;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};

use cuvec_core::error::Kind;
use cuvec_core::{Device, Error, Stream, device};
use pyo3::prelude::*;

use crate::error;
use crate::finalization;
use abi::{Failure, Frame};
use call::{Refusal, XlaCall};

/// Functions that XLA may call: [`CPU`], [`GPU`] or [`IN_GRAPHS`].
static OTHERS: [AtomicPtr<()>; 3] = [const { AtomicPtr::new(ptr::null_mut()) }; 3];

const CPU: usize = 0;
const GPU: usize = 1;
/// Calls on GPUs that XLA may capture as a part of a CUDA graph.
const IN_GRAPHS: usize = 2;

/// The address of what XLA calls for all functions; what it cannot do it leaves to that at `other`,
/// which also says of itself what XLA asks.
///
/// Which function a call is for, and the numbers, are in its only attribute: see
/// `cuvec/jax/handler.py`.
#[pyfunction]
pub fn xla_handler(on_gpu: bool, in_graphs: bool, other: usize) -> usize {
    let (kind, handler): (_, abi::Handler) = match (on_gpu, in_graphs) {
        (false, _) => (CPU, handle::<CPU>),
        (true, false) => (GPU, handle::<GPU>),
        (true, true) => (IN_GRAPHS, handle::<IN_GRAPHS>),
    };
    OTHERS[kind].store(other as *mut (), SeqCst);
    handler as usize
}

unsafe extern "C-unwind" fn handle<const KIND: usize>(frame: *const Frame) -> *mut Failure {
    // SAFETY: XLA's, for the time of the call.
    let frame = unsafe { &*frame };
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| run(frame, KIND != CPU)));
    let panicked = |said| Err(Refusal::Done(Kind::Kernel(said).into()));
    match outcome.unwrap_or_else(|payload| panicked(error::said(payload.as_ref()))) {
        Ok(()) => ptr::null_mut(),
        Err(Refusal::Done(error)) => {
            if *error.kind() == Kind::Interrupted {
                let _ = Python::try_attach(PyErr::take); // XLA's error says it
            }
            new_error(frame, &error)
        }
        Err(Refusal::Here) => {
            let other = OTHERS[KIND].load(SeqCst);
            // SAFETY: what Python has given as a handler, which it keeps.
            unsafe {
                let other: abi::Handler = std::mem::transmute(other);
                finalization::outlive(|| other(frame)) // a function of Python's
            }
        }
    }
}

fn run(frame: &Frame, on_gpu: bool) -> Result<(), Refusal> {
    if !frame.head.extension.is_null() || !is_for_us(on_gpu) {
        return Err(Refusal::Here); // it is about something else, or Python has to be asked
    }
    let stream = on_gpu.then(|| stream_of(frame)).transpose()?;
    let call = XlaCall::read(frame, stream).ok_or(Refusal::Here)?;
    call.run(stream)
}

/// On the CPU: with a GPU, the function would work there.
fn is_for_us(on_gpu: bool) -> bool {
    on_gpu || matches!(device::current(), Ok(Device::Cpu))
}

/// The stream that the program runs on.
fn stream_of(frame: &Frame) -> Result<Stream, Refusal> {
    let mut wanted = abi::GetStream::of(frame.context);
    // SAFETY: XLA's functions, and a place for the answer.
    let failure = unsafe { ((*frame.api).get_stream)(&raw mut wanted) };
    match (failure.is_null(), wanted.stream as usize) {
        (false, _) => Err(Refusal::Here), // the other handler says so
        (true, 0) => Ok(Stream::LEGACY_DEFAULT),
        (true, handle) => Ok(Stream(handle)),
    }
}

fn new_error(frame: &Frame, error: &Error) -> *mut Failure {
    let code = match error.kind() {
        Kind::Type(_) | Kind::Value(_) | Kind::Overflow(_) => abi::INVALID_ARGUMENT,
        Kind::Memory { .. } | Kind::Scratch(_) => abi::RESOURCE_EXHAUSTED,
        _ => abi::INTERNAL,
    };
    let message = CString::new(error.to_string().replace('\0', " ")).unwrap_or_default();
    let mut new = abi::NewError::of(&message, code);
    // SAFETY: XLA's functions; it copies the message.
    unsafe { ((*frame.api).new_error)(&raw mut new) }
}
