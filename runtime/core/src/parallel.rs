//! Tasks on the CPU, for the caller's thread and helpers.

mod helpers;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{hint, mem, thread};

pub use helpers::set_limit;
use helpers::{Helpers, helpers};

/// How long a thread looks for the next call, or for the end of this one, before it sleeps: calls
/// that follow each other find it awake. To be woken takes about as long.
const PATIENCE: Duration = Duration::from_micros(50);

/// Threads that can work at the same time, the caller's among them.
pub fn count() -> usize {
    1 + helpers().map_or(0, Helpers::count)
}

/// Calls `f` with every task below `tasks`, on this thread and on others, until `stop` says so, which
/// this thread asks before each of its tasks. Returns whether it did; then some tasks have been left
/// out. This thread begins at once: what is small may be done before another has woken up.
///
/// Every thread has a range of the tasks: the same one in consecutive calls, so that it finds in its
/// cache what it left there. Who has finished helps the others, and nobody blocks until a thread has
/// woken up: one that comes when all tasks are taken leaves again.
pub fn run(tasks: usize, mut stop: impl FnMut() -> bool, f: impl Fn(usize) + Sync) -> bool {
    if tasks > 1
        && let Some(helpers) = helpers()
        && let Some(ranges) = ranges(tasks, 1 + helpers.count())
    {
        return run_with(helpers, ranges, &mut stop, &f);
    }
    (0..tasks).any(|task| {
        let stopped = stop();
        if !stopped {
            f(task);
        }
        stopped
    })
}

fn run_with(
    helpers: &'static Helpers,
    ranges: Vec<TaskRange>,
    stop: &mut dyn FnMut() -> bool,
    f: &(dyn Fn(usize) + Sync),
) -> bool {
    let others = ranges.len() - 1;
    // SAFETY: `Open` blocks until no helper is inside, and then none enters.
    let f =
        unsafe { mem::transmute::<&(dyn Fn(usize) + Sync), &'static (dyn Fn(usize) + Sync)>(f) };
    let shared = Arc::new(Shared {
        ranges,
        stopped: AtomicBool::new(false),
        door: Mutex::new(Door {
            inside: 0,
            is_open: true,
        }),
        left: Condvar::new(),
        f,
    });
    let open = Open(&shared);
    for _ in 0..others {
        let shared = Arc::clone(&shared);
        helpers.send(move || shared.help());
    }
    shared.work(0, &mut || {
        let stops = stop();
        if stops {
            shared.stopped.store(true, Ordering::Relaxed);
        }
        stops
    });
    drop(open);
    shared.stopped.load(Ordering::Relaxed)
}

/// State that the threads of a call share, and that remains for those that come too late.
struct Shared {
    ranges: Vec<TaskRange>,
    stopped: AtomicBool,
    door: Mutex<Door>,
    left: Condvar,
    /// Called by helpers that are inside only.
    f: &'static (dyn Fn(usize) + Sync),
}

struct Door {
    inside: usize,
    is_open: bool,
}

impl Shared {
    /// Takes tasks, of the range of this index first.
    fn work(&self, first: usize, stop: &mut dyn FnMut() -> bool) {
        let count = self.ranges.len();
        for range in self.ranges.iter().cycle().skip(first).take(count) {
            loop {
                if stop() {
                    return;
                }
                let Some(task) = range.take() else { break };
                (self.f)(task);
            }
        }
    }

    /// A helper's part: none if the call is over.
    fn help(&self) {
        {
            let mut door = self.door();
            if !door.is_open {
                return;
            }
            door.inside += 1;
        }
        let first = 1 + rayon::current_thread_index().unwrap_or(0);
        self.work(first, &mut || self.stopped.load(Ordering::Relaxed));
        let mut door = self.door();
        door.inside -= 1;
        if !door.is_open {
            self.left.notify_one();
        }
    }

    fn door(&self) -> MutexGuard<'_, Door> {
        self.door.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Helpers may enter as long as it lives; whoever drops it blocks until they have left.
struct Open<'a>(&'a Shared);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.door().is_open = false;
        look_for(|| self.0.door().inside == 0);
        let inside = self
            .0
            .left
            .wait_while(self.0.door(), |door| door.inside > 0);
        drop(inside.unwrap_or_else(PoisonError::into_inner));
    }
}

/// Consecutive tasks, taken one by one. Each range has a cache line of its own.
#[repr(align(64))]
struct TaskRange {
    next: AtomicUsize,
    end: usize,
}

impl TaskRange {
    fn take(&self) -> Option<usize> {
        // Relaxed: what a task needs is shared by the scope. Each thread takes at most one task too
        // many, so it does not wrap.
        let task = self.next.fetch_add(1, Ordering::Relaxed);
        (task < self.end).then_some(task)
    }
}

/// Divides tasks evenly among threads; none where there is no memory for the ranges and for what Rayon
/// allocates for each thread, which would end the process.
fn ranges(tasks: usize, threads: usize) -> Option<Vec<TaskRange>> {
    const RAYON: usize = 256;
    let threads = threads.min(tasks);
    let mut spare = Vec::<u8>::new();
    spare.try_reserve_exact((threads + 1) * RAYON).ok()?; // and for `Shared`
    hint::black_box(&mut spare); // or the compiler leaves the allocation out
    let mut ranges = Vec::new();
    ranges.try_reserve_exact(threads).ok()?;
    drop(spare);
    let (size, longer) = (tasks / threads, tasks % threads);
    let begin = |index: usize| index * size + index.min(longer);
    ranges.extend((0..threads).map(|index| TaskRange {
        next: AtomicUsize::new(begin(index)),
        end: begin(index + 1),
    }));
    Some(ranges)
}

/// Blocks until something is so, or patience ends; other threads of the machine go first.
fn look_for(condition: impl Fn() -> bool) {
    let begin = Instant::now();
    while !condition() && begin.elapsed() < PATIENCE {
        thread::yield_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_comes_once() {
        for n in [0, 1, 2, 3, 1000] {
            let times: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
            run(
                n,
                || false,
                |task| {
                    times[task].fetch_add(1, Ordering::Relaxed);
                },
            );
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
        assert!(run(1_000_000, stop, count));
        assert!(done.into_inner() < 1_000_000);
        assert!(!run(3, || false, |_| {}));
    }

    /// Lock of all helpers: one test that needs them runs at a time.
    static ALL_HELPERS: Mutex<()> = Mutex::new(());

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn all_threads_work_at_the_same_time() {
        let _all = ALL_HELPERS.lock();
        let count = count();
        for _ in 0..100 {
            let here = AtomicUsize::new(0);
            let begin = Instant::now();
            run(
                count,
                || false,
                |_| {
                    here.fetch_add(1, Ordering::Relaxed);
                    while here.load(Ordering::Relaxed) < count {
                        assert!(begin.elapsed() < LONG, "{here:?} of {count}");
                        thread::yield_now();
                    }
                },
            );
        }
    }

    #[test]
    fn a_call_ends_while_the_others_are_busy() {
        let _all = ALL_HELPERS.lock();
        let (count, busy, done) = (count(), AtomicUsize::new(0), AtomicUsize::new(0));
        let (is_over, begin) = (AtomicBool::new(false), Instant::now());
        let until = |condition: &dyn Fn() -> bool| {
            while !condition() && begin.elapsed() < LONG {
                thread::yield_now();
            }
        };
        let occupy = |_| {
            busy.fetch_add(1, Ordering::Relaxed);
            until(&|| is_over.load(Ordering::Relaxed));
        };
        thread::scope(|scope| {
            scope.spawn(|| run(count, || false, occupy));
            until(&|| busy.load(Ordering::Relaxed) == count);
            let add = |_| _ = done.fetch_add(1, Ordering::Relaxed);
            assert!(!run(1000, || false, add));
            is_over.store(true, Ordering::Relaxed);
        });
        assert_eq!(done.into_inner(), 1000);
        assert!(begin.elapsed() < LONG, "it waited for them");
    }

    #[test]
    fn tasks_are_divided_evenly() {
        for (tasks, threads, ends) in [
            (9, 4, vec![3, 5, 7, 9]),
            (2, 8, vec![1, 2]),
            (usize::MAX, 2, vec![usize::MAX / 2 + 1, usize::MAX]),
        ] {
            let ranges = ranges(tasks, threads).unwrap();
            assert!(
                ranges
                    .iter()
                    .map(|range| range.end)
                    .eq(ends.iter().copied())
            );
            let begins = ranges.into_iter().map(|range| range.next.into_inner());
            assert!(begins.eq([0].into_iter().chain(ends).take(threads.min(tasks))));
        }
    }
}
