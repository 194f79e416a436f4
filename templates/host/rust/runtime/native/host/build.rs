//! Finds the image of the kernels that `src/gpu/kernels.rs` embeds.
//!
//! CMake names it in `KERNELS_IMAGE` (empty: built without CUDA). Without CMake, as in
//! `cargo test`, `kernels/CMakeLists.txt` is built here; where that cannot be they are left
//! out with a warning, and the crate works on the CPU.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn main() {
    println!("cargo::rerun-if-env-changed=KERNELS_IMAGE");
    let image = match env::var_os("KERNELS_IMAGE") {
        Some(path) if path.is_empty() => None,
        Some(path) => Some(PathBuf::from(path)),
        None => compile(),
    };
    println!("cargo::rustc-check-cfg=cfg(kernels)");
    if let Some(image) = image {
        println!("cargo::rerun-if-changed={}", image.display());
        println!("cargo::rustc-cfg=kernels");
        println!("cargo::rustc-env=KERNELS_IMAGE={}", image.display());
    }
}

fn compile() -> Option<PathBuf> {
    for source in ["../kernels", "../cmake"] {
        println!("cargo::rerun-if-changed={source}");
    }
    if !cmake_is_there() {
        println!("cargo::warning=no cmake found: built without kernels, for the CPU only");
        println!(
            "cargo::warning=to build them: pip install --group build, in an activated environment"
        );
        return None;
    }
    let built = cmake::Config::new("../kernels").profile("Release").build();
    let built = Path::new(&built);
    // What the kernels depend on, and why there are none.
    if let Ok(directives) = fs::read_to_string(built.join("cargo.txt")) {
        print!("{directives}");
    }
    let image = built.join("kernels.image");
    image.exists().then_some(image)
}

fn cmake_is_there() -> bool {
    Command::new(env::var_os("CMAKE").unwrap_or("cmake".into()))
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
