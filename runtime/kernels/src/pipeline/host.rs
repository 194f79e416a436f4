//! The work of the thread of a call before the passes, on either side.

use std::format;
use std::sync::{Mutex, PoisonError};

use super::Parameters;
use super::panics::outcome_of;
use crate::call::{Call, Done, Failure};
use crate::row::Status;

/// Services for `host(call) { … }`.
pub struct Host<'a, 'b>(&'a mut Call<'b>);

impl Host<'_, '_> {
    /// Calls `task` with every number below `tasks`, on the threads of the CPU. The first failure ends
    /// it.
    ///
    /// # Errors
    /// The failure, or that the call was interrupted.
    pub fn parallel(&mut self, tasks: usize, task: impl Fn(usize) -> Done + Sync) -> Done {
        let failed = Mutex::new(None);
        let first = || failed.lock().unwrap_or_else(PoisonError::into_inner);
        let run = |index| {
            if first().is_none()
                && let Err(failure) = outcome_of(|| task(index))
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

/// The part of a function that the thread of a call runs.
pub type HostBody = unsafe fn(&mut Host<'_, '_>, &Parameters<'_>) -> Done;

/// Runs the body of the function of this name.
///
/// # Safety
/// The parameters must match the function.
#[inline(never)] // few functions have one
pub unsafe fn run_host(
    host: HostBody,
    function: &str,
    call: &mut Call<'_>,
    parameters: &Parameters,
) -> Done {
    // SAFETY: the caller's.
    let done = outcome_of(|| unsafe { host(&mut Host(call), parameters) });
    done.map_err(|failure| match failure.status() {
        Status::Interrupted => failure,
        status => Failure::new(status, format!("{function}(): {}", failure.message())),
    })
}
