//! CUDA graphs that calls become a part of.

use std::ptr;

use cudarc::driver::sys;

use super::capture::is_capturing;
use super::retained::{self, GraphLife};
use crate::error::Result;

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
        let made = unsafe {
            sys::cuUserObjectCreate(&raw mut object, ends, Some(retained::end), 1, flags)
        };
        if let Err(error) = made.result() {
            // SAFETY: nobody else has the pointer.
            unsafe { retained::end(ends) };
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
