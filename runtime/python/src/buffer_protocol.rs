//! Other exporters of the buffer protocol: `array.array`, `memoryview`, `bytearray`, …

use cuvec_core::DType;
use cuvec_core::{Array, Place, shape};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi::PyObject_CheckBuffer;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;

use crate::argument::{Argument, Backing, Unreadable, unsupported};
use crate::error::to_python;
use crate::numpy;

/// The array that the object exports; `None` when it exports none.
pub fn read(object: pyo3::Borrowed<'_, '_, PyAny>) -> Result<Option<Argument>, Unreadable> {
    let py = object.py();
    // SAFETY: a live object.
    if unsafe { PyObject_CheckBuffer(object.as_ptr()) } == 0 {
        return Ok(None);
    }
    if numpy::is_scalar(object) {
        let dtype = object.getattr(intern!(py, "dtype"))?; // dates are exported as bytes
        if numpy::dtype(dtype.as_borrowed())?.is_none() {
            return Err(unsupported(format_args!("dtype {dtype}")));
        }
    }
    // A memoryview spells out what exporters may leave unsaid.
    let view = PyMemoryView::from(&object)?;
    let format: String = view.getattr(intern!(py, "format"))?.extract()?;
    let item_size = view.getattr(intern!(py, "itemsize"))?.extract()?;
    let dtype = DType::from_format(&format, item_size)
        .ok_or_else(|| unsupported(format_args!("format {format:?}")))?;
    let shape: Vec<usize> = view.getattr(intern!(py, "shape"))?.extract()?;
    let buffer = if shape.is_empty() {
        // pyo3 wants an axis at least; a scalar's bytes have one.
        PyUntypedBuffer::get(&view.call_method1(intern!(py, "cast"), ("B",))?)?
    } else {
        PyUntypedBuffer::get(&view)?
    };
    if buffer.suboffsets().is_some() {
        return Err(PyBufferError::new_err("arrays of pointers are not supported").into());
    }
    let address = buffer.buf_ptr() as usize;
    let strides = match buffer.is_c_contiguous() {
        true => None,
        false => {
            let strides = buffer.strides().iter().map(|&stride| stride as i128);
            shape::scattered(address, &shape, strides, dtype).map_err(to_python)?
        }
    };
    let array = Array {
        address,
        dtype,
        strides,
        shape: shape[..].into(),
        writable: !buffer.readonly(),
        place: Place::Host,
        ready: None,
    };
    Ok(Some(Argument::with(array, Backing::Buffer(buffer))))
}
