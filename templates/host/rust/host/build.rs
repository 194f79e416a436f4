//! Finds the image of the kernels that `src/gpu/kernels.rs` embeds.
//!
//! CMake names it in `KERNELS_IMAGE` (empty: built without CUDA). Without CMake, as in
//! `cargo test`, the kernels are compiled here; where no nvcc is at hand they are left
//! out with a warning, and the crate works on the CPU.

use std::env;
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
    for variable in ["CUDACXX", "CUDA_HOME", "CUDA_PATH", "CUDAToolkit_ROOT"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    if !cmake_is_there() {
        return warn_without("cmake");
    }
    let built = cmake::Config::new("../kernels").profile("Release").build();
    let image = Path::new(&built).join("kernels.fatbin");
    if image.exists() {
        Some(image)
    } else {
        warn_without("nvcc")
    }
}

fn cmake_is_there() -> bool {
    Command::new(env::var_os("CMAKE").unwrap_or("cmake".into()))
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn warn_without(tool: &str) -> Option<PathBuf> {
    println!("cargo::warning=no {tool} found: built without kernels, for the CPU only");
    println!(
        "cargo::warning=to build them: pip install 'cuda-toolkit[nvcc,cccl]==13.0.*' cmake ninja, in an activated environment"
    );
    None
}
