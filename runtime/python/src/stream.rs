//! The `stream` argument, and the streams that libraries work on, cached for all arrays of a call.

use std::cell::Cell;
use std::ptr;

use cuvec_core::Stream;
use cuvec_core::gpu::Gpu;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::dlpack::exchange;
use crate::dlpack::ffi::{DLDevice, DLPackExchangeAPI};
use crate::error::instead;
use crate::interned::interned;
use crate::{cupy, finalization};

/// A CUDA stream: its handle, or an object that knows it.
pub struct StreamArgument(pub Stream);

impl StreamArgument {
    pub fn of(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if object.is_instance_of::<pyo3::types::PyInt>() {
            return handle(object);
        }
        // https://nvidia.github.io/cuda-python/cuda-core/latest/interoperability.html
        if let Some(protocol) =
            finalization::attribute_opt(object, interned!(py, "__cuda_stream__"))?
        {
            let answer = finalization::call(&protocol, &PyTuple::empty(py), None)?;
            let wrong =
                || PyTypeError::new_err("__cuda_stream__ must return a version and a handle");
            let wrong = |error| instead(py, error, wrong);
            let [version, stream] = finalization::pair(&answer).map_err(wrong)?;
            finalization::integer::<u32>(version).map_err(wrong)?;
            return handle(stream);
        }
        // PyTorch and CuPy before that protocol.
        for attribute in [interned!(py, "cuda_stream"), interned!(py, "ptr")] {
            if let Some(stream) = finalization::attribute_opt(object, attribute)? {
                return handle(stream.as_borrowed());
            }
        }
        Err(PyTypeError::new_err(format!(
            "stream must be a CUDA stream's handle or an object with __cuda_stream__, not {}",
            object.get_type().name()?
        )))
    }

    /// One that may be left out, read by the method itself: what goes wrong before that is not in its `guard`.
    pub fn read(stream: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Stream>> {
        stream
            .map(|stream| Self::of(stream.as_borrowed()).map(|Self(stream)| stream))
            .transpose()
    }
}

fn handle(object: Borrowed<'_, '_, PyAny>) -> PyResult<StreamArgument> {
    let wrong = || PyValueError::new_err("stream is not the handle of a CUDA stream");
    finalization::integer(object)
        .map(|handle| StreamArgument(Stream(handle)))
        .map_err(|error| instead(object.py(), error, wrong))
}

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
