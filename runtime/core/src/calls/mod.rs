//! Calls on the GPU: their streams, and the memory that they need besides their arrays.

mod captured;
mod carriers;
mod kept;
mod scratch;
mod staging;
mod stream_call;

pub use kept::{Kept, keep_until, release_done};
pub use staging::Use;
pub use stream_call::StreamCall;
