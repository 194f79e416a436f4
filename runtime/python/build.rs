//! On macOS an extension module finds the interpreter's symbols only when it is loaded.

fn main() {
    println!("cargo::rerun-if-changed=build.rs"); // and not for every file of the package
    pyo3_build_config::add_extension_module_link_args();
}
