//! `cuvec-new doctor`: what keeps a package from being built and used. It looks, and changes nothing.

mod package;
mod scripts;

use std::path::Path;

use crate::error::{Error, Result};
use crate::tell::findings;
use package::Package;
pub use scripts::has_rustc;
use scripts::{machine, wheel};

/// Fix where there is no compiler of kernels in Rust.
pub const INSTALL_RUSTC: &str = "rustup component add rust-src";

/// Looks at a wheel, or at this machine for the package in a folder.
pub fn run(path: &Path, json: bool) -> Result<()> {
    let found = match path.is_dir() {
        true => {
            let package = Package::read(path);
            let mut found = package::check(&package);
            found.extend(machine(&package)?);
            found
        }
        false if path.extension().is_some_and(|it| it == "whl") && path.exists() => wheel(path)?,
        false if path.exists() => {
            return Err(Error::usage(
                format!("`{}` is not a wheel", path.display()),
                "give the folder of a package, or a wheel: `pip wheel --no-deps FILE.tar.gz` makes one of an sdist",
            ));
        }
        false => {
            return Err(Error::usage(
                format!("`{}` does not exist", path.display()),
                "give the folder of a package, or a wheel",
            ));
        }
    };
    findings(&found, json)
}
