//! The `stream` argument.

use cuvec_core::Stream;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error::instead;
use crate::finalization;

/// A CUDA stream: its handle, or an object that knows it.
pub struct StreamArgument(pub Stream);

impl<'py> FromPyObject<'_, 'py> for StreamArgument {
    type Error = PyErr;

    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if object.is_instance_of::<pyo3::types::PyInt>() {
            return handle(&object);
        }
        // https://nvidia.github.io/cuda-python/cuda-core/latest/interoperability.html
        if let Some(protocol) = object.getattr_opt(intern!(py, "__cuda_stream__"))? {
            let answer = finalization::call(&protocol, &PyTuple::empty(py), None)?;
            let (_version, stream): (u32, Bound<'py, PyAny>) = answer.extract()?;
            return handle(&stream);
        }
        // PyTorch and CuPy before that protocol.
        for attribute in [intern!(py, "cuda_stream"), intern!(py, "ptr")] {
            if let Some(stream) = object.getattr_opt(attribute)? {
                return handle(&stream);
            }
        }
        Err(PyTypeError::new_err(format!(
            "stream must be a CUDA stream's handle or an object with __cuda_stream__, not {}",
            object.get_type().name()?
        )))
    }
}

impl StreamArgument {
    /// One that may be left out, read by the method itself: what goes wrong before that is not in its `guard`.
    pub fn read(stream: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Stream>> {
        stream
            .map(|stream| stream.extract().map(|Self(stream)| stream))
            .transpose()
    }
}

fn handle(object: &Bound<'_, PyAny>) -> PyResult<StreamArgument> {
    let wrong = || PyValueError::new_err("stream is not the handle of a CUDA stream");
    object
        .extract()
        .map(|handle| StreamArgument(Stream(handle)))
        .map_err(|error| instead(object.py(), error, wrong))
}
