//! The threads that work on the CPU.

use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result};
use crate::fork;

/// Threads that can work at the same time, the caller's among them.
pub fn count() -> Result<usize> {
    Ok(threads()?.current_num_threads())
}

/// Runs `work` on the threads of this process.
///
/// The threads do not survive a fork, so a forked process starts its own.
pub fn in_parallel<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R> {
    Ok(threads()?.install(work))
}

/// Calls `f` with every item, on this thread and on others. This one begins at once: what is small
/// may be done before another has woken up.
///
/// Every thread has a share of the items: the same one in calls that follow each other, so that it
/// finds in its cache what it left there. Who has finished helps the others.
pub fn share<I>(mut items: I, f: impl Fn(I::Item) + Sync) -> Result<()>
where
    I: ExactSizeIterator<Item: Send>,
{
    let threads = threads()?;
    let count = threads.current_num_threads().min(items.len());
    let size = items.len().div_ceil(count.max(1));
    let take_share = |_| Mutex::new(items.by_ref().take(size).collect::<Vec<_>>().into_iter());
    let shares: Vec<_> = (0..count).map(take_share).collect();
    let work = |thread| {
        for share in shares.iter().cycle().skip(thread).take(count) {
            let next = || share.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some(item) = next() {
                f(item);
            }
        }
    };
    threads.in_place_scope(|scope| {
        for thread in 1..count {
            let work = &work;
            scope.spawn(move |_| work(thread));
        }
        work(0);
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_item_comes_once() {
        for n in [0, 1, 2, 3, 1000] {
            let times: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
            share(times.iter(), |times| {
                times.fetch_add(1, Ordering::Relaxed);
            })
            .unwrap();
            assert!(
                times.into_iter().all(|times| times.into_inner() == 1),
                "{n}"
            );
        }
    }
}
