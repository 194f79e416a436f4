//! Links the functions of the package, a library of C++ and CUDA.
//!
//! CMake names a file with the directives for cargo in `KERNELS_FOR_CARGO`. Without CMake, as in
//! `cargo test`, `CMakeLists.txt` is built here; where there is no nvcc, for the CPU alone.

use std::env;
use std::fs;
use std::path::PathBuf;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(cuda)");
    println!("cargo::rerun-if-env-changed=KERNELS_FOR_CARGO");
    let directives = env::var_os("KERNELS_FOR_CARGO").map_or_else(compile, PathBuf::from);
    println!("cargo::rerun-if-changed={}", directives.display());
    match fs::read_to_string(&directives) {
        Ok(directives) => print!("{directives}"),
        Err(error) => panic!("failed to read {}: {error}", directives.display()),
    }
}

/// Builds the library, and says what is to be linked.
fn compile() -> PathBuf {
    for source in [
        "CMakeLists.txt",
        "../include",
        "../../cmake",
        "../../../kernels",
    ] {
        println!("cargo::rerun-if-changed={source}");
    }
    for variable in [
        "KERNELS",
        "CUDAARCHS",
        "CUDACXX",
        "CUDA_HOME",
        "CUDA_PATH",
        "CUDAToolkit_ROOT",
    ] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let mut cmake = cmake::Config::new(".");
    if let Some(folder) = env::var_os("KERNELS") {
        cmake.define("KERNELS", folder);
    }
    cmake.profile("Release").build_target("kernels").build();
    PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("build/kernels.txt")
}
