//! Calls that may run Python code, and outlive the interpreter.
//!
//! Before 3.14 the interpreter ends a thread that comes back to it while it shuts down: it unwinds the stack,
//! which Rust takes for a fault that ends the process. Here the thread hangs instead, as it does from 3.14 on,
//! and the process ends without it. It hangs right where the call is, because what the callers have on their
//! stacks must not be dropped without the interpreter.
//!
//! pyo3's own methods of that kind are disallowed by this crate's `clippy.toml`. What needs no guard: checks of a
//! class (`cast`, `is_instance_of`), strings, tuples and lists that are made or read, dicts of ours, and borrowed
//! or temporary objects that are dropped while the caller has another reference. Before 3.12 an allocation may
//! collect garbage, and run finalizers; those are not guarded. Nor are the arguments of functions that pyo3 reads
//! itself: what `cuvec/*.py` passes to them are Python's own numbers and strings.

mod extracted;
mod kept;
mod objects;

use std::thread;
use std::time::Duration;

pub use extracted::{integer, integers, pair, tuple};
pub use kept::Kept;
pub use objects::{
    as_float, as_index, attribute, attribute_opt, call, call_method, check_signals, equal, has,
    import, is_instance, is_subclass, is_true, item, length, named, named_opt, text, unraisable,
    value_of, view,
};

/// A function of the interpreter, as one that may unwind. pyo3 declares all of them as functions that do not, and
/// the compiler, where it sees which one is called, believes that.
macro_rules! unwinding {
    ($name:ident($($argument:ty),*) -> $result:ty) => {{
        let function: unsafe extern "C" fn($($argument),*) -> $result =
            std::hint::black_box(pyo3::ffi::$name as _);
        // SAFETY: the same function, of the same arguments.
        unsafe {
            std::mem::transmute::<
                unsafe extern "C" fn($($argument),*) -> $result,
                unsafe extern "C-unwind" fn($($argument),*) -> $result,
            >(function)
        }
    }};
}
use unwinding;

/// Is dropped only where the stack is unwound.
struct HangUnlessReturned;

impl Drop for HangUnlessReturned {
    #[cold]
    fn drop(&mut self) {
        while !thread::panicking() {
            thread::sleep(Duration::from_secs(60 * 60));
        }
    }
}

/// Calls a function of C, one that may unwind, and which may run Python code.
#[inline]
pub fn outlive<R>(call: impl FnOnce() -> R) -> R {
    let guard = HangUnlessReturned;
    let result = call();
    std::mem::forget(guard);
    result
}
