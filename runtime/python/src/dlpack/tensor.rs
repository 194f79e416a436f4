//! Reads DLPack tensors as arrays.

use std::slice;

use cuvec_core::DType;
use cuvec_core::shape::InlineShape;
use cuvec_core::{Array, Place, Stream, shape};
use pyo3::prelude::*;

use super::ffi::{CUDA, DLDevice, DLPackExchangeAPI, DLTensor};
use crate::argument::{Argument, Unreadable, unsupported};
use crate::error::{invalid, to_python};
use crate::stream::{OnGpu, StreamCache};

/// Reads the array that a tensor describes, as one that is read-only and nobody's.
///
/// # Safety
/// Everything that the tensor points to must be valid.
pub unsafe fn read<'a>(
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
    // What the tensor points to has been read: others may be asked.
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
pub enum Ready<'a> {
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
