//! What a tensor says, as an array.

use cuvec_core::DType;
use cuvec_core::shape::InlineShape;
use cuvec_core::{Array, Place, Stream};
use dlpark::ffi::{DLDataType, DLDevice, DLDeviceType, DLPackExchangeAPI, DLTensor};
use pyo3::prelude::*;

use super::device::gpu_of;
use crate::argument::{Argument, Unreadable, unsupported};
use crate::error::{invalid, to_python};
use crate::stream_cache::{OnGpu, StreamCache};

/// Reads the array that a tensor describes, as one that is read-only and nobody's.
///
/// # Safety
/// What the tensor points to must be there.
pub unsafe fn read<'a>(
    py: Python<'_>,
    tensor: &DLTensor,
    ready: &Ready,
    slot: &'a mut Option<Argument>,
) -> Result<&'a mut Argument, Unreadable> {
    // SAFETY: the caller's.
    let (extents, strides) = unsafe { (tensor.shape(), tensor.strides()) };
    let (extents, strides) = (extents.map_err(invalid)?, strides.map_err(invalid)?);
    if extents.iter().any(|&extent| extent < 0) {
        return Err(invalid("the array has a negative extent").into());
    }
    let shape = InlineShape::new(extents.len(), |axis| extents[axis] as usize);
    let is_dense = |strides| shape.count() == 0 || is_contiguous(&shape, strides);
    let contiguous = strides.is_none_or(is_dense);
    // What the tensor points to has been read: others may be streams.
    let on = ready.on(py, tensor.device)?;
    let dtype = dtype_of(tensor.dtype)?;
    let bytes = shape.bytes(dtype).map_err(to_python)?;
    let (address, place) = if bytes == 0 {
        (tensor.data as usize, Place::Host) // an empty array is nowhere
    } else {
        let address = address_of(tensor)?;
        let bytes = if contiguous { bytes } else { dtype.size() };
        let place = match on {
            None => Place::Host,
            Some((gpu, _)) if ready.knows_place(tensor.device) => Place::Foreign { gpu: gpu.index },
            Some((gpu, _)) => Place::Foreign {
                gpu: gpu.locate(address, bytes).map_err(to_python)?,
            },
        };
        (address, place)
    };
    Ok(slot.insert(Argument {
        array: Array {
            address,
            dtype,
            shape,
            contiguous,
            writable: false,
            place,
            ready: on.map(|(_, stream)| stream),
        },
        borrowed: None,
    }))
}

/// The stream after whose present work a tensor on a GPU is ready.
pub enum Ready<'a> {
    /// That of its library, as these functions say.
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
            Self::Cupys(stream) | Self::On(stream) => Ok(gpu_of(device)?.map(|gpu| (gpu, *stream))),
        }
    }

    /// Whether a library that we know has said it: then the driver is not streams as well.
    fn knows_place(&self, device: DLDevice) -> bool {
        !matches!(self, Self::On(_)) && device.device_type == DLDeviceType::CUDA
    }
}

/// The address of the first element, of which there is one.
fn address_of(tensor: &DLTensor) -> PyResult<usize> {
    let offset = usize::try_from(tensor.byte_offset).ok();
    let address = offset.and_then(|offset| (tensor.data as usize).checked_add(offset));
    let address = address.filter(|_| !tensor.data.is_null());
    address.ok_or_else(|| invalid("the array has elements, but no address"))
}

/// Whether the elements lie one after the other, of which there is at least one. As in NumPy, the
/// stride of an axis of length one does not matter.
fn is_contiguous(shape: &[usize], strides: &[i64]) -> bool {
    let mut step = 1;
    shape.iter().zip(strides).rev().all(|(&extent, &stride)| {
        let follows = extent == 1 || stride == step;
        step *= extent as i64; // all elements have room in memory
        follows
    })
}

fn dtype_of(dtype: DLDataType) -> Result<DType, Unreadable> {
    DType::from_dlpack(dtype.code.0, dtype.bits)
        .filter(|_| dtype.lanes == 1)
        .ok_or_else(|| {
            unsupported(format_args!(
                "DLPack type {} of {} bits",
                dtype.code.0, dtype.bits
            ))
        })
}
