//! Generates and compiles the C++ half of the bridge in `lib.rs`.

fn main() {
    println!("cargo::rerun-if-changed=lib.rs");
    cxx_build::bridge("lib.rs").std("c++17").compile("ext");
}
