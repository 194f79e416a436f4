//! Runs a body: what the core provides to it, and what its status means.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Arc;
use std::{ptr, slice};

use cuvec_spec::{Status, Value, c};

use crate::error::{Error, Kind, Result};
use crate::interrupt::Watch;
use crate::memory::Block;
use crate::parallel;
use crate::retained::Kept;

/// Services of a backend for a body.
pub(super) trait Provider {
    /// The stream of the call, as a `CUstream`; null on the CPU.
    fn stream(&self) -> *mut c_void;

    /// The GPU's index in CUDA; of no meaning on the CPU.
    fn gpu(&self) -> i32;

    /// Where kernels report to, in memory of the GPU; null on the CPU.
    fn report(&self) -> *mut c::ReportSlot;

    /// Memory until the call is done, on the side that the body runs on, aligned for any element.
    fn scratch(&mut self, bytes: usize) -> Result<*mut c_void>;

    /// Another body runs, after what was started with the memory that there is.
    fn reuse_scratch(&mut self);

    fn watch(&mut self) -> &mut Watch;

    /// Object that a method works on, or a constructor has made.
    fn object(&mut self) -> &mut *mut c_void;

    /// Memory that outlives the call, on the side that the body runs on.
    fn allocate(&mut self, bytes: usize) -> Result<Arc<Block>>;

    /// Keeps something until the call is done.
    fn keep(&mut self, kept: Kept);

    /// The body adds to the array at this address, which it has set to zeros.
    fn adds_to(&mut self, array: usize);

    /// Launches a kernel on the call's stream.
    ///
    /// # Safety
    /// The parameters must match the kernel, and lead to memory that it may use.
    unsafe fn launch(&mut self, launch: &c::Launch) -> Result<()>;

    /// Runs another function of the package.
    ///
    /// # Safety
    /// Arrays must be memory of this side, and scalars of the host.
    unsafe fn run(&mut self, function: &str, operands: &[c::Operand]) -> Result<()>;
}

/// Call that a body gets: the part that C knows, followed by the backend's own.
#[repr(C)]
struct Provided<'a, P> {
    call: c::Call,
    provider: &'a mut P,
}

/// Runs a body.
///
/// # Errors
/// Error by its status and its message.
///
/// # Safety
/// The values must be as the declaration says, and addressed on the side of the provider.
pub(super) unsafe fn run<P: Provider>(
    body: Option<c::Body>,
    provider: &mut P,
    values: &[Value],
) -> Result<()> {
    // SAFETY: the caller's.
    unsafe { run_walk(body, provider, values, ptr::null()) }
}

/// The same with a walk, which may be null.
///
/// # Errors
/// As for [`run`].
///
/// # Safety
/// As for [`run`]; the body takes a walk, which leads to no element that arrays have not.
pub(super) unsafe fn run_walk<P: Provider>(
    body: Option<c::Body>,
    provider: &mut P,
    values: &[Value],
    walk: *const c::Walk,
) -> Result<()> {
    let Some(body) = body else {
        return Err(built_without_cuda());
    };
    // SAFETY: the caller's.
    unsafe {
        run_with(provider, |call| {
            (*call).walk = walk;
            body(call, values.as_ptr())
        })
    }
}

/// Runs what `enter` calls with the call of a body.
///
/// # Errors
/// Error by its status and its message.
///
/// # Safety
/// A message that is written must end with a null.
pub(super) unsafe fn run_with<P: Provider>(
    provider: &mut P,
    enter: impl FnOnce(*mut c::Call) -> c_int,
) -> Result<()> {
    let mut provided = Provided {
        call: c::Call {
            stream: provider.stream(),
            report: provider.report(),
            gpu: provider.gpu(),
            scratch: scratch::<P>,
            parallel: parallel::<P>,
            interrupted: interrupted::<P>,
            launch: launch::<P>,
            error: c::Call::no_error(),
            object: *provider.object(),
            allocate: allocate::<P>,
            release,
            keep: keep::<P>,
            adds_to: adds_to::<P>,
            run: run_part::<P>,
            walk: ptr::null(),
        },
        provider,
    };
    let code = enter((&raw mut provided).cast());
    *provided.provider.object() = provided.call.object;
    match code {
        0 => Ok(()),
        // SAFETY: the caller's.
        code => Err(unsafe { failure(code, &provided.call) }),
    }
}

#[cold]
fn built_without_cuda() -> Error {
    Kind::Kernel("the function was built without CUDA".to_owned()).into()
}

/// # Safety
/// As for [`run_with`].
#[cold]
unsafe fn failure(code: c_int, call: &c::Call) -> Error {
    // SAFETY: the caller's.
    let message = unsafe { call.message() };
    match Status::of(code) {
        Some(Status::Type) => Kind::Type(message),
        Some(Status::Value) => Kind::Value(message),
        Some(Status::Overflow) => Kind::Overflow(message),
        Some(Status::Memory) => Kind::Scratch(message),
        Some(Status::Interrupted) => Kind::Interrupted,
        Some(Status::Runtime) | None => Kind::Kernel(message),
    }
    .into()
}

/// # Safety
/// `call` must be the part of a `Provided` of this provider, in all of them; bodies have no other.
unsafe extern "C" fn scratch<P: Provider>(call: *mut c::Call, bytes: usize) -> *mut c_void {
    // SAFETY: the caller's.
    let provided = unsafe { &mut *call.cast::<Provided<'_, P>>() };
    // Whatever the reason: the body says that memory is what it has not got.
    provided.provider.scratch(bytes).unwrap_or(ptr::null_mut())
}

unsafe extern "C" fn parallel<P: Provider>(
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
    let provided = unsafe { &mut *call.cast::<Provided<'_, P>>() };
    let watch = provided.provider.watch();
    let context = Context(context);
    // SAFETY: the body's own task.
    let run = |index: usize| unsafe { task(context.get(), index as i64) };
    let tasks = usize::try_from(tasks).unwrap_or(0);
    parallel::run(tasks, || watch.interrupted(), run).into()
}

unsafe extern "C" fn interrupted<P: Provider>(call: *mut c::Call) -> c_int {
    // SAFETY: the caller's.
    let provided = unsafe { &mut *call.cast::<Provided<'_, P>>() };
    provided.provider.watch().interrupted().into()
}

unsafe extern "C" fn allocate<P: Provider>(
    call: *mut c::Call,
    bytes: usize,
    owner: *mut *mut c_void,
) -> *mut c_void {
    // SAFETY: the caller's.
    let provided = unsafe { &mut *call.cast::<Provided<'_, P>>() };
    let Ok(block) = provided.provider.allocate(bytes) else {
        return ptr::null_mut(); // as for `scratch`
    };
    let address = block.address();
    // SAFETY: the body's own place.
    unsafe { *owner = Arc::into_raw(block).cast_mut().cast() };
    address as *mut c_void
}

/// # Safety
/// An owner that `allocate` has set, once.
unsafe extern "C" fn release(owner: *mut c_void) {
    // SAFETY: the caller's.
    drop(unsafe { Arc::from_raw(owner.cast_const().cast::<Block>()) });
}

/// # Safety
/// As for `scratch`, and `end` is for the thing.
unsafe extern "C" fn keep<P: Provider>(call: *mut c::Call, thing: *mut c_void, end: c::End) {
    // SAFETY: the caller's, for both.
    unsafe {
        let provided = &mut *call.cast::<Provided<'_, P>>();
        provided.provider.keep(Kept::new(thing, end));
    }
}

unsafe extern "C" fn adds_to<P: Provider>(call: *mut c::Call, array: *const c_void) {
    // SAFETY: the core's call, of this provider.
    let provided = unsafe { &mut *call.cast::<Provided<'_, P>>() };
    provided.provider.adds_to(array as usize);
}

/// # Safety
/// As for `scratch`; the name is a string of C, there are so many operands, and their arrays are memory of the body's side.
unsafe extern "C" fn run_part<P: Provider>(
    call: *mut c::Call,
    function: *const c_char,
    operands: *const c::Operand,
    n: i32,
) -> c_int {
    // SAFETY: the caller's, for all three.
    let (provided, function, operands) = unsafe {
        let count = usize::try_from(n).unwrap_or(0);
        let operands = if count == 0 {
            &[]
        } else {
            slice::from_raw_parts(operands, count)
        };
        let function = CStr::from_ptr(function).to_string_lossy();
        (&mut *call.cast::<Provided<'_, P>>(), function, operands)
    };
    // SAFETY: the caller's.
    match unsafe { provided.provider.run(&function, operands) } {
        Ok(()) => 0,
        Err(error) => provided.call.fail(status_of(&error), &error.to_string()),
    }
}

unsafe extern "C" fn launch<P: Provider>(call: *mut c::Call, launch: *const c::Launch) -> c_int {
    // SAFETY: the caller's, and the body's own launch.
    let (provided, launch) = unsafe { (&mut *call.cast::<Provided<'_, P>>(), &*launch) };
    // SAFETY: as the body says.
    match unsafe { provided.provider.launch(launch) } {
        Ok(()) => 0,
        Err(error) => provided.call.fail(status_of(&error), &error.to_string()),
    }
}

/// Returns a body's status for an error that the core has met while the body used it.
fn status_of(error: &Error) -> Status {
    match error.kind() {
        Kind::Type(_) => Status::Type,
        Kind::Value(_) => Status::Value,
        Kind::Overflow(_) => Status::Overflow,
        Kind::Memory { .. } | Kind::Scratch(_) => Status::Memory,
        Kind::Interrupted => Status::Interrupted,
        _ => Status::Runtime,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Provider of a body that does nothing.
    struct Nothing(Watch, *mut c_void);

    impl Provider for Nothing {
        fn stream(&self) -> *mut c_void {
            ptr::null_mut()
        }

        fn gpu(&self) -> i32 {
            0
        }

        fn report(&self) -> *mut c::ReportSlot {
            ptr::null_mut()
        }

        fn scratch(&mut self, _: usize) -> Result<*mut c_void> {
            Err(Kind::Interrupted.into())
        }

        fn reuse_scratch(&mut self) {}

        fn watch(&mut self) -> &mut Watch {
            &mut self.0
        }

        fn object(&mut self) -> &mut *mut c_void {
            &mut self.1
        }

        fn allocate(&mut self, _: usize) -> Result<Arc<Block>> {
            Err(Kind::Interrupted.into())
        }

        fn keep(&mut self, _: Kept) {}

        fn adds_to(&mut self, _: usize) {}

        unsafe fn launch(&mut self, _: &c::Launch) -> Result<()> {
            Err(Kind::Unavailable("no ü".repeat(300)).into())
        }

        unsafe fn run(&mut self, _: &str, _: &[c::Operand]) -> Result<()> {
            unreachable!("no body here calls another function");
        }
    }

    fn outcome(enter: impl FnOnce(*mut c::Call) -> c_int) -> Result<()> {
        // SAFETY: messages are written by `fail`.
        unsafe { run_with(&mut Nothing(Watch::default(), ptr::null_mut()), enter) }
    }

    #[test]
    fn statuses_become_errors_of_their_kind() {
        for (status, kind) in [
            (Status::Type, Kind::Type("no".to_owned())),
            (Status::Value, Kind::Value("no".to_owned())),
            (Status::Overflow, Kind::Overflow("no".to_owned())),
            (Status::Memory, Kind::Scratch("no".to_owned())),
            (Status::Runtime, Kind::Kernel("no".to_owned())),
            (Status::Interrupted, Kind::Interrupted),
        ] {
            // SAFETY: the call of this run.
            let failed = outcome(|call| unsafe { (*call).fail(status, "no") });
            assert_eq!(failed, Err(kind.into()));
        }
        assert_eq!(outcome(|_| 0), Ok(()));
    }

    #[test]
    fn errors_that_a_body_meets_in_the_core_keep_their_kind() {
        let text = || "no".to_owned();
        for kind in [
            Kind::Type(text()),
            Kind::Value(text()),
            Kind::Overflow(text()),
            Kind::Scratch(text()),
            Kind::Kernel(text()),
            Kind::Interrupted,
        ] {
            let error = Error::from(kind);
            // SAFETY: the call of this run.
            let failed = outcome(|call| unsafe { (*call).fail(status_of(&error), "no") });
            assert_eq!(failed, Err(error));
        }
        let kind = Kind::Memory {
            bytes: 8,
            kind: "host",
        };
        assert_eq!(status_of(&kind.into()), Status::Memory);
    }

    #[test]
    fn long_messages_end_between_letters() {
        let kernel = c::Launch {
            kernel: ptr::null(),
            blocks: [1; 3],
            threads: [1; 3],
            shared: 0,
            bytes: 0,
            parameters: ptr::null(),
        };
        // SAFETY: the call of this run, and `Nothing` does not look at the launch.
        let failed = outcome(|call| unsafe { ((*call).launch)(call, &raw const kernel) });
        let message = failed.unwrap_err().to_string();
        assert!(message.starts_with("no üno ü") && message.len() >= c::MAX_ERROR - 4);
        assert!(message.is_char_boundary(message.len()) && !message.contains('\u{fffd}'));
    }
}
