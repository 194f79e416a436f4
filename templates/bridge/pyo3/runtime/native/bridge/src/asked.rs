//! What is asked once for all arrays of a call.

use std::cell::Cell;
use std::ptr;

use dlpark::ffi::{DLDevice, DLPackExchangeAPI};
use host::Stream;
use pyo3::prelude::*;

use crate::cupy;
use crate::dlpack::exchange;

#[derive(Default)]
pub struct Asked {
    /// Whether arrays may be borrowed from the caller: for a call with `stream=`. Of what another thread
    /// lets go of meanwhile, memory of a GPU is used again in the order of its library's stream.
    pub may_borrow: bool,
    cupys: Cell<Option<Stream>>,
    /// That of a library for this device.
    offered: Cell<Option<(&'static DLPackExchangeAPI, DLDevice, Stream)>>,
}

impl Asked {
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

    /// The stream that a library works on, in this thread and on this device.
    pub fn stream_of(
        &self,
        py: Python<'_>,
        library: &'static DLPackExchangeAPI,
        device: DLDevice,
    ) -> PyResult<Stream> {
        if let Some((asked, its, stream)) = self.offered.get()
            && ptr::eq(asked, library)
            && its == device
        {
            return Ok(stream);
        }
        let stream = exchange::stream_of(py, library, device)?;
        self.offered.set(Some((library, device, stream)));
        Ok(stream)
    }
}
