//! What the driver knows about an address that somebody else claims to be GPU memory.

use std::mem::MaybeUninit;

use cudarc::driver::{DriverError, sys};
use sys::CUpointer_attribute as Attribute;

use crate::device;
use crate::error::{Error, Result};

/// The index of the GPU whose memory holds `bytes` bytes at `address`.
///
/// # Errors
/// `Error::Value` when the driver knows no such memory, or less of it.
pub fn locate(address: usize, bytes: usize) -> Result<usize> {
    let device::Device::Gpu(gpu) = device::current()? else {
        let reason = device::describe()?.reason;
        return Err(Error::Value(format!(
            "the array is in GPU memory, but this process works on the CPU: {reason}"
        )));
    };
    let _current = gpu.enter()?;
    let unknown = |_| Error::Value(format!("{address:#x} is not an address of GPU memory"));
    let index: i32 =
        attribute(Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address).map_err(unknown)?;

    // Memory that was mapped piece by piece is several ranges in a row.
    let end = address.checked_add(bytes);
    let mut reached = address;
    while end.is_none_or(|end| reached < end) {
        let next = range_end(reached).ok().filter(|&next| next > reached);
        reached = next.ok_or_else(|| {
            Error::Value(format!(
                "the array claims {bytes} bytes at {address:#x}, but only {} of them are GPU memory",
                reached - address
            ))
        })?;
    }
    usize::try_from(index).map_err(|_| Error::Value(format!("{address:#x} belongs to no GPU")))
}

fn range_end(address: usize) -> Result<usize, DriverError> {
    let start: usize = attribute(Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address)?;
    let size: usize = attribute(Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE, address)?;
    Ok(start + size)
}

/// `T` must be the type that the driver's documentation gives for the attribute.
fn attribute<T: Copy>(attribute: Attribute, address: usize) -> Result<T, DriverError> {
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: the driver writes one `T`; it looks the address up and does not follow it.
    unsafe {
        sys::cuPointerGetAttribute(value.as_mut_ptr().cast(), attribute, address as u64)
            .result()?;
        Ok(value.assume_init())
    }
}
