//! The kernels of this package. Each is written once, in a file of its own beside this one, and
//! compiled twice: to PTX for the GPU, and for the CPU.
//!
//! [`grid`] is what kernels are written with. There is no `unsafe` outside of it.

#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, asm_experimental_arch))]

#[cfg(not(target_arch = "nvptx64"))]
extern crate std;

#[allow(unsafe_code)]
pub mod grid;

mod address;
mod axpy;
mod dot;

pub use address::address;
pub use axpy::{axpy_f32, axpy_f64};
pub use dot::{dot_f32, dot_f64};
