//! What the kernels of a package are made with: each is written once, in a file of the folder
//! `kernels`, and compiled twice, to PTX for the GPU and for the CPU.
//!
//! [`kernel!`] declares a function; [`grid`] is what kernels are written with. There is no `unsafe`
//! in an owner's file.

#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, asm_experimental_arch))]

#[cfg(not(target_arch = "nvptx64"))]
extern crate std;

// The sources of the crate `libm`, for the GPU: cargo builds it for the CPU.
#[cfg(target_arch = "nvptx64")]
include!(concat!(env!("OUT_DIR"), "/libm.rs"));
#[cfg(target_arch = "nvptx64")]
use libm::support; // as its sources name it

#[cfg(not(target_arch = "nvptx64"))]
#[allow(unsafe_code)]
pub mod call;
#[allow(unsafe_code)]
pub mod grid;
mod kernel;
#[cfg(not(target_arch = "nvptx64"))]
#[allow(unsafe_code)]
mod library;
#[cfg(not(target_arch = "nvptx64"))]
#[allow(unsafe_code)]
pub mod plan;
#[cfg(not(target_arch = "nvptx64"))]
pub mod row;
#[cfg(not(target_arch = "nvptx64"))]
mod structs;
mod structure;

#[cfg(test)]
mod tests;

/// What a file of the folder `kernels` uses.
pub mod prelude {
    #[cfg(not(target_arch = "nvptx64"))]
    pub use crate::call::Failure;
    pub use crate::grid::{
        Atom, Best, Block, Bounded, Complex, Element, Float, Multiply, Operand, Panel, Shuffle,
        Sum, Team, Threads, Total, View, Warp, bf16, complex64, complex128, computed, f8e4m3,
        f8e5m2, f16, fail_if, fast,
    };
    pub use crate::{class, kernel, kernel_print, structure};
    #[cfg(not(target_arch = "nvptx64"))]
    pub use cuvec_spec::Status;
}

/// The files of the folder, as the build has listed them, and their functions.
#[allow(clippy::too_many_arguments, clippy::type_complexity)] // formulas have many numbers
#[allow(non_snake_case)] // a class is in a file of its name
#[allow(unstable_name_collisions)] // `gamma` and the like are `Float`'s, and std's when they are stable there
pub mod files {
    include!(concat!(env!("OUT_DIR"), "/functions.rs"));
}
