//! Bodies of functions, in Rust and in C.

use std::ffi::{c_int, c_void};
use std::ptr;

use declared::{Call, Failure, Status, Value, Variants, c};

/// Where a body works.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Cpu,
    Gpu,
}

/// Runs the body of a variant.
///
/// # Safety
/// The values must be as the declaration says, and addressed on that side.
pub(super) unsafe fn run(
    variants: Variants,
    index: usize,
    side: Side,
    call: &mut dyn Call,
    values: &[Value],
) -> Result<(), Failure> {
    // SAFETY: the caller's.
    match (variants, side) {
        (Variants::Rust(variants), Side::Cpu) => unsafe { (variants[index].cpu)(call, values) },
        (Variants::Rust(variants), Side::Gpu) => unsafe { (variants[index].gpu)(call, values) },
        (Variants::C(variants), Side::Cpu) => unsafe { run_c(variants[index].cpu, call, values) },
        (Variants::C(variants), Side::Gpu) => unsafe { run_c(variants[index].gpu, call, values) },
    }
}

/// What a body in C gets: its own part, and behind it what Rust lends.
#[repr(C)]
struct Lent<'a> {
    row: c::Call,
    call: &'a mut dyn Call,
    /// Why tasks have not run, which C cannot say.
    not_run: Option<Failure>,
}

unsafe fn run_c(
    body: Option<c::Body>,
    call: &mut dyn Call,
    values: &[Value],
) -> Result<(), Failure> {
    let Some(body) = body else {
        return Err(Failure::new(
            Status::Runtime,
            "the function was built without CUDA",
        ));
    };
    let mut lent = Lent {
        row: c::Call {
            stream: call.stream(),
            gpu: call.gpu(),
            scratch,
            parallel,
            interrupted,
            error: c::Call::no_error(),
        },
        call,
        not_run: None,
    };
    // SAFETY: the caller's; the functions below know what is behind their part.
    let code = unsafe { body((&raw mut lent).cast(), values.as_ptr()) };
    let Some(status) = c::status(code) else {
        return Ok(());
    };
    if status == Status::Interrupted
        && let Some(failure) = lent.not_run
    {
        return Err(failure);
    }
    // SAFETY: the body has written a text of C, or nothing.
    Err(Failure::new(status, unsafe { lent.row.message() }))
}

/// # Safety
/// `call` must be the part of a `Lent`, in all three; bodies have no other.
unsafe extern "C" fn scratch(call: *mut c::Call, bytes: usize) -> *mut c_void {
    // SAFETY: the caller's.
    let lent = unsafe { &mut *call.cast::<Lent<'_>>() };
    // Whatever the reason: the body says that memory is what it has not got.
    lent.call.scratch(bytes).unwrap_or(ptr::null_mut())
}

unsafe extern "C" fn parallel(
    call: *mut c::Call,
    tasks: i64,
    task: c::Task,
    context: *mut c_void,
) -> c_int {
    struct Context(*mut c_void);
    // SAFETY: the body says that its tasks may run at the same time.
    unsafe impl Sync for Context {}
    impl Context {
        fn get(&self) -> *mut c_void {
            self.0
        }
    }

    // SAFETY: the caller's.
    let lent = unsafe { &mut *call.cast::<Lent<'_>>() };
    let context = Context(context);
    // SAFETY: the body's own task.
    let run = |index: usize| unsafe { task(context.get(), index as i64) };
    match lent
        .call
        .parallel(usize::try_from(tasks).unwrap_or(0), &run)
    {
        Ok(()) => 0,
        Err(failure) => {
            lent.not_run = Some(failure);
            1
        }
    }
}

unsafe extern "C" fn interrupted(call: *mut c::Call) -> c_int {
    // SAFETY: the caller's.
    let lent = unsafe { &mut *call.cast::<Lent<'_>>() };
    lent.call.interrupted().into()
}
