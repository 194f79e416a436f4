//! The crate of a package's kernels: its files are the modules, which `list.rs` lists.
//!
//! Each file is compiled twice, to PTX for the GPU and for the CPU. What it declares is part of the library `_functions`.

#![no_std]
#![recursion_limit = "256"] // a class with many arrays
#![deny(unsafe_code)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]
#![allow(unknown_lints, unused_features)] // a file may have no kernels
#![allow(clippy::too_many_arguments, clippy::type_complexity)] // formulas have many numbers
#![allow(non_snake_case)] // a class is in a file of its name
#![allow(clippy::module_inception)] // one of several functions may have the name of the file
#![allow(unstable_name_collisions)] // `gamma` and the like are `Float`'s, and std's when they are stable there

#[cfg(not(target_arch = "nvptx64"))]
extern crate std;

pub use cuvec_kernels::prelude;

include!(concat!(env!("OUT_DIR"), "/functions.rs"));

/// The functions in Rust: the ones in the first file, which lead to the others.
#[cfg(not(target_arch = "nvptx64"))]
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn cuvec_rust_functions() -> *const ::cuvec_kernels::library::Library {
    library_of::<0>()
}

#[cfg(not(target_arch = "nvptx64"))]
extern "C" fn library_of<const INDEX: usize>() -> *const ::cuvec_kernels::library::Library {
    ::cuvec_kernels::library::library(FILES, INDEX)
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
#[path = "tests.rs"]
mod tests;
