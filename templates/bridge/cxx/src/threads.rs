//! Loops of C++, on the threads that Rust works with.

use rayon::prelude::*;

use crate::bridge::Loop;
use crate::error::{Error, Result, call};

// SAFETY: a `Loop` says that its body may be called on several threads at once.
unsafe impl Sync for Loop {}

/// Calls for each thread, so that none waits long for the slowest.
const PARTS_PER_THREAD: usize = 4;

pub fn in_parallel(count: usize, body: &Loop) -> Result<()> {
    call(|| {
        host::parallel::in_parallel(|| {
            let parts = PARTS_PER_THREAD * rayon::current_num_threads();
            let step = count.div_ceil(parts).max(1);
            (0..count.div_ceil(step))
                .into_par_iter()
                .try_for_each(|part| body.run(part * step, count.min((part + 1) * step)))
        })?
        .map_err(Error::from)
    })
}
