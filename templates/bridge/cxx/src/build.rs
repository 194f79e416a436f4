//! Compiles the bridge to C++ in lib.rs, and links what CMake has compiled of smooth.cu.

use std::env;

fn main() {
    let mut bridge = cxx_build::bridge("lib.rs");
    bridge.std("c++17").include(".");
    if let Ok(include) = env::var("CUVEC_INCLUDE") {
        bridge.include(include); // that of the runtime
    }
    bridge.compile("bridge");
    for file in ["lib.rs", "smooth.h"] {
        println!("cargo::rerun-if-changed={file}");
    }
    println!("cargo::rustc-check-cfg=cfg(cuda)");
    if env::var_os("CUVEC_CUDA").is_some() {
        println!("cargo::rustc-cfg=cuda");
    }
    for variable in ["CUVEC_CUDA", "CUVEC_INCLUDE", "CUVEC_LINK"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let libraries = env::var("CUVEC_LINK").unwrap_or_default();
    for library in libraries.split('|').filter(|library| !library.is_empty()) {
        println!("cargo::rerun-if-changed={library}");
        println!("cargo::rustc-link-arg-cdylib={library}");
    }
}
