//! The build script of a crate in src/: `build = "runtime/rust/link.rs"`. Links what CMake has compiled of the SOURCES of
//! `cuvec_extension`, and its LIBRARIES. Where they have code for GPUs, `cfg!(cuda)` is true.

pub fn main() {
    println!("cargo::rustc-check-cfg=cfg(cuda)");
    if std::env::var_os("CUVEC_CUDA").is_some() {
        println!("cargo::rustc-cfg=cuda");
    }
    for variable in ["CUVEC_CUDA", "CUVEC_INCLUDE", "CUVEC_LINK"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let libraries = std::env::var("CUVEC_LINK").unwrap_or_default();
    for library in libraries.split('|').filter(|library| !library.is_empty()) {
        if !library.starts_with('-') {
            println!("cargo::rerun-if-changed={library}");
        }
        println!("cargo::rustc-link-arg-cdylib={library}");
    }
}
