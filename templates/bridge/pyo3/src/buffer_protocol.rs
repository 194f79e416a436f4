//! Other exporters of the buffer protocol: `array.array`, `memoryview`, `bytearray`, …

use host::dtype::DType;
use host::{Array, Place, shape};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::ffi::PyObject_CheckBuffer;
use pyo3::prelude::*;

use crate::argument::{Argument, Borrowed, unsupported};

/// The array that the object exports; `None` when it exports none.
pub fn read(object: pyo3::Borrowed<'_, '_, PyAny>) -> PyResult<Option<Argument>> {
    // SAFETY: a live object.
    if unsafe { PyObject_CheckBuffer(object.as_ptr()) } == 0 {
        return Ok(None);
    }
    let buffer = PyUntypedBuffer::get(&object)?;
    let format = buffer.format().to_string_lossy();
    let dtype = DType::from_format(&format, buffer.item_size())
        .ok_or_else(|| unsupported(format_args!("format {format:?}")))?;
    let array = Array {
        address: buffer.buf_ptr() as usize,
        dtype,
        shape: buffer.shape().to_vec(),
        contiguous: buffer.suboffsets().is_none()
            && shape::is_contiguous(buffer.shape(), buffer.strides(), dtype),
        writable: !buffer.readonly(),
        place: Place::Host,
        ready: None,
    };
    Ok(Some(Argument::with(array, Borrowed::Buffer(buffer))))
}
