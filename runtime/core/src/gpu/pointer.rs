//! Asks the driver about an address that somebody else claims to be GPU memory.

use std::ptr;

use cudarc::driver::sys;
use sys::CUpointer_attribute as Attribute;

use super::Gpu;
use crate::error::{Error, Result};

impl Gpu {
    /// The index of the GPU whose memory has `bytes` bytes at `address`, be it this one or another.
    ///
    /// # Errors
    /// `Kind::Value` when the driver knows no such memory, or less of it.
    pub fn locate(&self, address: usize, bytes: usize) -> Result<usize> {
        let _current = self.enter()?;
        let mut range = Allocated::of(address)?;
        if range.end() <= address {
            return Err(Error::wrong_value(format_args!(
                "{address:#x} is not an address of GPU memory"
            )));
        }
        let index = usize::try_from(range.gpu)
            .map_err(|_| Error::wrong_value(format_args!("{address:#x} belongs to no GPU")))?;

        // Memory that was mapped piece by piece is several allocations, one after the other.
        let end = address.checked_add(bytes);
        while end.is_none_or(|end| range.end() < end) {
            let reached = range.end();
            range = Allocated::of(reached)?;
            if range.end() <= reached {
                return Err(Error::wrong_value(format_args!(
                    "the array claims {bytes} bytes at {address:#x}, but only {} of them are GPU memory",
                    reached - address
                )));
            }
        }
        Ok(index)
    }
}

/// Memory of an address, as the driver knows it.
struct Allocated {
    /// Negative when it belongs to none.
    gpu: i32,
    /// Start of the memory that was allocated together.
    start: usize,
    /// Start and size are 0 when the driver knows no such memory.
    size: usize,
}

impl Allocated {
    /// Asks all at once: a call on another library's array waits for it.
    fn of(address: usize) -> Result<Self> {
        let mut range = Self {
            gpu: -1,
            start: 0,
            size: 0,
        };
        let mut attributes = [
            Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
            Attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
            Attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE,
        ];
        let mut values = [
            ptr::from_mut(&mut range.gpu).cast(),
            ptr::from_mut(&mut range.start).cast(),
            ptr::from_mut(&mut range.size).cast(),
        ];
        // SAFETY: the driver writes an `int`, an address and a size; it looks the address up and
        // does not follow it.
        unsafe {
            sys::cuPointerGetAttributes(
                3,
                attributes.as_mut_ptr(),
                values.as_mut_ptr(),
                address as u64,
            )
            .result()?;
        }
        Ok(range)
    }

    fn end(&self) -> usize {
        self.start + self.size
    }
}
