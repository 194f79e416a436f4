//! Other exporters of the buffer protocol: `array.array`, `memoryview`, `bytearray`, …

use cuvec_core::DType;
use cuvec_core::{Array, Place, shape};
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi::PyObject_CheckBuffer;
use pyo3::prelude::*;

use crate::argument::{Argument, Backing};
use crate::error::{Unreadable, to_python, unsupported};
use crate::finalization;
use crate::finalization::interned;
use crate::numpy;
use crate::struct_dtype;

/// The array that the object exports; `None` when it exports none.
pub fn read(object: pyo3::Borrowed<'_, '_, PyAny>) -> Result<Option<Argument>, Unreadable> {
    let py = object.py();
    // SAFETY: a live object.
    if unsafe { PyObject_CheckBuffer(object.as_ptr()) } == 0 {
        return Ok(None);
    }
    if numpy::is_scalar(object) {
        let dtype = finalization::attribute(object, interned!(py, "dtype"))?; // dates are exported as bytes
        if struct_dtype::member_names(dtype.as_borrowed())?.is_some() {
            let what = "one record is not an array; pass a slice of its array, such as x[i:i+1]";
            return Err(Unreadable::Elements(what.to_owned()));
        }
        if numpy::dtype(dtype.as_borrowed())?.is_none() {
            let dtype = finalization::text(dtype.as_borrowed())?;
            return Err(unsupported(format_args!("dtype {dtype}")));
        }
    }
    // A memoryview spells out what exporters may leave unsaid.
    let view = finalization::view(object)?;
    let field = |name| finalization::attribute(view.as_borrowed(), name);
    let format = finalization::text(field(interned!(py, "format"))?.as_borrowed())?;
    let format = format.to_str()?;
    let item_size = finalization::integer(field(interned!(py, "itemsize"))?.as_borrowed())?;
    let dtype = DType::from_format(format, item_size)
        .ok_or_else(|| unsupported(format_args!("format {format:?}")))?;
    let shape: Vec<usize> = finalization::integers(field(interned!(py, "shape"))?.as_borrowed())?;
    let view = if shape.is_empty() {
        // pyo3 wants an axis at least; a scalar's bytes have one.
        finalization::call_method(view.as_borrowed(), "cast", ("B",))?
    } else {
        view
    };
    let buffer = PyUntypedBuffer::get(&view)?;
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
    drop(buffer); // which the view has as well
    Ok(Some(Argument::with(array, Backing::Object(view.into()))))
}
