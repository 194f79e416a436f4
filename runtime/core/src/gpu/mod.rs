//! The GPUs: contexts, kernels, streams and the graphs that these capture. Everything else is above.

mod context;
mod gather;
pub(crate) mod graph;
mod kernels;
mod mark;
mod stream;

pub use context::{Current, Gpu};
pub use mark::Mark;
pub(crate) use stream::Recorded;
pub use stream::Stream;
