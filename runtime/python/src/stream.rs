//! The `stream` argument.

use cuvec_core::Stream;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error::instead;
use crate::finalization;
use crate::interned::interned;

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
