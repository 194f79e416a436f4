//! Objects of declared classes, whose calls take turns.

use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{mem, ptr, thread};

use cuvec_spec::Spec;
use cuvec_spec::c::End;

use super::dtypes::Dtypes;
use crate::device::Device;
use crate::error::{Error, Kind, Result};
use crate::fork::{self, Lock};
use crate::gpu::{Mark, Stream};
use crate::interrupt::Watch;
use crate::retained::keep_until;

/// Pointer by which bodies know an object.
#[derive(Clone, Copy)]
pub(super) struct Pointer(pub *mut c_void);

impl Default for Pointer {
    fn default() -> Self {
        Self(ptr::null_mut())
    }
}

/// An object of a class. Its owners share it; it ends when the last of them is gone, and the streams that have
/// used it are done with it.
pub struct Object {
    /// The name of its class.
    pub class: &'static str,
    instance: Option<Instance>,
    /// The values of what methods know of the constructor, in their order.
    pub(super) sizes: Vec<i64>,
    /// The dtypes that it was constructed for.
    pub(super) dtypes: Dtypes,
    /// How many variables its class has.
    variables: usize,
    turns: Turns,
    /// Where streams have used it last.
    uses: Mutex<Vec<Mark>>,
}

/// Object that a constructor has made.
pub(super) struct Instance {
    pointer: *mut c_void,
    destroy: End,
    device: Device,
    forks: usize,
}

// SAFETY: calls take turns, and it may end on any thread: so a class is declared.
unsafe impl Send for Instance {}
// SAFETY: what is shared is read; calls that use what `pointer` leads to take turns.
unsafe impl Sync for Instance {}

impl Instance {
    pub fn new(pointer: *mut c_void, destroy: End, device: Device) -> Self {
        Self {
            pointer,
            destroy,
            device,
            forks: fork::generation(),
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let end = || {
            // SAFETY: made by the constructor of this class, and used no more.
            unsafe { (self.destroy)(self.pointer) };
        };
        match self.device {
            Device::Cpu => end(),
            // A child process leaves it to its parent, and without a context nothing can be freed.
            Device::Gpu(_) if self.forks != fork::generation() => {}
            Device::Gpu(gpu) => {
                if let Ok(_current) = gpu.enter() {
                    end();
                }
            }
        }
    }
}

impl Object {
    /// Returns the object that a constructor has made, for which methods know these sizes.
    pub(super) fn new(class: &Spec, instance: Instance, sizes: Vec<i64>, dtypes: Dtypes) -> Self {
        Self {
            class: class.name,
            instance: Some(instance),
            sizes,
            dtypes,
            variables: class.variables.len(),
            turns: Turns::default(),
            uses: Mutex::default(),
        }
    }

    /// Returns the pointer by which its methods know it.
    pub(super) fn pointer(&self) -> Pointer {
        let instance = self.instance.as_ref();
        instance.map_or_else(Pointer::default, |it| Pointer(it.pointer))
    }

    /// Waits until nobody else uses it.
    pub(super) fn turn(&self, method: &str) -> Result<Turn<'_>> {
        self.turns.take(method)
    }

    /// Returns the index of its GPU; none if it lives on the CPU.
    #[must_use]
    pub fn gpu(&self) -> Option<usize> {
        match self.device() {
            Device::Cpu => None,
            Device::Gpu(gpu) => Some(gpu.index),
        }
    }

    /// The names of the dtypes that it was constructed for.
    #[must_use]
    pub fn dtypes(&self) -> Vec<&'static str> {
        self.dtypes.names(self.variables)
    }

    pub(super) fn device(&self) -> Device {
        self.instance.as_ref().map_or(Device::Cpu, |it| it.device)
    }

    fn uses(&self) -> MutexGuard<'_, Vec<Mark>> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the calls that use it now, so that it ends with its last owner, and not later.
    ///
    /// # Errors
    /// Errors of CUDA, and of `Turns::take`.
    pub fn finish(&self) -> Result<()> {
        self.check_process()?;
        let _turn = self.turns.take(&format!("{}.close", self.class))?;
        self.uses().iter().try_for_each(Mark::synchronize)
    }

    /// An object on a GPU is its process's own.
    pub(super) fn check_process(&self) -> Result<()> {
        match self.device() {
            Device::Gpu(gpu) if gpu.forks != fork::generation() => {
                crate::device::gpu(gpu.index).map(drop) // which says so
            }
            _ => Ok(()),
        }
    }

    /// Has a call on this stream come after those before it on others.
    pub(super) fn precede(&self, stream: Stream) -> Result<()> {
        let mut uses = self.uses();
        uses.retain(|mark| !mark.has_passed());
        uses.iter().try_for_each(|mark| mark.precede(stream))
    }

    pub(super) fn used_until(&self, mark: Mark) {
        let mut uses = self.uses();
        uses.retain(|it| it.order() != mark.order());
        uses.push(mark);
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let uses = self.uses.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut uses = mem::take(uses);
        uses.retain(|mark| !mark.has_passed());
        if let Some(instance) = self.instance.take() {
            match uses.is_empty() {
                _ if self.turns.are_lost() => mem::forget(instance),
                true => drop(instance),
                false => keep_until(uses, Box::new(instance)),
            }
        }
    }
}

/// Whose turn it is: the process, by its forks, and its thread.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Holder {
    forks: usize,
    thread: thread::ThreadId,
}

/// Whose turn it is to use an object, if anybody's.
struct Turns(Lock<Option<Holder>>);

/// Ends with it.
pub(super) struct Turn<'a>(&'a Turns);

impl Default for Turns {
    fn default() -> Self {
        Self(Lock::new(None))
    }
}

impl Turns {
    /// Waits until nobody else uses the object.
    ///
    /// # Errors
    /// `Kind::Unavailable` where that would be for ever: in a signal's handler that has interrupted the call
    /// that has the turn, and in a process forked in the middle of one. `Kind::Interrupted`.
    fn take(&self, method: &str) -> Result<Turn<'_>> {
        let me = Holder {
            forks: fork::generation(),
            thread: thread::current().id(),
        };
        let mut watch = Watch::default();
        while let Some(holder) = self.held_by_others(me) {
            if holder == me {
                return Err(unavailable(
                    method,
                    "in the middle of a call in this thread",
                ));
            }
            if holder.forks != me.forks {
                let why = "in the middle of a call when this process was forked";
                return Err(unavailable(method, why));
            }
            if watch.interrupted() {
                return Err(Kind::Interrupted.into());
            }
            thread::sleep(Duration::from_micros(20));
        }
        Ok(Turn(self))
    }

    /// Who has it; if nobody, it is mine from now on.
    fn held_by_others(&self, me: Holder) -> Option<Holder> {
        let mut holder = self.0.lock();
        let before = *holder;
        holder.get_or_insert(me);
        before
    }

    /// True if a thread of another process has it.
    fn are_lost(&self) -> bool {
        let holder = *self.0.lock();
        holder.is_some_and(|it| it.forks != fork::generation())
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.0.lock() = None;
    }
}

#[cold]
fn unavailable(method: &str, why: &str) -> Error {
    Kind::Unavailable(format!("{method}(): the object is {why}; use another one")).into()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;

    use super::*;

    #[test]
    fn one_thread_at_a_time_and_no_thread_twice() {
        let (turns, inside) = (Turns::default(), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let _turn = turns.take("C.f").unwrap();
                        assert_eq!(inside.fetch_add(1, SeqCst), 0);
                        let again = turns.take("C.f").map(drop).unwrap_err().to_string();
                        assert!(again.starts_with("C.f(): the object is in the middle of"));
                        inside.fetch_sub(1, SeqCst);
                    }
                });
            }
        });
        assert!(!turns.are_lost());
    }

    #[test]
    #[cfg(unix)]
    fn a_child_is_told_of_a_turn_that_never_ends() {
        let turns = Turns::default();
        let _turn = turns.take("C.f").unwrap();
        assert!(fork::tests::in_child_process(
            || turns.are_lost() && turns.take("C.f").is_err()
        ));
    }
}
