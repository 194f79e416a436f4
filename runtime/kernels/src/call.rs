//! The call of a body, as the core provides it, and how a body fails.

use core::ffi::{c_int, c_void};
use core::marker::PhantomData;
use std::boxed::Box;
use std::string::String;

use cuvec_spec::{Status, c};

/// Why a body has ended early. It is a pointer, so that what goes well is returned in a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(Box<Why>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Why {
    status: Status,
    message: String,
}

/// The outcome of a body.
pub type Done = Result<(), Failure>;

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

/// Memory of the core's that outlives the call.
pub struct Memory {
    pub start: *mut c_void,
    owner: *mut c_void,
    release: c::End,
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the core's own function, with what it has returned.
        unsafe { (self.release)(self.owner) };
    }
}

/// Services of the core, for as long as the call lasts.
pub struct Call<'a> {
    row: *mut c::Call,
    core: PhantomData<&'a mut c::Call>,
}

impl Call<'_> {
    /// # Safety
    /// It must be the call of a body, which lasts.
    pub unsafe fn new(row: *mut c::Call) -> Self {
        Self {
            row,
            core: PhantomData,
        }
    }

    /// Memory until the call is done, on the side that the body runs on, aligned for any element.
    /// Its contents are undefined.
    ///
    /// # Errors
    /// When there is not so much.
    pub fn scratch(&mut self, bytes: usize) -> Result<*mut c_void, Failure> {
        // SAFETY: the core's own function, with its call.
        let memory = unsafe { ((*self.row).scratch)(self.row, bytes) };
        if memory.is_null() {
            let message = std::format!("cannot allocate {bytes} bytes of scratch memory");
            return Err(Failure::new(Status::Memory, message));
        }
        Ok(memory)
    }

    /// Memory of an object, on the side that the body runs on. Its contents are undefined.
    ///
    /// # Errors
    /// When there is not so much.
    pub fn allocate(&mut self, bytes: usize) -> Result<Memory, Failure> {
        let mut owner = core::ptr::null_mut();
        // SAFETY: the core's own functions, with its call.
        let (start, release) = unsafe {
            let row = self.row;
            (((*row).allocate)(row, bytes, &mut owner), (*row).release)
        };
        if start.is_null() {
            let message = std::format!("cannot allocate {bytes} bytes");
            return Err(Failure::new(Status::Memory, message));
        }
        Ok(Memory {
            start,
            owner,
            release,
        })
    }

    /// Returns the object that a method works on.
    #[must_use]
    pub fn object(&self) -> *mut c_void {
        // SAFETY: the core's.
        unsafe { (*self.row).object }
    }

    /// Says what a constructor has made.
    pub fn set_object(&mut self, object: *mut c_void) {
        // SAFETY: the core's call, which this thread has for the time of the body.
        unsafe { (*self.row).object = object };
    }

    /// Calls `task(0)` to `task(tasks - 1)` on the threads of the CPU. Tasks do not panic.
    ///
    /// # Errors
    /// When the call was interrupted: some tasks have not run then.
    pub fn parallel<F: Fn(usize) + Sync>(&mut self, tasks: usize, task: &F) -> Done {
        unsafe extern "C" fn run<F: Fn(usize) + Sync>(task: *mut c_void, index: i64) {
            // SAFETY: the task below, which lives.
            unsafe { (*task.cast::<F>())(index as usize) }
        }
        let task = core::ptr::from_ref(task).cast_mut().cast();
        // SAFETY: the core's call; it is over with the tasks when it returns.
        match unsafe { ((*self.row).parallel)(self.row, tasks as i64, run::<F>, task) } {
            0 => Ok(()),
            _ => Err(Failure::interrupted()),
        }
    }

    /// Where the body finds elements, if arrays are not all as they are declared.
    #[must_use]
    pub fn walk(&self) -> Option<c::Walk> {
        // SAFETY: the core's, as long as the call lasts.
        unsafe { (*self.row).walk.as_ref().copied() }
    }

    /// Checks whether the call is to end: Ctrl-C.
    pub fn interrupted(&mut self) -> bool {
        // SAFETY: the core's call, on its thread.
        unsafe { ((*self.row).interrupted)(self.row) != 0 }
    }

    /// Launches a kernel on the call's stream.
    ///
    /// # Safety
    /// The parameters must match the kernel, and lead to memory that it may use.
    ///
    /// # Errors
    /// Errors of CUDA.
    pub unsafe fn launch(&mut self, launch: &c::Launch) -> Done {
        // SAFETY: the caller's.
        let code = unsafe { ((*self.row).launch)(self.row, launch) };
        match Status::of(code) {
            None => Ok(()),
            // SAFETY: the core has written a message.
            Some(status) => Err(Failure::new(status, unsafe { (*self.row).message() })),
        }
    }

    /// Tells the core that kernels add to an array, which is set to zeros.
    pub fn adds_to(&mut self, array: *const u8) {
        // SAFETY: a live call.
        unsafe { ((*self.row).adds_to)(self.row, array.cast()) }
    }

    /// Tells the core of the outcome.
    pub fn end(&mut self, done: Done) -> c_int {
        match done {
            Ok(()) => 0,
            // SAFETY: the core's call, whose message is this body's to write.
            Err(failure) => unsafe { (*self.row).fail(failure.status(), failure.message()) },
        }
    }
}
