//! NumPy arrays, `CuVec`s among them.

use std::sync::Arc;

use cuvec_core::DType;
use cuvec_core::{Array, Block, Place};
use numpy::npyffi::{_PyArray_GET_ITEM_DATA, NPY_ARRAY_WRITEABLE};
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;

use crate::argument::{Argument, Backing, Unreadable, unsupported};
use crate::buffer::Buffer;
use crate::masked;

/// False for an array of another package, which says more about its memory than NumPy: where it is,
/// and which work to wait for.
pub fn read(
    array: pyo3::Borrowed<'_, '_, PyUntypedArray>,
    slot: &mut Option<Argument>,
) -> Result<bool, Unreadable> {
    masked::refuse(&array)?;
    let owner = owner_of(array);
    if matches!(owner, Owner::Other)
        && !array.is_exact_instance_of::<PyUntypedArray>()
        && array.hasattr("__cuda_array_interface__")?
    {
        return Ok(false);
    }
    // SAFETY: a live array object; NumPy keeps its fields valid.
    let descr = unsafe {
        let descr = (*_PyArray_GET_ITEM_DATA(array.as_array_ptr())).descr;
        pyo3::Borrowed::from_ptr(array.py(), descr.cast()).cast_unchecked::<PyArrayDescr>()
    };
    let dtype = DType::from_kind(char::from(descr.kind()), descr.itemsize())
        .filter(|_| descr.is_native_byteorder() != Some(false))
        .ok_or_else(|| unsupported(format_args!("dtype {}", *descr)))?;
    // From here on the fields stay what they are.
    let held = match &owner {
        Owner::Array(owner) => Some(retain_size(owner)?),
        Owner::Block(_) | Owner::Other => None,
    };
    // SAFETY: as above.
    let (address, flags) = unsafe {
        let fields = &*_PyArray_GET_ITEM_DATA(array.as_array_ptr());
        (fields.data as usize, fields.flags)
    };
    let Argument { array, .. } = slot.insert(Argument {
        array: Array {
            address,
            dtype,
            shape: array.shape().into(),
            contiguous: array.is_c_contiguous(),
            writable: flags & NPY_ARRAY_WRITEABLE != 0,
            place: Place::Host,
            ready: None,
        },
        borrowed: held,
    });
    if let Owner::Block(block) = owner
        && block.contains(array.range())
        && block.gpu().is_some()
    {
        array.place = Place::Block(block);
    }
    Ok(true)
}

/// Whose memory an array shows.
enum Owner<'a, 'py> {
    Block(Arc<Block>),
    Array(pyo3::Borrowed<'a, 'py, PyUntypedArray>),
    Other,
}

fn owner_of<'a, 'py>(array: pyo3::Borrowed<'a, 'py, PyUntypedArray>) -> Owner<'a, 'py> {
    let mut owner = array;
    loop {
        // SAFETY: a live array object; NumPy keeps its base alive as long.
        let base = unsafe {
            let base = (*_PyArray_GET_ITEM_DATA(owner.as_array_ptr())).base;
            pyo3::Borrowed::from_ptr_or_opt(array.py(), base)
        };
        let Some(base) = base else {
            return Owner::Array(owner);
        };
        if let Ok(buffer) = base.cast::<Buffer>() {
            return Owner::Block(buffer.get().block().clone());
        }
        match base.cast::<PyUntypedArray>() {
            Ok(array) => owner = array,
            Err(_) => return Owner::Other,
        }
    }
}

/// Keeps an array from moving its memory: what another argument's methods or another thread may
/// call, `resize(…, refcheck=False)`, does not do it to an array that has weak references.
fn retain_size(array: &Bound<'_, PyUntypedArray>) -> PyResult<Backing> {
    Ok(Backing::Array(PyWeakrefReference::new(array)?.unbind()))
}
