//! The build script of a crate in src/ with C++: `build = "runtime/rust/bridge.rs"`, with `cxx-build` among the
//! build dependencies. Compiles the `cxx::bridge` of lib.rs, which includes the headers of the SOURCES, and does
//! what link.rs does.

use std::env;
use std::fs;

#[path = "link.rs"]
mod link;

fn main() {
    let mut bridge = cxx_build::bridge("src/lib.rs");
    bridge.std("c++17").include("src");
    if let Ok(include) = env::var("CUVEC_INCLUDE") {
        bridge.include(include); // the runtime's
    }
    bridge.compile("bridge");
    for entry in fs::read_dir("src").expect("the folder of the sources") {
        let file = entry.expect("a source").path();
        let file = file.to_string_lossy();
        if [".rs", ".h", ".hpp"].iter().any(|end| file.ends_with(end)) {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    link::main();
}
