//! CUDA graphs that calls become a part of.

use std::ptr;

use cudarc::driver::sys;

use super::stream::is_recording;
use crate::error::{Error, Kind, Result};
use crate::memory::held::{self, Life};

/// A graph, while a stream records it.
#[derive(Clone, Copy)]
pub(crate) struct Graph(sys::CUgraph);

impl Graph {
    /// The graph that the stream's work becomes part of.
    #[inline(never)]
    pub fn of(stream: sys::CUstream) -> Result<Option<Self>> {
        if !is_recording(stream)? {
            return Ok(None);
        }
        let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        let (mut graph, mut number) = (ptr::null_mut(), 0);
        let (mut nodes, mut edges, mut count) = (ptr::null(), ptr::null(), 0);
        // SAFETY: a live stream, and places for the answers.
        unsafe {
            sys::cuStreamGetCaptureInfo_v3(
                stream,
                &raw mut status,
                &raw mut number,
                &raw mut graph,
                &raw mut nodes,
                &raw mut edges,
                &raw mut count,
            )
        }
        .result()?;
        // A recording that was spoilt has none.
        Ok((!graph.is_null()).then_some(Self(graph)))
    }

    /// What ends with the graph and all that is made of it.
    pub fn life(self) -> Result<Life> {
        let (life, ends) = Life::begin();
        let mut object = ptr::null_mut();
        let flags = sys::CUuserObject_flags::CU_USER_OBJECT_NO_DESTRUCTOR_SYNC as u32;
        // SAFETY: the driver calls `end` once, when the last of the graphs is gone.
        let made =
            unsafe { sys::cuUserObjectCreate(&raw mut object, ends, Some(held::end), 1, flags) };
        if let Err(error) = made.result() {
            // SAFETY: nobody else has the pointer.
            unsafe { held::end(ends) };
            return Err(error.into());
        }
        let moves = sys::CUuserObjectRetain_flags::CU_GRAPH_USER_OBJECT_MOVE as u32;
        // SAFETY: a graph that is being recorded, and an object of which this has the one share.
        let given = unsafe { sys::cuGraphRetainUserObject(self.0, object, 1, moves) };
        if let Err(error) = given.result() {
            // SAFETY: the share is still here. Its error would say less than this one.
            let _ = unsafe { sys::cuUserObjectRelease(object, 1) };
            return Err(error.into());
        }
        Ok(life)
    }
}

/// The error of a call that would have to wait for what is only recorded.
#[cold]
fn cannot_wait(way_out: &str) -> Error {
    Kind::Unavailable(format!(
        "a CUDA graph is being recorded, and no call can wait for it: {way_out}"
    ))
    .into()
}

/// The error of a call that finds numbers.
pub(crate) fn not_for_numbers() -> Error {
    cannot_wait("give each number an array with `out=`")
}

/// The error of a call with arrays in memory of the host.
pub(crate) fn not_for_host_arrays() -> Error {
    cannot_wait("give it arrays that the GPU can use, such as `cuvec.asarray` makes")
}

/// The error of a call without `stream=`.
pub(crate) fn not_on_its_stream() -> Error {
    cannot_wait("pass `stream=`, the stream that records it")
}

/// The error of a function that works on the CPU, with a stream that records.
pub(crate) fn not_on_the_cpu() -> Error {
    cannot_wait("call what works on the CPU before or after")
}
