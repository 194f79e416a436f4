//! What the thread of a call does before the passes, on either side.

use std::format;
use std::sync::{Mutex, PoisonError};

use super::Parameters;
use super::panics::guarded;
use crate::row::{Call, Done, Failure, Status};

/// What `host(call) { … }` has.
pub struct Host<'a>(&'a mut dyn Call);

impl Host<'_> {
    /// Calls `task` with every number below `tasks`, on the threads of the CPU. The first failure ends
    /// it.
    ///
    /// # Errors
    /// That failure, or that the call was interrupted.
    pub fn parallel(&mut self, tasks: usize, task: impl Fn(usize) -> Done + Sync) -> Done {
        let failed = Mutex::new(None);
        let first = || failed.lock().unwrap_or_else(PoisonError::into_inner);
        let run = |index| {
            if first().is_none()
                && let Err(failure) = answer_of(|| task(index))
            {
                first().get_or_insert(failure);
            }
        };
        let done = self.0.parallel(tasks, &run);
        let failed = first().take();
        failed.map_or(done, Err)
    }

    /// Ends the call where Ctrl-C was pressed: for long loops.
    ///
    /// # Errors
    /// Then.
    pub fn check_interrupt(&mut self) -> Done {
        if self.0.interrupted() {
            return Err(Failure::interrupted());
        }
        Ok(())
    }
}

/// What `f` answers, or what stopped it.
fn answer_of(f: impl FnOnce() -> Done) -> Done {
    let mut answer = Ok(());
    guarded(|| answer = f())?;
    answer
}

/// The part of a function that the thread of a call runs.
pub type Body = unsafe fn(&mut Host<'_>, &Parameters<'_>) -> Done;

/// Runs that of a function of this name.
///
/// # Safety
/// The parameters must be those of the function.
#[inline(never)] // few functions have one
pub unsafe fn run(
    host: Body,
    function: &str,
    call: &mut dyn Call,
    parameters: &Parameters,
) -> Done {
    // SAFETY: the caller's.
    let answer = answer_of(|| unsafe { host(&mut Host(call), parameters) });
    answer.map_err(|failure| match failure.status() {
        Status::Interrupted => failure,
        status => Failure::new(status, format!("{function}(): {}", failure.message())),
    })
}
