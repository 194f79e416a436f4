//! Calls on the GPU: their streams, and the memory that they need besides their arrays.

mod scratch;
mod staging;
mod stream_call;

pub use staging::Use;
pub use stream_call::StreamCall;
