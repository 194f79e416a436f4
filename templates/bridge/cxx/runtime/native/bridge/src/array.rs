//! Arrays of C++ as arrays of the host.

use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;

use host::Place;
use host::shape::FEW;

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
    /// An array with shares of its own in what it needs.
    pub fn to_host(&self) -> host::Array {
        self.made_of(Arc::clone)
    }

    /// An array for as long as this one, which need not be dropped; none if its extents take memory
    /// of their own. To drop it would be a part of a small call.
    #[inline(always)] // made where it is to be, without a copy
    pub fn lend_to_host(&self) -> Option<ManuallyDrop<host::Array>> {
        // SAFETY: the share that the caller has; nobody drops it here.
        let lent = |block: &Arc<_>| unsafe { ptr::read(block) };
        (self.shape.len() <= FEW).then(|| ManuallyDrop::new(self.made_of(lent)))
    }

    #[inline(always)]
    fn made_of(&self, share: impl FnOnce(&Arc<host::Block>) -> Arc<host::Block>) -> host::Array {
        // SAFETY: null, or a block that the caller keeps alive.
        let block = unsafe { self.block.as_ref() };
        host::Array {
            address: self.address,
            dtype: self.dtype.to_host(),
            shape: self.shape.into(),
            contiguous: self.contiguous,
            writable: self.writable,
            ready: self.ready.to_host(),
            place: match (block, usize::try_from(self.gpu)) {
                (Some(block), _) if block.gpu() >= 0 => Place::Block(share(&block.0)),
                (None, Ok(gpu)) => Place::Foreign { gpu },
                _ => Place::Host,
            }, // the last: a share that is lent must not be dropped by a panic
        }
    }
}
