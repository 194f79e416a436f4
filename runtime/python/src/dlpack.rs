//! DLPack, both ways.
//!
//! <https://dmlc.github.io/dlpack/latest/python_spec.html>

pub mod capsule;
pub mod exchange;
pub mod export;
pub mod ffi;
mod tensor;

use cuvec_core::gpu::Gpu;
use cuvec_core::{Array, Place, Stream};

use pyo3::prelude::*;

use crate::argument::{Argument, Backing, Unreadable};
use crate::autograd;
use crate::cuda_array_interface;
use crate::cupy;
use crate::error::to_python;
use crate::finalization;
use crate::interned::interned;
use crate::stream::StreamCache;
use capsule::Imported;
use ffi::{CUDA, DLDevice, DLPackExchangeAPI, IS_COPIED, READ_ONLY};
use tensor::{Ready, read};

/// Checks whether the object is known to be PyTorch's or CuPy's: faster than to check for NumPy.
pub fn is_known(object: pyo3::Borrowed<'_, '_, PyAny>) -> bool {
    exchange::is_torchs(object) || cupy::was_seen(object)
}

/// Reads the array that the object exports; false when it exports none.
pub fn import(
    object: pyo3::Borrowed<'_, '_, PyAny>,
    streams: &StreamCache,
    slot: &mut Option<Argument>,
) -> Result<bool, Unreadable> {
    if let Some(offer) = exchange::offered_first(object)? {
        if offer.can_borrow {
            autograd::refuse_tangent(object, &streams.without_tangents)?;
        }
        if offer.can_borrow && streams.may_borrow && borrow(object, offer.functions, streams, slot)?
        {
            return Ok(true);
        }
        return share(object, offer.functions, streams, slot);
    }
    if !cupy::was_seen(object) {
        if finalization::attribute_opt(object, interned!(object.py(), "__dlpack__"))?.is_none() {
            return Ok(false);
        }
        autograd::refuse_tangent(object, &streams.without_tangents)?;
        if let Some(library) = exchange::offered(object)? {
            return share(object, library, streams, slot);
        }
        if !cupy::see(object)? {
            return by_methods(object, slot);
        }
    }
    if streams.may_borrow && borrow_from_cupy(object, streams, slot)? {
        return Ok(true);
    }
    // Nothing is waited for by CuPy itself.
    let arguments = cupy::arguments(object.py()).expect("made when its class was seen");
    let tensor = capsule::import_without_wait(object, &arguments)?;
    let ready = Ready::Cupys(streams.cupys_stream(object.py())?);
    owned(object, tensor, &ready, slot)?;
    Ok(true)
}

/// The array of an object whose library offers these functions, and a share in its memory.
fn share(
    object: pyo3::Borrowed<'_, '_, PyAny>,
    library: &'static DLPackExchangeAPI,
    streams: &StreamCache,
    slot: &mut Option<Argument>,
) -> Result<bool, Unreadable> {
    let tensor = exchange::import(library, object)?;
    let argument = owned(object, tensor, &Ready::Its(library, streams), slot)?;
    exchange::refuse_other_values(object, &argument.array)?;
    Ok(true)
}

/// The same without a share, which takes less. Not unless it is in the GPU's own memory: other memory
/// is really freed when another thread releases it.
fn borrow(
    object: pyo3::Borrowed<'_, '_, PyAny>,
    library: &'static DLPackExchangeAPI,
    streams: &StreamCache,
    slot: &mut Option<Argument>,
) -> Result<bool, Unreadable> {
    let tensor = exchange::borrow_tensor(library, object)?;
    if tensor.device.device_type != CUDA {
        return Ok(false);
    }
    // SAFETY: its library vouches for the tensor, and nothing else runs before it is read.
    let argument = unsafe { read(object.py(), &tensor, &Ready::Its(library, streams), slot) }?;
    exchange::refuse_other_values(object, &argument.array)?;
    argument.array.writable = true; // as all borrowed tensors are
    argument.borrowed = Some(Backing::FromCaller);
    Ok(true)
}

/// The same of CuPy's array, without a call of Python. Its memory stays what it is as long as the
/// caller has it.
fn borrow_from_cupy(
    object: pyo3::Borrowed<'_, '_, PyAny>,
    streams: &StreamCache,
    slot: &mut Option<Argument>,
) -> Result<bool, Unreadable> {
    let py = object.py();
    let Some(fields) = cupy::fields(object)? else {
        return Ok(false);
    };
    let device = DLDevice {
        device_type: CUDA,
        device_id: fields.gpu,
    };
    let Some(gpu) = device.gpu()? else {
        return Ok(false);
    };
    let ready = streams.cupys_stream(py)?;
    fields.shape.bytes(fields.dtype).map_err(to_python)?;
    *slot = Some(Argument {
        array: Array {
            address: fields.address,
            dtype: fields.dtype,
            shape: fields.shape,
            strides: None,
            writable: true,
            place: Place::Foreign { gpu: gpu.index },
            ready: Some(ready),
        },
        borrowed: Some(Backing::FromCaller),
    });
    Ok(true)
}

fn owned<'a>(
    object: pyo3::Borrowed<'_, '_, PyAny>,
    tensor: Imported,
    ready: &Ready,
    slot: &'a mut Option<Argument>,
) -> Result<&'a mut Argument, Unreadable> {
    // SAFETY: the exporter vouches for its tensor, which nobody else has.
    let argument = unsafe { read(object.py(), tensor.tensor(), ready, slot) }?;
    argument.array.writable = is_writable(object, tensor.flags)?;
    argument.borrowed = Some(Backing::Dlpack(tensor.owner));
    Ok(argument)
}

fn by_methods(
    object: pyo3::Borrowed<'_, '_, PyAny>,
    slot: &mut Option<Argument>,
) -> Result<bool, Unreadable> {
    let device = capsule::device_of(object)?;
    // The exporter makes its work precede ours on this stream, if it is on a GPU.
    let stream = device.gpu()?.map(our_stream).transpose()?;
    let tensor = capsule::import(object, device, stream)?;
    let ready = Ready::On(Stream(stream.unwrap_or_default()));
    owned(object, tensor, &ready, slot)?;
    Ok(true)
}

/// The stream on which we want arrays to be ready.
fn our_stream(gpu: &Gpu) -> PyResult<usize> {
    Ok(gpu.thread_stream().map_err(to_python)?.0)
}

/// Checks whether writing to the tensor writes to the object.
///
/// Exporters from before DLPack 1.0 cannot say so, and some of their arrays are immutable;
/// for them it takes a `__cuda_array_interface__` that permits writing.
fn is_writable(object: pyo3::Borrowed<'_, '_, PyAny>, flags: Option<u64>) -> PyResult<bool> {
    if let Some(flags) = flags {
        return Ok(flags & (READ_ONLY | IS_COPIED) == 0);
    }
    match cuda_array_interface::find(object)? {
        Some(interface) => cuda_array_interface::is_writable(&interface),
        None => Ok(false),
    }
}
