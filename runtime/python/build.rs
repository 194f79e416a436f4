//! On macOS an extension module finds the interpreter's symbols only when it is loaded. Which of Python's ABIs is built for decides about code.

fn main() {
    println!("cargo::rerun-if-changed=build.rs"); // and not for every file of the package
    pyo3_build_config::use_pyo3_cfgs();
    pyo3_build_config::add_extension_module_link_args();
}
