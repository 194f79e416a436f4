//! CUDA graphs: streams that capture one, and what a graph retains for as long as it lives.
//!
//! The driver tells the end of a graph on a thread of its own, on which nothing may call CUDA or
//! block. So this is only noted there, and the next call, or whoever frees memory, releases it.

use std::any::Any;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cudarc::driver::{result, sys};

use crate::error::{Error, Kind, Result};
use crate::fork::Lock;

/// A graph, while a stream captures it.
#[derive(Clone, Copy)]
pub(crate) struct Graph {
    handle: sys::CUgraph,
    capture: u64,
}

impl Graph {
    /// The graph that the stream's work becomes part of.
    #[inline(never)]
    pub fn of(stream: sys::CUstream) -> Result<Option<Self>> {
        if !is_capturing(stream)? {
            return Ok(None);
        }
        let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        let (mut graph, mut id) = (ptr::null_mut(), 0);
        // SAFETY: a live stream, and places for the answers.
        unsafe {
            sys::cuStreamGetCaptureInfo_v2(
                stream,
                &raw mut status,
                &raw mut id,
                &raw mut graph,
                ptr::null_mut(),
                ptr::null_mut(),
            )
        }
        .result()?;
        // A capture that was invalidated has none.
        Ok((!graph.is_null()).then_some(Self {
            handle: graph,
            capture: id,
        }))
    }

    /// The number of the capture, which no other has.
    pub fn capture(self) -> u64 {
        self.capture
    }

    /// Returns an object that ends with the graph and all that is made of it.
    pub fn life(self) -> Result<GraphLife> {
        let (life, ends) = GraphLife::begin();
        let mut object = ptr::null_mut();
        let flags = sys::CUuserObject_flags::CU_USER_OBJECT_NO_DESTRUCTOR_SYNC as u32;
        // SAFETY: the driver calls `end` once, when the last of the graphs is gone.
        let made = unsafe { sys::cuUserObjectCreate(&raw mut object, ends, Some(end), 1, flags) };
        if let Err(error) = made.result() {
            // SAFETY: nobody else has the pointer.
            unsafe { end(ends) };
            return Err(error.into());
        }
        let moves = sys::CUuserObjectRetain_flags::CU_GRAPH_USER_OBJECT_MOVE as u32;
        // SAFETY: a graph that is being captured, and an object of which this has the one reference.
        let retained = unsafe { sys::cuGraphRetainUserObject(self.handle, object, 1, moves) };
        if let Err(error) = retained.result() {
            // SAFETY: the reference is still here. Its error would say less than this one.
            let _ = unsafe { sys::cuUserObjectRelease(object, 1) };
            return Err(error.into());
        }
        Ok(life)
    }
}

/// Checks whether the stream's work becomes part of a CUDA graph.
#[inline(never)]
pub(crate) fn is_capturing(stream: sys::CUstream) -> Result<bool> {
    // SAFETY: a live stream.
    let status = unsafe { result::stream::is_capturing(stream) }?;
    Ok(status != sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
}

/// The thread may query events, even while one of its streams captures a graph: that is not to become
/// a part of it.
pub(crate) struct Uncaptured(sys::CUstreamCaptureMode);

impl Uncaptured {
    pub(crate) fn new() -> Self {
        let mut this = Self(sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED);
        this.exchange();
        this
    }

    fn exchange(&mut self) {
        // SAFETY: a mode, which the driver exchanges for the thread's.
        let _ = unsafe { sys::cuThreadExchangeStreamCaptureMode(&raw mut self.0) };
    }
}

impl Drop for Uncaptured {
    fn drop(&mut self) {
        self.exchange();
    }
}

/// The error of a call that would have to synchronize with what is only captured.
#[cold]
pub(crate) fn cannot_synchronize(way_out: &str) -> Error {
    Kind::Unavailable(format!(
        "a CUDA graph is being captured, and no call can wait for it: {way_out}"
    ))
    .into()
}

// Ways out: for a call that returns scalars, for one that finds how large a result is, for one with arrays in memory of the host, for one without
// `stream=`, for a constructor, and for a function that works on the CPU.
pub(crate) const FOR_SCALARS: &str = "pass an array for each scalar with `out=`";
pub(crate) const FOR_COUNTS: &str = "call what finds the size of its result before or after";
pub(crate) const FOR_HOST_ARRAYS: &str =
    "pass arrays that the GPU can use, such as `cuvec.asarray` makes";
pub(crate) const WITHOUT_STREAM: &str = "pass `stream=`, the stream that records it";
pub(crate) const FOR_OBJECTS: &str = "make objects before";
pub(crate) const ON_THE_CPU: &str = "call what works on the CPU before or after";

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
