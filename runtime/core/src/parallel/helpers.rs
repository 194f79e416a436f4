//! The threads besides a caller's: how many there are, and what they are asked to do.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, thread};

use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

use super::look_for;
use crate::fork::{self, PerProcess};

/// Bytes of the stack of a thread, as Rust has them.
const STACK: usize = 2 << 20;

/// The most helpers, which [`set_limit`] sets.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Lets at most so many threads work from now on; 0 lets all. Returns what it was before.
pub fn set_limit(threads: usize) -> usize {
    let before = LIMIT.swap(threads.wrapping_sub(1), Ordering::Relaxed);
    before.wrapping_add(1)
}

/// They wait for calls.
pub struct Helpers {
    pool: ThreadPool,
    /// Calls that a thread has been asked to help with, and has not looked at.
    pending: AtomicUsize,
}

impl Helpers {
    pub fn count(&self) -> usize {
        let limit = LIMIT.load(Ordering::Relaxed);
        self.pool.current_num_threads().min(limit)
    }

    /// Has one more of them do something, unless the system lets none run, so that calls would pile up.
    pub fn send(&'static self, work: impl FnOnce() + Send + 'static) {
        const MANY: usize = 1000;
        if self.pending.fetch_add(1, Ordering::Relaxed) >= MANY * self.count() {
            self.pending.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        self.pool.spawn(move || {
            self.pending.fetch_sub(1, Ordering::Relaxed);
            work();
            rayon::spawn(|| look_for(|| rayon::yield_now() == Some(Yield::Executed)));
        });
    }
}

/// The helpers, as many as the system has; none are started where none may work.
///
/// They do not survive a fork, so a forked process starts its own.
pub fn helpers() -> Option<&'static Helpers> {
    static POOL: PerProcess<Option<Helpers>> = PerProcess::new();
    if LIMIT.load(Ordering::Relaxed) == 0 {
        return None;
    }
    // Where the system has no thread, this call is done without, and the next one asks again.
    POOL.get_or_make(|_| start()).ok()?.as_ref()
}

/// None where only one thread is to do the work, an error where the system has no more.
fn start() -> Result<Option<Helpers>, ()> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let others = limit(processors, |name| env::var(name).ok()) - 1;
    if others == 0 {
        return Ok(None);
    }
    // Rayon makes data of all of its pools when a thread first looks for work. They must not be
    // half made in a forked process either.
    let _whole = fork::hold_off();
    let pool = start_some(others).ok_or(())?;
    pool.broadcast(|_| ()); // they have looked for work
    Ok(Some(Helpers {
        pool,
        pending: AtomicUsize::new(0),
    }))
}

/// Threads to use on so many processors, of those that affinity and control groups leave. Each of
/// these variables can lower their number.
fn limit(processors: usize, variable: impl Fn(&str) -> Option<String>) -> usize {
    let names = ["OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "RAYON_NUM_THREADS"];
    let limits = names.iter().filter_map(|name| threads_in(&variable(name)?));
    limits.fold(processors, usize::min)
}

/// The number of threads in an OpenMP variable: the first of a list, whose others are for loops in
/// loops. As there, blanks do not matter, and anything but a list of positive numbers is ignored.
fn threads_in(value: &str) -> Option<usize> {
    let mut counts = value
        .split(',')
        .map(|count| count.trim().parse().ok().filter(|&count| count > 0));
    let first = counts.next()?;
    first.filter(|_| counts.all(|count| count.is_some()))
}

/// Starts so many threads, or fewer if the system has no more.
fn start_some(threads: usize) -> Option<ThreadPool> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK);
    match has_memory_for(threads).then(|| pool.build()) {
        Some(Ok(pool)) => Some(pool),
        _ if threads > 1 => start_some(threads / 2),
        _ => None,
    }
}

/// Checks whether so many threads can start: one that has a stack and then finds no memory for its
/// thread-local data ends the process.
#[cfg(unix)]
fn has_memory_for(threads: usize) -> bool {
    const OTHERS: usize = 2 << 20;
    let bytes = threads.saturating_mul(STACK + OTHERS);
    // SAFETY: maps memory that nobody uses, and unmaps it. (`malloc` would remember the size.)
    unsafe {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let address = libc::mmap(std::ptr::null_mut(), bytes, access, flags, -1, 0);
        address != libc::MAP_FAILED && libc::munmap(address, bytes) == 0
    }
}

#[cfg(not(unix))]
fn has_memory_for(_: usize) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_openmp_limit_the_threads() {
        for (value, threads) in [
            ("1", Some(1)),
            (" 3\t", Some(3)),
            ("4,2", Some(4)),
            (" 2 , 1", Some(2)),
            ("100", Some(100)),
            ("", None),
            (" ", None),
            ("0", None),
            ("-1", None),
            ("two", None),
            ("4,", None),
            ("4,0", None),
            ("1.5", None),
        ] {
            assert_eq!(threads_in(value), threads, "{value:?}");
        }
        let with = |set: &[(&str, &str)]| {
            let set = |name: &str| set.iter().find(|it| it.0 == name).map(|it| it.1.to_owned());
            limit(8, set)
        };
        assert_eq!(with(&[]), 8);
        assert_eq!(with(&[("OMP_NUM_THREADS", "3,2")]), 3);
        assert_eq!(with(&[("OMP_NUM_THREADS", "64")]), 8);
        assert_eq!(
            with(&[("OMP_NUM_THREADS", "6"), ("OMP_THREAD_LIMIT", "2")]),
            2
        );
        assert_eq!(
            with(&[("OMP_NUM_THREADS", "0"), ("RAYON_NUM_THREADS", "5")]),
            5
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn at_a_memory_limit_no_thread_starts() {
        // A stack would fit, and nothing else that a thread needs.
        let start_with_little = || {
            let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
            let pages: u64 = statm.split(' ').next().unwrap().parse().unwrap();
            let bytes = pages * 4096 + 3 * STACK as u64 / 2;
            let limit = libc::rlimit {
                rlim_cur: bytes,
                rlim_max: bytes,
            };
            // SAFETY: limits the child process.
            let limited = unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) };
            limited == 0 && start_some(1).is_none()
        };
        assert!(crate::fork::tests::in_child_process(start_with_little));
    }

    #[cfg(unix)]
    #[test]
    fn without_memory_no_thread_starts() {
        assert!(has_memory_for(1));
        assert!(!has_memory_for(usize::MAX / STACK));
        assert!(!has_memory_for(usize::MAX));
    }
}
