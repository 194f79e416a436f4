//! The GPUs: contexts, kernels, streams and the graphs that these capture. Everything else is above.

pub(crate) mod capture;
mod context;
pub mod current;
pub(crate) mod event;
mod gather;
pub(crate) mod graph;
mod kernels;
mod mark;
mod pointer;
pub(crate) mod retained;
pub mod stream;
mod thread_stream;

pub use context::Gpu;
pub use mark::Mark;
pub use stream::Stream;
