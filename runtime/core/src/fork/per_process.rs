//! Values that every process makes for itself.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::generation;

/// A value that every process makes once. To make it may take long, and may fail.
pub(crate) struct PerProcess<T: 'static>(AtomicPtr<Made<T>>);

struct Made<T: 'static> {
    generation: usize,
    making: Mutex<()>,
    value: OnceLock<T>,
    parents: Option<&'static Self>,
}

/// Value from the process that this one was forked from.
pub(crate) enum Inherited<T: 'static> {
    Nothing,
    /// Perhaps another thread was making it.
    Unfinished,
    Whole(&'static T),
}

impl<T: Send + Sync> PerProcess<T> {
    pub const fn new() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    /// The value of this process; `make` makes it, unless it has been made.
    #[inline]
    pub fn get_or_make<E>(
        &self,
        make: impl FnOnce(Inherited<T>) -> Result<T, E>,
    ) -> Result<&'static T, E> {
        match self.made().and_then(|made| made.value.get()) {
            Some(value) => Ok(value), // as all calls but the first find it
            None => self.make(make),
        }
    }

    #[cold]
    fn make<E>(&self, make: impl FnOnce(Inherited<T>) -> Result<T, E>) -> Result<&'static T, E> {
        let made = self.of_this_process();
        let _one_at_a_time = made.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = made.value.get() {
            return Ok(value);
        }
        let inherited = match made.parents {
            None => Inherited::Nothing,
            Some(parents) => parents
                .value
                .get()
                .map_or(Inherited::Unfinished, Inherited::Whole),
        };
        let value = make(inherited)?;
        Ok(made.value.get_or_init(|| value))
    }

    /// Returns the value of this process, if it has begun.
    #[inline]
    fn made(&self) -> Option<&'static Made<T>> {
        // SAFETY: null, or a box that nobody frees.
        let made = unsafe { self.0.load(SeqCst).as_ref() };
        made.filter(|made| made.generation == generation())
    }

    fn of_this_process(&self) -> &'static Made<T> {
        let generation = generation();
        let mut current = self.0.load(SeqCst);
        loop {
            // SAFETY: null, or a box that nobody frees.
            let made = unsafe { current.as_ref() };
            if let Some(made) = made.filter(|made| made.generation == generation) {
                return made;
            }
            let fresh = Box::into_raw(Box::new(Made {
                generation,
                making: Mutex::new(()),
                value: OnceLock::new(),
                parents: made,
            }));
            match self.0.compare_exchange(current, fresh, SeqCst, SeqCst) {
                Ok(_) => current = fresh,
                Err(others) => {
                    // SAFETY: just made, and nobody knows it.
                    drop(unsafe { Box::from_raw(fresh) });
                    current = others;
                }
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::convert::Infallible;
    use std::sync::mpsc;
    use std::{process, thread};

    use super::*;
    use crate::fork::tests::in_child_process;

    #[test]
    fn a_child_makes_what_its_parent_has_not_finished() {
        static VALUE: PerProcess<usize> = PerProcess::new();
        let make = |value| move |_| Ok::<_, Infallible>(value);
        let (begun, begins) = mpsc::channel();
        let (go_on, goes_on) = mpsc::channel::<()>();
        let slow = thread::spawn(move || {
            let made = VALUE.get_or_make(|_| {
                begun.send(()).unwrap();
                goes_on.recv().unwrap();
                Ok::<_, Infallible>(1)
            });
            *made.unwrap()
        });
        begins.recv().unwrap();
        assert!(in_child_process(|| {
            let unfinished = |inherited| {
                assert!(matches!(inherited, Inherited::Unfinished));
                Ok::<_, Infallible>(2)
            };
            *VALUE.get_or_make(unfinished).unwrap() == 2
                && *VALUE.get_or_make(make(3)).unwrap() == 2
        }));
        go_on.send(()).unwrap();
        assert_eq!(slow.join().unwrap(), 1);
        assert!(in_child_process(|| {
            let whole = |inherited| match inherited {
                Inherited::Whole(parents) => Ok::<_, Infallible>(parents + 10),
                _ => process::exit(1),
            };
            *VALUE.get_or_make(whole).unwrap() == 11
        }));
    }

    #[test]
    fn a_value_that_could_not_be_made_is_made_later() {
        static VALUE: PerProcess<usize> = PerProcess::new();
        assert_eq!(VALUE.get_or_make(|_| Err("not yet")), Err("not yet"));
        assert_eq!(VALUE.get_or_make(|_| Ok::<_, &str>(7)), Ok(&7));
        assert_eq!(VALUE.get_or_make(|_| Err("no more")), Ok(&7));
    }
}
