//! What runs a function: bodies, and what a host lends to them.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::slice;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::c;

/// What a body receives for each argument, scalars and results too; `cuvec_value` in C.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// An array's elements, or where a scalar of the declared dtype is.
    pub data: *mut c_void,
    /// Of an array, as many as its rank.
    pub shape: *const i64,
    /// Elements.
    pub size: i64,
}

impl Value {
    /// The extents of an array of this rank.
    ///
    /// # Safety
    /// The value must be an array of this rank, and the call not be over.
    #[must_use]
    pub unsafe fn extents<'a>(&self, rank: usize) -> &'a [i64] {
        match rank {
            0 => &[],
            // SAFETY: the caller's.
            _ => unsafe { slice::from_raw_parts(self.shape, rank) },
        }
    }

    /// A scalar.
    ///
    /// # Safety
    /// The value must be a scalar of the dtype that `T` stands for.
    #[must_use]
    pub unsafe fn scalar<T: Copy>(&self) -> T {
        // SAFETY: the caller's.
        unsafe { *self.data.cast::<T>() }
    }
}

/// Python's exception that a failure becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Type,
    Value,
    Overflow,
    Memory,
    Runtime,
    /// A signal's handler has raised: the exception is set already.
    Interrupted,
}

/// Why a body has ended early. It is a pointer, so that what goes well is returned in a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(Box<Why>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Why {
    status: Status,
    message: String,
}

impl Failure {
    #[cold]
    #[must_use]
    pub fn new(status: Status, message: impl Into<String>) -> Self {
        let message = message.into();
        Self(Box::new(Why { status, message }))
    }

    #[must_use]
    pub fn interrupted() -> Self {
        Self::new(Status::Interrupted, "")
    }

    #[must_use]
    pub fn status(&self) -> Status {
        self.0.status
    }

    /// Empty for `Interrupted`.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

/// A kernel of the image that the host has loaded.
#[derive(Debug)]
pub struct Kernel {
    pub name: &'static str,
    found: [AtomicUsize; 16],
}

impl Kernel {
    #[must_use]
    pub const fn named(name: &'static str) -> Self {
        Self {
            name,
            found: [const { AtomicUsize::new(0) }; 16],
        }
    }

    /// What the host has found for it on this GPU; 0 before that.
    #[must_use]
    pub fn found(&self, gpu: usize) -> usize {
        let found = self.found.get(gpu);
        found.map_or(0, |found| found.load(Ordering::Relaxed))
    }

    /// Keeps what the host has found, so that it need not look again.
    pub fn keep(&self, gpu: usize, found: usize) {
        if let Some(place) = self.found.get(gpu) {
            place.store(found, Ordering::Relaxed);
        }
    }
}

/// A launch of a kernel.
#[derive(Debug)]
pub struct Launch<'a> {
    pub kernel: &'static Kernel,
    pub blocks: [u32; 3],
    pub threads: [u32; 3],
    /// Bytes of dynamic shared memory of a block.
    pub shared: u32,
    /// As the kernel has them in its memory: one behind the other, each at a multiple of its alignment.
    pub parameters: &'a [MaybeUninit<u8>],
}

/// What a host lends to a body, until the call is done.
pub trait Call {
    /// The stream of the call, as a `CUstream`; null on the CPU.
    fn stream(&self) -> *mut c_void;

    /// The GPU's number, as CUDA counts them; of no meaning on the CPU.
    fn gpu(&self) -> i32;

    /// Memory until the call is done, on the side that the body runs on, aligned for any element.
    /// Its contents are undefined.
    ///
    /// # Errors
    /// When there is not so much.
    fn scratch(&mut self, bytes: usize) -> Result<*mut c_void, Failure>;

    /// Calls `task(0)` to `task(tasks - 1)` on the threads of the CPU.
    ///
    /// # Errors
    /// When the call was interrupted: some tasks have not run then.
    fn parallel(&mut self, tasks: usize, task: &(dyn Fn(usize) + Sync)) -> Result<(), Failure>;

    /// Whether the call is to end: Ctrl-C.
    fn interrupted(&mut self) -> bool;

    /// Launches a kernel on the call's stream.
    ///
    /// # Safety
    /// The parameters must be those of the kernel, and lead to memory that it may use.
    ///
    /// # Errors
    /// What CUDA says.
    unsafe fn launch(&mut self, launch: Launch<'_>) -> Result<(), Failure>;
}

/// Runs a function, with a value for each argument in the order of the declaration.
///
/// # Safety
/// The values must be as the declaration says, and addressed on the side that the body runs on.
pub type Body = unsafe fn(&mut dyn Call, &[Value]) -> Result<(), Failure>;

/// A function in Rust for one choice of dtypes.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    pub cpu: Body,
    pub gpu: Body,
}

/// The bodies of a function: one for each choice of dtypes, the last variable's changing fastest.
#[derive(Clone, Copy, Debug)]
pub enum Variants {
    C(&'static [c::Variant]),
    Rust(&'static [Variant]),
}
