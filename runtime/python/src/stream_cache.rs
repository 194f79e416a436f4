//! Caches answers for all arrays of a call.

use std::cell::Cell;
use std::ptr;

use cuvec_core::Stream;
use cuvec_core::gpu::Gpu;
use pyo3::prelude::*;

use crate::cupy;
use crate::dlpack::exchange;
use crate::dlpack::ffi::{DLDevice, DLPackExchangeAPI};

/// A GPU, and the stream that a library works on there; none for memory of the host.
pub type OnGpu = Option<(&'static Gpu, Stream)>;

#[derive(Default)]
pub struct StreamCache {
    /// True if arrays may be borrowed from the caller: for a call with `stream=`. GPU memory that
    /// another thread releases meanwhile is reused in the order of its library's stream.
    pub may_borrow: bool,
    /// True if nobody asks PyTorch for forward-mode derivatives.
    pub without_tangents: Cell<bool>,
    cupys: Cell<Option<Stream>>,
    /// The answer of a library for this device.
    offered: Cell<Option<(&'static DLPackExchangeAPI, DLDevice, OnGpu)>>,
}

impl StreamCache {
    pub fn borrowing(may_borrow: bool) -> Self {
        Self {
            may_borrow,
            ..Self::default()
        }
    }

    /// The stream that CuPy works on, in this thread.
    pub fn cupys_stream(&self, py: Python<'_>) -> PyResult<Stream> {
        if let Some(stream) = self.cupys.get() {
            return Ok(stream);
        }
        let stream = cupy::current_stream(py)?.expect("known since its class was seen");
        self.cupys.set(Some(stream));
        Ok(stream)
    }

    /// The GPU of a device, and the stream that a library works on there in this thread.
    pub fn on(
        &self,
        py: Python<'_>,
        library: &'static DLPackExchangeAPI,
        device: DLDevice,
    ) -> PyResult<OnGpu> {
        if let Some((known, its, on)) = self.offered.get()
            && ptr::eq(known, library)
            && its == device
        {
            return Ok(on);
        }
        let on = match device.gpu()? {
            Some(gpu) => Some((gpu, exchange::stream_of(py, library, device)?)),
            None => None,
        };
        self.offered.set(Some((library, device, on)));
        Ok(on)
    }
}
