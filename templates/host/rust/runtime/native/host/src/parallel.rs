//! The threads that work on the CPU: the caller's, and helpers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, Yield};

use crate::fork::{self, PerProcess};

/// How long a thread looks for the next call, or for the end of this one, before it sleeps: calls
/// that follow each other find it awake. To be woken takes about as long.
const PATIENCE: Duration = Duration::from_micros(50);

/// Threads that can work at the same time, the caller's among them.
pub fn count() -> usize {
    1 + helpers().map_or(0, ThreadPool::current_num_threads)
}

/// Calls `f` with every item, on this thread and on others. This one begins at once: what is small
/// may be done before another has woken up.
///
/// Every thread has a share of the items: the same one in calls that follow each other, so that it
/// finds in its cache what it left there. Who has finished helps the others.
pub fn share<I>(mut items: I, f: impl Fn(I::Item) + Sync)
where
    I: ExactSizeIterator<Item: Send>,
{
    let helpers = helpers();
    let threads = 1 + helpers.map_or(0, ThreadPool::current_num_threads);
    let count = threads.min(items.len());
    let size = items.len().div_ceil(count.max(1));
    let take_share = |_| Mutex::new(items.by_ref().take(size).collect::<Vec<_>>().into_iter());
    let shares: Vec<_> = (0..count).map(take_share).collect();
    let work = |first| {
        for share in shares.iter().cycle().skip(first).take(count) {
            let next = || share.lock().unwrap_or_else(PoisonError::into_inner).next();
            while let Some(item) = next() {
                f(item);
            }
        }
    };
    let Some(helpers) = helpers.filter(|_| count > 1) else {
        return work(0);
    };
    let helping = AtomicUsize::new(count - 1);
    helpers.in_place_scope(|scope| {
        for _ in 1..count {
            scope.spawn(|_| {
                work(1 + rayon::current_thread_index().unwrap_or(0));
                rayon::spawn(|| look_for(|| rayon::yield_now() == Some(Yield::Executed)));
                helping.fetch_sub(1, Ordering::Release);
            });
        }
        work(0);
        look_for(|| helping.load(Ordering::Acquire) == 0);
    });
}

/// Waits until something holds, or patience ends; other threads of the machine go first.
fn look_for(condition: impl Fn() -> bool) {
    let begin = Instant::now();
    while !condition() && begin.elapsed() < PATIENCE {
        thread::yield_now();
    }
}

/// One thread for each processor but the caller's, or as many as the system gives.
///
/// They do not survive a fork, so a forked process starts its own.
fn helpers() -> Option<&'static ThreadPool> {
    static POOL: PerProcess<Option<ThreadPool>> = PerProcess::new();
    // Where the system gives no thread, this call is done without, and the next one asks again.
    POOL.get_or_make(|_| start()).ok()?.as_ref()
}

fn start() -> Result<Option<ThreadPool>, ThreadPoolBuildError> {
    let others = thread::available_parallelism().map_or(0, |processors| processors.get() - 1);
    if others == 0 {
        return Ok(None);
    }
    // What Rayon makes for all of its pools when a thread first looks for work is not to be half
    // made in a forked process either.
    let _whole = fork::hold_off();
    let pool = start_some(others)?;
    pool.broadcast(|_| ()); // they have looked for work
    Ok(Some(pool))
}

/// Starts so many threads, or fewer if the system has no more.
fn start_some(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    match ThreadPoolBuilder::new().num_threads(threads).build() {
        Err(_) if threads > 1 => start_some(threads / 2),
        pool => pool,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_comes_once() {
        for n in [0, 1, 2, 3, 1000] {
            let times: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
            share(times.iter(), |times| {
                times.fetch_add(1, Ordering::Relaxed);
            });
            assert!(
                times.into_iter().all(|times| times.into_inner() == 1),
                "{n}"
            );
        }
    }

    #[test]
    fn all_threads_work_at_the_same_time() {
        let count = count();
        for _ in 0..100 {
            let here = AtomicUsize::new(0);
            let begin = Instant::now();
            share(0..count, |_| {
                here.fetch_add(1, Ordering::Relaxed);
                while here.load(Ordering::Relaxed) < count {
                    assert!(
                        begin.elapsed() < Duration::from_secs(60),
                        "{here:?} of {count}"
                    );
                    thread::yield_now();
                }
            });
        }
    }
}
