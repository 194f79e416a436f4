//! XLA, which calls functions of the package while a program of JAX runs, on threads of its own.
//!
//! <https://docs.jax.dev/en/latest/ffi.html>; the structs are from `xla/ffi/api/c_api.h` in jaxlib.

mod abi;

use std::ffi::CString;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::SeqCst;
use std::{ptr, str};

use abi::{Buffer, Failure, Frame};
use cuvec_core::device::{self, locate};
use cuvec_core::error::Kind;
use cuvec_core::functions::{self, Dtypes, Function, Scalar};
use cuvec_core::shape::InlineShape;
use cuvec_core::{Array, DType, Device, Error, Place, Stream};
use cuvec_spec::{MAX_ARGUMENTS, Role};
use pyo3::prelude::*;

use crate::{error, finalization};

/// Functions that XLA may call: [`CPU`], [`GPU`] or [`IN_GRAPHS`].
static OTHERS: [AtomicPtr<()>; 3] = [const { AtomicPtr::new(ptr::null_mut()) }; 3];

const CPU: usize = 0;
const GPU: usize = 1;
/// Calls on GPUs that XLA may capture as a part of a CUDA graph.
const IN_GRAPHS: usize = 2;

/// The address of the handler that XLA calls for all functions. It leaves calls that it cannot run,
/// and XLA's questions about handlers, to the one at `other`.
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
                finalization::outlive(|| other(frame)) // a Python function
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

struct XlaCall<'a> {
    function: &'static Function,
    arrays: [Option<Array>; MAX_ARGUMENTS],
    /// Those that are numbers.
    words: [&'a str; MAX_ARGUMENTS],
}

impl<'a> XlaCall<'a> {
    /// None for a call that is nothing for this module.
    pub fn read(frame: &'a Frame, stream: Option<Stream>) -> Option<Self> {
        let text = frame
            .attributes
            .text()
            .split(|&byte| byte == b'\n')
            .next()?;
        let mut said = str::from_utf8(text).ok()?.split(' ');
        let (name, rank) = (said.next()?, said.next()?);
        let function = functions::named(name).ok()??;
        let rank: usize = rank.parse().ok()?;
        // `jax.vmap` has added dimensions. Where they are not broadcast Python calls again and again.
        let is_batch = frame.results.iter().next()?.extents().len() > rank;
        if is_batch && !function.broadcasts() {
            return None;
        }
        let (mut given, mut results) = (frame.arguments.iter(), frame.results.iter());
        let (mut arrays, mut words) = (std::array::from_fn(|_| None), [""; MAX_ARGUMENTS]);
        for (place, argument) in function.spec.arguments.iter().enumerate() {
            let word = said.next()?;
            arrays[place] = match argument.role {
                Role::Scalar => {
                    words[place] = word;
                    continue;
                }
                _ if argument.is_optional && word == "none" => None,
                Role::In => Some(array(given.next()?, false, stream)?),
                Role::Result => Some(array(results.next()?, true, stream)?),
                Role::InOut | Role::Out => {
                    let (before, after) = (given.next()?, results.next()?);
                    if argument.role == Role::InOut && before.data != after.data {
                        return None;
                    }
                    Some(array(after, true, stream)?)
                }
            };
        }
        Some(Self {
            function,
            arrays,
            words,
        })
    }

    pub fn run(&self, stream: Option<Stream>) -> Result<(), Refusal> {
        let count = self.function.spec.arguments.len();
        let views = self.arrays.each_ref().map(Option::as_ref);
        let views = &views[..count];
        // Wrong arguments are refused before anything is touched, with a message from Python.
        let mut dtypes = Dtypes::default();
        for place in self.function.choosers() {
            let index = self.words[place]
                .strip_prefix('i')
                .and_then(|it| it.parse().ok());
            let chosen = index.and_then(|it| self.function.choose_dtype(place, it, &mut dtypes));
            chosen.ok_or(Refusal::Here)?;
        }
        let checked = self.function.dtypes(views, &mut dtypes);
        checked.map_err(|_| Refusal::Here)?;
        let mut scalars = vec![Scalar::default(); self.function.scalar_count()];
        for (place, argument) in self.function.spec.arguments.iter().enumerate() {
            if argument.role == Role::Scalar {
                let (word, dtype) = (self.words[place], dtypes.of(argument));
                let slot = self.function.slot_of_tuple(place);
                let is_read = if let Some(structure) = dtype.structure() {
                    let bytes = &mut Scalar::bytes_of(&mut scalars[slot..])[..structure.size];
                    struct_bytes(word, bytes)
                } else if argument.items > 0 {
                    items(word, argument.items, dtype, &mut scalars[slot..])
                } else {
                    scalar(word, dtype).map(|it| scalars[place] = it)
                };
                is_read.ok_or(Refusal::Here)?;
            }
        }
        let plan = self.function.plan(views, &scalars, dtypes);
        let plan = plan.map_err(|_| Refusal::Here)?;
        plan.run(views, &scalars, stream).map_err(Refusal::Done)?;
        Ok(())
    }
}

fn array(buffer: &Buffer, writable: bool, stream: Option<Stream>) -> Option<Array> {
    let (address, dtype) = (buffer.data as usize, buffer.dtype()?);
    let extents = buffer.extents();
    let shape = InlineShape::new(extents.len(), |axis| extents[axis] as usize);
    let bytes = shape.bytes(dtype).ok()?;
    let on_gpu = stream.filter(|_| bytes != 0); // an empty array is nowhere
    Some(Array {
        address,
        dtype,
        shape,
        strides: None,
        writable,
        place: match on_gpu {
            Some(_) => Place::Foreign {
                gpu: locate(address, bytes).ok()?,
            },
            None => Place::Host,
        },
        ready: on_gpu,
    })
}

/// A struct from a word: `s`, and two digits for each of its bytes.
fn struct_bytes(word: &str, bytes: &mut [u8]) -> Option<()> {
    let digits = word.strip_prefix('s')?;
    if digits.len() != 2 * bytes.len() {
        return None;
    }
    for (index, byte) in bytes.iter_mut().enumerate() {
        let digits = digits.get(2 * index..2 * index + 2)?;
        *byte = u8::from_str_radix(digits, 16).ok()?;
    }
    Some(())
}

/// A tuple from words between commas.
fn items(words: &str, count: usize, dtype: DType, tuple: &mut [Scalar]) -> Option<()> {
    let items: Option<Vec<_>> = words.split(',').map(|word| scalar(word, dtype)).collect();
    let items = items.filter(|items| items.len() == count)?;
    for (index, item) in items.iter().enumerate() {
        item.put(index, dtype, tuple);
    }
    Some(())
}

/// A number from a word such as `b1`, `i-3`, or `f` or `c` and the bits of one or two `f64`. None
/// where the dtype cannot hold it.
fn scalar(word: &str, dtype: DType) -> Option<Scalar> {
    let (letter, value) = word.split_at_checked(1)?;
    let part = |from: usize| {
        let digits = value.get(from..from + 16)?;
        Some(f64::from_bits(u64::from_str_radix(digits, 16).ok()?))
    };
    let integer: Option<i128> = match letter {
        "b" | "i" => Some(value.parse().ok()?),
        _ => None,
    };
    let real = match (letter, integer) {
        (_, Some(integer)) => integer as f64,
        ("f" | "c", _) => part(0)?,
        _ => return None,
    };
    match dtype.kind() {
        'f' if letter != "c" => Scalar::real(real, dtype),
        'c' if letter == "c" => Scalar::complex(real, part(16)?, dtype),
        'c' => Scalar::complex(real, 0.0, dtype),
        'b' | 'i' | 'u' => Scalar::integer(integer?, dtype),
        _ => None,
    }
}

/// Why a call has not been made here.
enum Refusal {
    /// It is one for the other handler, which also says what is wrong with arguments.
    Here,
    Done(Error),
}
