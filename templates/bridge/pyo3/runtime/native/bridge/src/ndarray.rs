//! NumPy arrays, `CuVec`s among them.

use std::sync::Arc;

use host::dtype::DType;
use host::{Array, Block, Place};
use numpy::npyffi::{_PyArray_GET_ITEM_DATA, NPY_ARRAY_WRITEABLE};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::argument::unsupported;
use crate::buffer::Buffer;

pub fn read(array: &Bound<'_, PyUntypedArray>) -> PyResult<Array> {
    let descr = array.dtype();
    let dtype = DType::from_kind(char::from(descr.kind()), descr.itemsize())
        .filter(|_| descr.is_native_byteorder() != Some(false))
        .ok_or_else(|| unsupported(format_args!("dtype {descr}")))?;
    // SAFETY: a live array object; NumPy keeps these fields valid.
    let (address, flags) = unsafe {
        let fields = &*_PyArray_GET_ITEM_DATA(array.as_array_ptr());
        (fields.data as usize, fields.flags)
    };
    let mut array_read = Array {
        address,
        dtype,
        shape: array.shape().to_vec(),
        contiguous: array.is_c_contiguous(),
        writable: flags & NPY_ARRAY_WRITEABLE != 0,
        place: Place::Host,
        ready: None,
    };
    if let Some(block) = block_of(array)
        && block.contains(array_read.range())
        && block.gpu().is_some()
    {
        array_read.place = Place::Block(block);
    }
    Ok(array_read)
}

/// The block of ours that the array is a view of.
fn block_of(array: &Bound<'_, PyUntypedArray>) -> Option<Arc<Block>> {
    let py = array.py();
    let mut viewed = array.as_any().to_owned();
    loop {
        // SAFETY: a live array object; NumPy keeps its base alive as long.
        let base = unsafe {
            let base = (*_PyArray_GET_ITEM_DATA(viewed.as_ptr().cast())).base;
            Bound::from_borrowed_ptr_or_opt(py, base)?
        };
        if let Ok(buffer) = base.cast::<Buffer>() {
            return Some(buffer.get().block().clone());
        }
        viewed = base.cast_into::<PyUntypedArray>().ok()?.into_any();
    }
}
