//! Arrays of C++ as arrays of the host.

use host::Place;

use crate::bridge::{Array, DType, Stream};

/// The host's element types, in the order of the bridge's.
const DTYPES: [host::DType; 12] = [
    host::DType::Bool,
    host::DType::I8,
    host::DType::U8,
    host::DType::I16,
    host::DType::U16,
    host::DType::I32,
    host::DType::U32,
    host::DType::I64,
    host::DType::U64,
    host::DType::F16,
    host::DType::F32,
    host::DType::F64,
];

/// No stream.
pub const NONE: Stream = Stream {
    given: false,
    handle: 0,
};

impl DType {
    pub fn to_host(self) -> host::DType {
        DTYPES[usize::from(self.repr)]
    }
}

impl Stream {
    pub fn to_host(self) -> Option<host::Stream> {
        self.given.then_some(host::Stream(self.handle))
    }
}

impl Array<'_> {
    pub fn to_host(&self) -> host::Array {
        // SAFETY: null, or a block that the caller keeps alive.
        let block = unsafe { self.block.as_ref() };
        host::Array {
            address: self.address,
            dtype: self.dtype.to_host(),
            shape: self.shape.to_vec(),
            contiguous: self.contiguous,
            writable: self.writable,
            place: match (block, usize::try_from(self.gpu)) {
                (Some(block), _) if block.gpu() >= 0 => Place::Block(block.0.clone()),
                (None, Ok(gpu)) => Place::Foreign { gpu },
                _ => Place::Host,
            },
            ready: self.ready.to_host(),
        }
    }
}
