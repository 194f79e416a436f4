//! The core of the package, without Python.
//!
//! `_core` turns Python objects into [`Array`]s and calls [`functions`]; these check their
//! arguments, then run a body on the GPU ([`gpu`]) or on the CPU ([`parallel`]). Memory that both
//! can address comes from [`memory`].

pub mod array;
mod assign;
mod check;
pub mod device;
pub mod error;
pub mod fork;
pub mod functions;
mod gather;
pub mod gpu;
pub mod interrupt;
pub mod library;
pub mod memory;
mod nvtx;
pub mod parallel;
pub mod retained;
pub mod shape;
mod stream_call;
#[cfg(test)]
mod tests;

pub use array::{Array, Place};
pub use assign::assign;
pub use cuvec_spec::DType;
pub use device::Device;
pub use error::{Error, Result};
pub use gpu::Stream;
pub use memory::{Block, MemoryKind};
pub use retained::release_done;
