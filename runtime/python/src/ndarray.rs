//! NumPy arrays, `CuVec`s among them.

use std::sync::Arc;

use cuvec_core::{Array, Block, Place};
use pyo3::exceptions::PyValueError;
use pyo3::ffi::PyObject_CheckBuffer;
use pyo3::prelude::*;

use crate::argument::{Argument, Backing};
use crate::buffer::Buffer;
use crate::error::Unreadable;
use crate::finalization;
use crate::numpy::{self, NdArray, RetainedMemory};
use crate::{struct_dtype, subclass};

/// False for an array of another package, which says more about its memory than NumPy: where it is,
/// and which work to wait for.
pub fn read(array: NdArray<'_, '_>, slot: &mut Option<Argument>) -> Result<bool, Unreadable> {
    subclass::refuse(array)?;
    let mut owner = owner_of(array);
    if matches!(owner, Owner::Object(_)) && !array.is_exact() {
        if finalization::has(array.as_any(), "__cuda_array_interface__")? {
            return Ok(false);
        }
        owner = owner_of(array); // the call may have changed it
    }
    let backing = retain(array, owner)?;
    // From here on the memory and the fields stay what they are.
    let dtype = array
        .dtype()?
        .ok_or_else(|| struct_dtype::refused(array.descr()))?;
    let Argument { array, borrowed } = slot.insert(Argument {
        array: Array {
            address: array.data as usize,
            dtype,
            shape: array.shape().into(),
            strides: array.scattered(dtype)?,
            writable: array.has(numpy::WRITEABLE),
            place: Place::Host,
            ready: None,
        },
        borrowed: Some(backing),
    });
    let is_on_gpu = |backing: &mut Backing| match backing {
        Backing::Block(block) => block.gpu().is_some() && block.contains(array.range()),
        _ => false,
    };
    if let Some(Backing::Block(block)) = borrowed.take_if(is_on_gpu) {
        array.place = Place::Block(block);
    }
    Ok(true)
}

/// Whose memory an array shows.
enum Owner<'a, 'py> {
    Block(Arc<Block>),
    Array(NdArray<'a, 'py>),
    Object(Borrowed<'a, 'py, PyAny>),
}

fn owner_of<'a, 'py>(array: NdArray<'a, 'py>) -> Owner<'a, 'py> {
    let mut owner = array;
    loop {
        let Some(base) = owner.base() else {
            return Owner::Array(owner);
        };
        if let Ok(buffer) = base.cast::<Buffer>() {
            return Owner::Block(buffer.get().block().clone());
        }
        match NdArray::of(base) {
            Some(array) => owner = array,
            None if owner.is_retained() => return Owner::Array(owner),
            None => return Owner::Object(base),
        }
    }
}

/// Retains the memory of an array for a call, whatever another argument's methods or another thread do
/// to the array and to its owner: `resize`, `__setstate__`, `data`.
fn retain(array: NdArray<'_, '_>, owner: Owner<'_, '_>) -> PyResult<Backing> {
    match owner {
        Owner::Block(block) => Ok(Backing::Block(block)),
        Owner::Array(owner) => match RetainedMemory::of(owner)? {
            Some(memory) => Ok(Backing::Memory(memory)),
            None => Ok(Backing::Object(owner.as_any().to_owned().into())),
        },
        Owner::Object(owner) => {
            let owner = owner.to_owned();
            // SAFETY: a live object.
            let has_buffer = unsafe { PyObject_CheckBuffer(owner.as_ptr()) } != 0;
            let backing = match has_buffer {
                // A bytearray with a view is not resized, and a file not unmapped.
                true => finalization::view(owner.as_borrowed())?,
                false => owner.clone(),
            };
            match owner_of(array) {
                Owner::Object(after) if after.is(&owner) => Ok(Backing::Object(backing.into())),
                _ => Err(PyValueError::new_err(
                    "an array was changed while it was read",
                )),
            }
        }
    }
}
