//! The host side of the package, without Python.
//!
//! A bridge turns Python objects into [`Array`]s and calls the functions of [`ops`]; these
//! check their arguments, then run a kernel on the GPU ([`gpu`]) or its counterpart on the
//! CPU ([`cpu`]). Memory that both can address comes from [`memory`].

pub mod array;
#[cfg(test)]
mod counting;
pub mod cpu;
pub mod device;
pub mod dtype;
pub mod error;
pub mod fork;
pub mod gpu;
pub mod memory;
pub mod ops;
pub mod parallel;
pub mod shape;
mod sum;

pub use array::{Array, Place};
pub use device::Device;
pub use dtype::DType;
pub use error::{Error, Result};
pub use gpu::stream::Stream;
pub use memory::{Block, MemoryKind};
