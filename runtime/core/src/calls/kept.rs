//! Retains memory of bodies, and objects of classes, until the work of streams is done.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use cuvec_spec::c::End;

use crate::fork::Lock;
use crate::gpu::{Mark, Stream};
use crate::until_done::UntilDone;

/// Something that a body leaves to the core. It ends on any thread.
pub struct Kept {
    thing: *mut c_void,
    end: End,
}

// SAFETY: whoever leaves it says so.
unsafe impl Send for Kept {}

impl Kept {
    /// # Safety
    /// `end` must be for `thing`, once and on any thread.
    pub unsafe fn new(thing: *mut c_void, end: End) -> Self {
        Self { thing, end }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: as `new` was told.
        unsafe { (self.end)(self.thing) };
    }
}

type Done = Box<dyn Fn() -> bool + Send>;

/// The marks are with what is kept, too: to drop the last of them takes another lock.
type Thing = (Arc<Vec<Mark>>, Box<dyn Send>);

static KEPT: Lock<UntilDone<Done, Thing>> = Lock::new(UntilDone::new());

/// Mostly there is nothing, and nobody takes the lock.
static ANY: AtomicBool = AtomicBool::new(false);

/// Keeps something until all of these marks are passed.
pub fn keep_until(marks: Vec<Mark>, thing: Box<dyn Send>) {
    let marks = Arc::new(marks);
    let order = match &marks[..] {
        [mark] => mark.order(),
        _ => Stream(Arc::as_ptr(&marks) as usize), // of no stream
    };
    let asked = marks.clone();
    let done = Box::new(move || asked.iter().all(Mark::has_passed));
    KEPT.lock().add(order, done, (marks, thing));
    ANY.store(true, Relaxed);
}

/// Drops what no stream uses any more.
#[inline]
pub fn release_done() {
    if ANY.load(Relaxed) {
        release_now();
    }
}

#[cold]
fn release_now() {
    let mut kept = KEPT.lock();
    let done = kept.take();
    ANY.store(!kept.is_empty(), Relaxed);
    drop(kept); // first: what is dropped takes other locks
    drop(done);
}
