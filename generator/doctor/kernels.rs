//! Checks the compiler of kernels in Rust, which is needed after an edit of them.

use std::path::{Path, PathBuf};

use super::package::Package;
use super::programs::{Version, ask, find, set};
use super::rust::homes;
use crate::tell::Finding;

pub const INSTALL: &str = "rustup component add rust-src";
const OTHER: &str = "rustup update stable, or name another one: KERNELS_RUSTC=/path/to/rustc";

/// The first one that knows `-Cpanic=immediate-abort`; `cuvec_build/ptx/tools.py` says so, too.
const LOWEST: Version = Version(1, 92);

const PTXAS: &str = "
import importlib.metadata as m
print(*(f.locate() for f in m.files('nvidia-cuda-nvcc') or () if f.stem == 'ptxas'))";

pub fn check(package: &Package) -> Vec<Finding> {
    if !package.has_kernels_in_rust() || Package::is_without_cuda() {
        return Vec::new();
    }
    let compiler = "compiler of kernels";
    let assembler = "assembler of kernels";
    let new = package.kernels_without_ptx();
    vec![
        match (rustc(), &new[..]) {
            (Ok(path), _) => Finding::ok(compiler, path),
            (Err((problem, hint)), []) => {
                let found = format!("{problem}; kernels that are edited cannot be compiled");
                Finding::warning(compiler, found, hint)
            }
            (Err((problem, hint)), new) => {
                let found = format!("{problem}; {} cannot be compiled", new.join(", "));
                Finding::problem(compiler, found, hint)
            }
        },
        match (ptxas(), set("KERNELS_PTXAS")) {
            (Some(path), _) => Finding::ok(assembler, path),
            (None, None) => {
                Finding::ok(assembler, "none; a build gets one from PyPI after an edit")
            }
            (None, Some(named)) => {
                let found = format!("KERNELS_PTXAS: there is no {named}");
                Finding::warning(assembler, found, "unset KERNELS_PTXAS")
            }
        },
    ]
}

pub fn has_rustc() -> bool {
    rustc().is_ok()
}

/// The compiler, with the sources of its library beside it; or what is wrong, and what fixes it.
fn rustc() -> Result<String, (String, &'static str)> {
    if let Some(rustc) = set("KERNELS_RUSTC") {
        return with_sources(&rustc);
    }
    let none = || {
        (
            "there is no rustup".to_owned(),
            "install Rust: https://rustup.rs",
        )
    };
    let rustup = find(&["rustup"], &homes()).ok_or_else(none)?;
    let mut result = Err(("rustup has no compiler".to_owned(), "rustup default stable"));
    for toolchain in ["stable", "nightly"] {
        if let Some(rustc) = ask(&rustup, &["which", "--toolchain", toolchain, "rustc"]) {
            result = with_sources(&rustc);
        }
        if result.is_ok() {
            break;
        }
    }
    result
}

fn with_sources(rustc: &str) -> Result<String, (String, &'static str)> {
    let rustc = rustc.trim();
    let sysroot = ask(Path::new(rustc), &["--print", "sysroot"]);
    let sysroot = sysroot.ok_or((format!("{rustc} does not run"), OTHER))?;
    let version = ask(Path::new(rustc), &["--version"]);
    let version = version.filter(|it| it.starts_with("rustc "));
    if let Some(version) = version.as_deref().and_then(Version::find)
        && version < LOWEST
    {
        let problem = format!("{rustc} is {version}, and kernels need {LOWEST} or later");
        return Err((problem, OTHER));
    }
    let library = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/core/src/lib.rs");
    match library.exists() {
        true => Ok(rustc.to_owned()),
        false => Err((format!("{rustc} has no sources of its library"), INSTALL)),
    }
}

fn ptxas() -> Option<String> {
    if let Some(path) = set("KERNELS_PTXAS") {
        return Path::new(&path).exists().then_some(path);
    }
    let python = find(&["python3", "python"], &[]);
    let of_python = python.and_then(|it| ask(&it, &["-I", "-c", PTXAS]));
    let of_python = of_python
        .map(|it| it.trim().to_owned())
        .filter(|it| !it.is_empty());
    let homes = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(set);
    let homes = homes
        .map(PathBuf::from)
        .chain([PathBuf::from("/usr/local/cuda")]);
    let folders: Vec<_> = homes.map(|it| it.join("bin")).collect();
    of_python.or_else(|| find(&["ptxas"], &folders).map(|it| it.display().to_string()))
}
