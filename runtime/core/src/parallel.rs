//! The threads that work on the CPU: the caller's, and helpers.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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

/// Calls `f` with every number below `count`, on this thread and on others. This one begins at
/// once: what is small may be done before another has woken up.
///
/// Every thread has a share of the numbers: the same one in calls that follow each other, so that
/// it finds in its cache what it left there. Who has finished helps the others.
pub fn share(count: usize, f: impl Fn(usize) + Sync) {
    share_until(count, || false, f);
}

/// As [`share`], until `stop` says so, which this thread asks before each of its numbers. Returns
/// whether it did; then some numbers have been left out.
pub fn share_until(count: usize, mut stop: impl FnMut() -> bool, f: impl Fn(usize) + Sync) -> bool {
    let helpers = helpers();
    let threads = (1 + helpers.map_or(0, ThreadPool::current_num_threads)).min(count);
    let size = count.div_ceil(threads.max(1));
    let shares: Vec<Share> = (0..threads)
        .map(|index| Share::new(index * size, count.min((index + 1) * size)))
        .collect();
    let stopped = AtomicBool::new(false);
    let work = |first, stop: &mut dyn FnMut() -> bool| {
        for share in shares.iter().cycle().skip(first).take(threads) {
            loop {
                if stop() {
                    return;
                }
                let Some(number) = share.take() else { break };
                f(number);
            }
        }
    };
    let mut stop = || {
        let stops = stop();
        if stops {
            stopped.store(true, Ordering::Relaxed);
        }
        stops
    };
    let Some(helpers) = helpers.filter(|_| threads > 1) else {
        work(0, &mut stop);
        return stopped.into_inner();
    };
    let helping = AtomicUsize::new(threads - 1);
    helpers.in_place_scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|_| {
                let first = 1 + rayon::current_thread_index().unwrap_or(0);
                work(first, &mut || stopped.load(Ordering::Relaxed));
                rayon::spawn(|| look_for(|| rayon::yield_now() == Some(Yield::Executed)));
                helping.fetch_sub(1, Ordering::Release);
            });
        }
        work(0, &mut stop);
        look_for(|| helping.load(Ordering::Acquire) == 0);
    });
    stopped.into_inner()
}

/// Consecutive numbers, taken one by one. Each has a cache line of its own.
#[repr(align(64))]
struct Share {
    next: AtomicUsize,
    end: usize,
}

impl Share {
    fn new(begin: usize, end: usize) -> Self {
        Self {
            next: AtomicUsize::new(begin),
            end,
        }
    }

    fn take(&self) -> Option<usize> {
        // Relaxed: what a number stands for is shared by the scope. Each thread takes at most one
        // number too many, so it does not wrap.
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.end).then_some(number)
    }
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
    fn every_number_comes_once() {
        for n in [0, 1, 2, 3, 1000] {
            let times: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
            share(n, |number| {
                times[number].fetch_add(1, Ordering::Relaxed);
            });
            assert!(
                times.into_iter().all(|times| times.into_inner() == 1),
                "{n}"
            );
        }
    }

    #[test]
    fn what_is_stopped_ends_early_and_says_so() {
        let done = AtomicUsize::new(0);
        let count = |_| {
            done.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_micros(10));
        };
        let mut asked = 0;
        let stop = || {
            asked += 1;
            asked > 3
        };
        assert!(share_until(1_000_000, stop, count));
        assert!(done.into_inner() < 1_000_000);
        assert!(!share_until(3, || false, |_| {}));
    }

    #[test]
    fn all_threads_work_at_the_same_time() {
        let count = count();
        for _ in 0..100 {
            let here = AtomicUsize::new(0);
            let begin = Instant::now();
            share(count, |_| {
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
