//! Arrays of C++ as arrays of the host.

use host::Place;

use crate::bridge::{Array, DType, Stream};

/// No stream.
pub const NONE: Stream = Stream {
    given: false,
    handle: 0,
};

impl DType {
    /// The host's, which are in the same order.
    pub fn to_host(self) -> host::DType {
        host::DType::ALL[usize::from(self.repr)]
    }

    pub fn of(dtype: host::DType) -> Self {
        Self { repr: dtype as u8 }
    }
}

impl Stream {
    pub fn to_host(self) -> Option<host::Stream> {
        self.given.then_some(host::Stream(self.handle))
    }
}

impl Array<'_> {
    #[inline(always)] // made where it is to be, without a copy
    pub fn to_host(&self) -> host::Array {
        // SAFETY: null, or a block that the caller keeps alive.
        let block = unsafe { self.block.as_ref() };
        let place = match (block, usize::try_from(self.gpu)) {
            (Some(block), _) if block.gpu() >= 0 => Place::Block(block.0.clone()),
            (None, Ok(gpu)) => Place::Foreign { gpu },
            _ => Place::Host,
        };
        host::Array {
            address: self.address,
            dtype: self.dtype.to_host(),
            shape: self.shape.into(),
            contiguous: self.contiguous,
            writable: self.writable,
            place,
            ready: self.ready.to_host(),
        }
    }
}
