//! Loops of C++, on the threads that Rust works with.

use std::sync::OnceLock;

use host::parallel;

use crate::bridge::Loop;
use crate::error::{Error, Result, call};

// SAFETY: a `Loop` says that its body may be called on several threads at once.
unsafe impl Sync for Loop {}

/// Calls for each thread, so that none waits long for the slowest.
const PARTS_PER_THREAD: usize = 4;

/// Calls `body` with parts of `0..count`. After an error no other part is begun.
pub fn in_parallel(count: usize, body: &Loop) -> Result<()> {
    call(|| {
        let parts = PARTS_PER_THREAD * parallel::count();
        let step = count.div_ceil(parts).max(1);
        let error = OnceLock::new();
        parallel::share(count.div_ceil(step), |part| {
            if error.get().is_none()
                && let Err(raised) = body.run(part * step, count.min((part + 1) * step))
            {
                let _ = error.set(raised); // the first is the one that is raised
            }
        });
        error
            .into_inner()
            .map_or(Ok(()), |raised| Err(Error::from(raised)))
    })
}
