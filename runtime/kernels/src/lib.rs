//! Compiles the kernels of a package: each is written once, in a file of the folder `kernels`, and
//! compiled twice, to PTX for the GPU and for the CPU.
//!
//! [`kernel!`] declares a function; [`grid`] is what kernels are written with. There is no `unsafe`
//! in an owner's file.

#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, asm_experimental_arch))]

#[cfg(not(target_arch = "nvptx64"))]
extern crate std;

#[cfg(not(target_arch = "nvptx64"))]
#[allow(unsafe_code)]
pub mod call;
#[allow(unsafe_code)]
pub mod grid;
mod kernel;
#[cfg(not(target_arch = "nvptx64"))]
#[allow(unsafe_code)]
pub mod library;
#[cfg(not(target_arch = "nvptx64"))]
#[allow(unsafe_code)]
pub mod pipeline;
#[cfg(not(target_arch = "nvptx64"))]
pub mod row;
mod structure;

pub use kernel::{class, kernel};

// The macros write code that names the crate.
extern crate self as cuvec_kernels;

#[cfg(test)]
mod tests;

/// Names that a file of the folder `kernels` uses.
pub mod prelude {
    #[cfg(not(target_arch = "nvptx64"))]
    pub use crate::call::Failure;
    pub use crate::grid::small_float::*;
    pub use crate::grid::{
        Atom, Best, Block, Bounded, Complex, Element, Float, Multiply, Operand, Panel, Shuffle,
        Sum, Team, Threads, Total, View, Warp, complex64, complex128, computed, fail_if, fast,
    };
    pub use crate::{class, functions, kernel, kernel_print, structure};
    #[cfg(not(target_arch = "nvptx64"))]
    pub use cuvec_spec::Status;
}
