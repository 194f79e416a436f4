//! The threads that work on the CPU.

use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result};
use crate::fork;

/// Runs `work` on the threads of this process.
///
/// The threads do not survive a fork, so a forked process starts its own.
pub fn in_parallel<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R> {
    Ok(threads()?.install(work))
}

/// Calls `f` with every item, on this thread and on others. This one begins at once: what is small
/// may be done before another has woken up.
pub fn share<I>(items: I, f: impl Fn(I::Item) + Sync) -> Result<()>
where
    I: ExactSizeIterator<Item: Send> + Send,
{
    let threads = threads()?;
    let helpers = threads
        .current_num_threads()
        .min(items.len())
        .saturating_sub(1);
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(item) = next() {
            f(item);
        }
    };
    threads.in_place_scope(|scope| {
        for _ in 0..helpers {
            scope.spawn(|_| work());
        }
        work();
    });
    Ok(())
}

/// The threads of this process.
fn threads() -> Result<&'static ThreadPool> {
    static POOL: Mutex<Option<(usize, &'static ThreadPool)>> = Mutex::new(None);
    let mut slot = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let generation = fork::generation();
    match *slot {
        Some((made_in, pool)) if made_in == generation => Ok(pool),
        _ => {
            let pool = ThreadPoolBuilder::new().build();
            let pool = pool.map_err(|error| Error::Unavailable(error.to_string()))?;
            let pool: &'static ThreadPool = Box::leak(Box::new(pool));
            *slot = Some((generation, pool));
            Ok(pool)
        }
    }
}
