//! On macOS an extension module finds the interpreter's symbols only when it is loaded.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
