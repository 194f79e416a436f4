//! The build script of a crate in src/ with C++: `build = "runtime/rust/bridge.rs"`, with `cxx-build` among the
//! build dependencies. Compiles the `cxx::bridge` of lib.rs, and links what CMake has compiled of the SOURCES of
//! `cuvec_extension`, whose headers it includes. Where these have code for GPUs, `cfg!(cuda)` is true.

use std::env;
use std::fs;

fn main() {
    let mut bridge = cxx_build::bridge("src/lib.rs");
    bridge.std("c++17").include("src");
    if let Ok(include) = env::var("CUVEC_INCLUDE") {
        bridge.include(include); // that of the runtime
    }
    bridge.compile("bridge");
    for entry in fs::read_dir("src").expect("the folder of the sources") {
        let file = entry.expect("a source").path();
        let file = file.to_string_lossy();
        if [".rs", ".h", ".hpp"].iter().any(|end| file.ends_with(end)) {
            println!("cargo::rerun-if-changed={file}");
        }
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
