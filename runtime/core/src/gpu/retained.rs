//! Retains the objects that CUDA graphs use, memory above all, for as long as they live.
//!
//! The driver tells the end of a graph on a thread of its own, on which nothing may call CUDA or
//! block. So this is only noted there, and the next call, or whoever frees memory, releases it.

use std::any::Any;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::fork::Lock;

/// An owner of something that a graph uses, such as a block. Its type is of no matter here, and so
/// this module is below the module of memory.
pub type Owner = Arc<dyn Any + Send + Sync>;

/// Flag that is set once a graph, and all that was made of it, is gone.
pub struct GraphLife(Arc<AtomicBool>);

static RETAINED: Lock<Vec<(GraphLife, Vec<Owner>)>> = Lock::new(Vec::new());

/// Mostly nothing has ended, and nobody takes the lock.
static ENDED: AtomicBool = AtomicBool::new(false);

impl GraphLife {
    /// A life, and the pointer that [`end`] is to be called with, once.
    pub fn begin() -> (Self, *mut c_void) {
        let over = Arc::new(AtomicBool::new(false));
        let ends = Arc::into_raw(over.clone()).cast_mut().cast();
        (Self(over), ends)
    }

    pub fn is_over(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// A key that no other life has.
    pub fn key(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

/// Ends a life, on any thread.
///
/// # Safety
/// The pointer must be one of [`GraphLife::begin`], not used before.
pub unsafe extern "C" fn end(life: *mut c_void) {
    // SAFETY: the caller's.
    let over = unsafe { Arc::from_raw(life.cast_const().cast::<AtomicBool>()) };
    over.store(true, Ordering::Release);
    ENDED.store(true, Ordering::Release);
}

/// Retains what a graph uses for as long as it lives.
pub fn retain(life: GraphLife, owners: Vec<Owner>) {
    RETAINED.lock().push((life, owners));
}

/// Releases what graphs have used that are gone.
#[inline]
pub fn release_ended() {
    if ENDED.load(Ordering::Relaxed) {
        release_now();
    }
}

#[cold]
fn release_now() {
    if !ENDED.swap(false, Ordering::AcqRel) {
        return;
    }
    let mut gone = Vec::new();
    RETAINED.lock().retain_mut(|(life, owners)| {
        let over = life.is_over();
        if over {
            gone.append(owners);
        }
        !over
    });
    drop(gone); // which takes other locks
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn owners_are_retained_until_their_graph_ends() {
        let owners = [(); 2].map(|()| Arc::new(1));
        let retained = owners.each_ref().map(|owner| {
            let (life, ends) = GraphLife::begin();
            retain(life, vec![owner.clone() as Owner]);
            ends as usize
        });
        let counts = || owners.each_ref().map(Arc::strong_count);
        release_ended();
        assert_eq!(counts(), [2, 2]);
        for (ends, left) in [(retained[1], [2, 1]), (retained[0], [1, 1])] {
            // SAFETY: each pointer once.
            let ended = thread::spawn(move || unsafe { end(ends as *mut c_void) });
            ended.join().unwrap();
            release_ended();
            assert_eq!(counts(), left);
        }
    }
}
