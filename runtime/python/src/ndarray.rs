//! NumPy arrays, `CuVec`s among them.

use std::sync::Arc;

use cuvec_core::{Array, Block, Place};
use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;

use crate::argument::{Argument, Backing, Unreadable, unsupported};
use crate::buffer::Buffer;
use crate::numpy::{self, NdArray};
use crate::subclass;

/// False for an array of another package, which says more about its memory than NumPy: where it is,
/// and which work to wait for.
pub fn read(array: NdArray<'_, '_>, slot: &mut Option<Argument>) -> Result<bool, Unreadable> {
    subclass::refuse(array)?;
    let owner = owner_of(array);
    if matches!(owner, Owner::Other)
        && !array.is_exact()
        && array.as_any().hasattr("__cuda_array_interface__")?
    {
        return Ok(false);
    }
    let dtype = array
        .dtype()
        .ok_or_else(|| unsupported(format_args!("dtype {}", *array.descr())))?;
    // From here on the fields stay what they are.
    let held = match &owner {
        Owner::Array(owner) => Some(retain_size(*owner)?),
        Owner::Block(_) | Owner::Other => None,
    };
    let Argument { array, .. } = slot.insert(Argument {
        array: Array {
            address: array.data as usize,
            dtype,
            shape: array.shape().into(),
            contiguous: array.has(numpy::C_CONTIGUOUS),
            writable: array.has(numpy::WRITEABLE),
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
    Array(NdArray<'a, 'py>),
    Other,
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
            None => return Owner::Other,
        }
    }
}

/// Keeps an array from moving its memory: what another argument's methods or another thread may
/// call, `resize(…, refcheck=False)`, does not do it to an array that has weak references.
fn retain_size(array: NdArray<'_, '_>) -> PyResult<Backing> {
    let reference = PyWeakrefReference::new(&array.as_any())?;
    Ok(Backing::Array(reference.unbind()))
}
