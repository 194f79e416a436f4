//! Tracks whether asynchronous calls of ours may still use a block.
//!
//! They are counted. A flag would not do: one thread synchronizes the GPU, another one launches
//! meanwhile and sets the flag, and the first clears it when it returns.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub struct Pending {
    launched: AtomicU64,
    /// Number of these that are known to have ended.
    ended: AtomicU64,
}

/// The calls launched until some moment.
#[derive(Clone, Copy)]
pub struct Calls(u64);

impl Pending {
    /// A call is on its stream now, and not earlier.
    pub fn launch(&self) {
        self.launched.fetch_add(1, Ordering::AcqRel);
    }

    /// The calls that may not have ended. Who has synchronized the GPU after this may say
    /// [`Pending::end`] of them.
    pub fn calls(&self) -> Option<Calls> {
        let launched = self.launched.load(Ordering::Acquire);
        (self.ended.load(Ordering::Acquire) < launched).then_some(Calls(launched))
    }

    pub fn end(&self, calls: Calls) {
        self.ended.fetch_max(calls.0, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of a thread: others may run between them.
    const LAUNCH: [Step; 2] = [Step::Launch, Step::Count];
    const WAIT: [Step; 3] = [Step::Ask, Step::Wait, Step::End];

    #[derive(Clone, Copy)]
    enum Step {
        Launch,
        Count,
        Ask,
        Wait,
        End,
    }

    /// Calls of threads, in the order in which the threads take their steps.
    fn run(threads: &[&[Step]], order: &[usize]) -> Result<(), ()> {
        let pending = Pending::default();
        let mut next = vec![0; threads.len()];
        let mut asked = vec![None; threads.len()];
        let [mut running, mut counted] = [vec![], vec![]]; // threads that have launched
        for &thread in order {
            match threads[thread][next[thread]] {
                Step::Launch => running.push(thread),
                Step::Count => {
                    pending.launch();
                    counted.push(thread);
                }
                Step::Ask => asked[thread] = pending.calls(),
                Step::Wait if asked[thread].is_some() => running.clear(),
                Step::Wait => {}
                Step::End => {
                    if let Some(calls) = asked[thread] {
                        pending.end(calls);
                    }
                }
            }
            next[thread] += 1;
            let lost = pending.calls().is_none() && counted.iter().any(|it| running.contains(it));
            if lost {
                return Err(());
            }
        }
        Ok(())
    }

    /// All orders in which the threads can take their steps.
    fn orders(threads: &[&[Step]]) -> Vec<Vec<usize>> {
        let mut orders = vec![vec![]];
        for _ in 0..threads.iter().map(|steps| steps.len()).sum() {
            orders = orders
                .into_iter()
                .flat_map(|order: Vec<usize>| {
                    (0..threads.len()).filter_map(move |thread| {
                        let taken = order.iter().filter(|&&other| other == thread).count();
                        (taken < threads[thread].len()).then(|| [&order[..], &[thread]].concat())
                    })
                })
                .collect();
        }
        orders
    }

    #[test]
    fn no_call_is_forgotten_in_any_order_of_two_that_launch_and_two_that_wait() {
        let threads: [&[Step]; 4] = [&LAUNCH, &WAIT, &LAUNCH, &WAIT];
        let orders = orders(&threads);
        assert_eq!(orders.len(), 25_200); // 10! / (2! 3! 2! 3!)
        for order in orders {
            assert_eq!(run(&threads, &order), Ok(()), "{order:?}");
        }
    }

    #[test]
    fn nothing_is_pending_once_it_was_waited_for() {
        let pending = Pending::default();
        assert!(pending.calls().is_none());
        pending.launch();
        let calls = pending.calls().unwrap();
        pending.end(calls);
        assert!(pending.calls().is_none());
    }
}
