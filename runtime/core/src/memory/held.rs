//! Memory that CUDA graphs use: nobody else gets it as long as they live.
//!
//! The driver tells the end of a graph on a thread of its own, on which nothing may call CUDA or
//! wait. So this is only noted there, and the next call, or whoever frees memory, lets go.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Block;
use crate::fork::Lock;

/// Whether a graph, and all that was made of it, is gone.
pub struct Life(Arc<AtomicBool>);

static HELD: Lock<Vec<(Life, Vec<Arc<Block>>)>> = Lock::new(Vec::new());

/// Mostly nothing has ended, and nobody takes the lock.
static ENDED: AtomicBool = AtomicBool::new(false);

impl Life {
    /// A life, and the pointer that [`end`] is to be called with, once.
    pub fn begin() -> (Self, *mut c_void) {
        let over = Arc::new(AtomicBool::new(false));
        let ends = Arc::into_raw(over.clone()).cast_mut().cast();
        (Self(over), ends)
    }

    pub fn is_over(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// A number that no other life has.
    pub fn number(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

/// Ends a life, on any thread.
///
/// # Safety
/// The pointer must be one of [`Life::begin`], not used before.
pub unsafe extern "C" fn end(life: *mut c_void) {
    // SAFETY: the caller's.
    let over = unsafe { Arc::from_raw(life.cast_const().cast::<AtomicBool>()) };
    over.store(true, Ordering::Release);
    ENDED.store(true, Ordering::Release);
}

/// Keeps blocks as long as a graph lives.
pub fn hold(life: Life, blocks: Vec<Arc<Block>>) {
    HELD.lock().push((life, blocks));
}

/// Lets go of the blocks of graphs that are gone.
#[inline]
pub fn let_go() {
    if ENDED.load(Ordering::Relaxed) {
        let_go_of_ended();
    }
}

#[cold]
fn let_go_of_ended() {
    if !ENDED.swap(false, Ordering::AcqRel) {
        return;
    }
    let mut gone = Vec::new();
    HELD.lock().retain_mut(|(life, blocks)| {
        let over = life.is_over();
        if over {
            gone.append(blocks);
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
    fn blocks_are_held_until_their_graph_ends() {
        let blocks = [(); 2].map(|()| Block::on_host(1).unwrap());
        let held = blocks.each_ref().map(|block| {
            let (life, ends) = Life::begin();
            hold(life, vec![block.clone()]);
            ends as usize
        });
        let owners = || blocks.each_ref().map(Arc::strong_count);
        let_go();
        assert_eq!(owners(), [2, 2]);
        for (ends, left) in [(held[1], [2, 1]), (held[0], [1, 1])] {
            // SAFETY: each pointer once.
            let ended = thread::spawn(move || unsafe { end(ends as *mut c_void) });
            ended.join().unwrap();
            let_go();
            assert_eq!(owners(), left);
        }
    }
}
