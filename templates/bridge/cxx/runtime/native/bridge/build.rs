//! Generates and compiles the C++ half of the bridge in `src/lib.rs`.

fn main() {
    println!("cargo::rerun-if-changed=src/lib.rs");
    println!("cargo::rerun-if-changed=src/interrupt.hpp");
    println!("cargo::rerun-if-changed=src/loop.hpp");
    println!("cargo::rerun-if-changed=../host/include");
    cxx_build::CFG.include_prefix = "bridge";
    cxx_build::bridge("src/lib.rs")
        .include("src")
        .include("../host/include")
        .std("c++17")
        .compile("bridge");
}
