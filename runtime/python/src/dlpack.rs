//! DLPack, both ways.
//!
//! <https://dmlc.github.io/dlpack/latest/python_spec.html>

pub mod capsule;
pub mod exchange;
pub mod export;
pub mod ffi;

use std::slice;

use capsule::Imported;
use cuvec_core::gpu::Gpu;
use cuvec_core::shape::{self, InlineShape};
use cuvec_core::{Array, DType, Place, Stream};
use ffi::{CUDA, DLDevice, DLPackExchangeAPI, DLTensor, IS_COPIED, READ_ONLY};
use pyo3::prelude::*;

use crate::argument::{Argument, Backing};
use crate::error::{Unreadable, invalid, to_python, unsupported};
use crate::finalization::interned;
use crate::stream::{OnGpu, StreamCache};
use crate::{autograd, cuda_array_interface, cupy, finalization};

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

/// Reads CuPy's array without a call of Python. Its memory stays as it is as long as the caller
/// has it.
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

/// Reads the array that a tensor describes, as one that is read-only and nobody's.
///
/// # Safety
/// Everything that the tensor points to must be valid.
unsafe fn read<'a>(
    py: Python<'_>,
    tensor: &DLTensor,
    ready: &Ready,
    slot: &'a mut Option<Argument>,
) -> Result<&'a mut Argument, Unreadable> {
    // SAFETY: the caller's.
    let (extents, strides) = unsafe { (extents(tensor)?, strides(tensor)) };
    if extents.iter().any(|&extent| extent < 0) {
        return Err(invalid("the array has a negative size").into());
    }
    let shape = InlineShape::new(extents.len(), |axis| extents[axis] as usize);
    let dtype = dtype_of(tensor)?;
    let bytes = shape.bytes(dtype).map_err(to_python)?;
    let strides = match strides {
        Some(strides) if bytes != 0 => scattered(address_of(tensor)?, &shape, strides, dtype)?,
        _ => None,
    };
    // All that the tensor points to has been read: code of others may run.
    let on = ready.on(py, tensor.device)?;
    let argument = slot.insert(Argument {
        array: Array {
            address: tensor.data as usize,
            dtype,
            shape,
            strides,
            writable: false,
            place: Place::Host,
            ready: on.map(|(_, stream)| stream),
        },
        borrowed: None,
    });
    if bytes != 0 {
        // an empty array is nowhere
        let array = &mut argument.array;
        array.address = address_of(tensor)?;
        if let Some((gpu, _)) = on {
            array.place = Place::Foreign {
                gpu: match ready.knows_place(tensor.device) {
                    true => gpu.index,
                    false => {
                        let range = array.range();
                        let found = gpu.locate(range.start, range.len());
                        found.map_err(to_python)?
                    }
                },
            };
        }
    }
    Ok(argument)
}

/// # Safety
/// As above.
unsafe fn extents(tensor: &DLTensor) -> PyResult<&[i64]> {
    match usize::try_from(tensor.ndim) {
        Ok(0) => Ok(&[]),
        Ok(_) if tensor.shape.is_null() => Err(invalid("the array has dimensions, but no shape")),
        // SAFETY: the caller's.
        Ok(rank) => Ok(unsafe { slice::from_raw_parts(tensor.shape, rank) }),
        Err(_) => Err(invalid("the array has a negative number of dimensions")),
    }
}

/// None where they are a C-contiguous array's.
///
/// # Safety
/// As above, after [`extents`].
unsafe fn strides(tensor: &DLTensor) -> Option<&[i64]> {
    let there = tensor.ndim > 0 && !tensor.strides.is_null();
    // SAFETY: the caller's.
    there.then(|| unsafe { slice::from_raw_parts(tensor.strides, tensor.ndim as usize) })
}

/// The stream after whose present work a tensor on a GPU is ready.
enum Ready<'a> {
    /// The stream of its library, from these functions.
    Its(&'static DLPackExchangeAPI, &'a StreamCache),
    Cupys(Stream),
    On(Stream),
}

impl Ready<'_> {
    /// The GPU that addresses memory of this device, and the stream; none for memory of the host,
    /// which is ready.
    fn on(&self, py: Python<'_>, device: DLDevice) -> PyResult<OnGpu> {
        match self {
            Self::Its(library, streams) => streams.on(py, library, device),
            Self::Cupys(stream) | Self::On(stream) => Ok(device.gpu()?.map(|gpu| (gpu, *stream))),
        }
    }

    /// True if a library that we know has named the place: then the driver is not asked too.
    fn knows_place(&self, device: DLDevice) -> bool {
        !matches!(self, Self::On(_)) && device.device_type == CUDA
    }
}

/// The address of the first element, of which there is one.
fn address_of(tensor: &DLTensor) -> PyResult<usize> {
    let offset = usize::try_from(tensor.byte_offset).ok();
    let address = offset.and_then(|offset| (tensor.data as usize).checked_add(offset));
    let address = address.filter(|_| !tensor.data.is_null());
    address.ok_or_else(|| invalid("the array has elements, but no address"))
}

/// The same in bytes, for an array with elements; none where they are a C-contiguous array's.
fn scattered(
    address: usize,
    shape: &[usize],
    strides: &[i64],
    dtype: DType,
) -> PyResult<Option<Box<[isize]>>> {
    let size = dtype.size() as i128;
    let bytes = strides.iter().map(|&stride| i128::from(stride) * size);
    shape::scattered(address, shape, bytes, dtype).map_err(to_python)
}

fn dtype_of(tensor: &DLTensor) -> Result<DType, Unreadable> {
    DType::from_dlpack(tensor.code, tensor.bits)
        .filter(|_| tensor.lanes == 1)
        .ok_or_else(|| {
            unsupported(format_args!(
                "DLPack type {} of {} bits",
                tensor.code, tensor.bits
            ))
        })
}
