//! `cuvec-new doctor`: what keeps a package from being built and used. It looks, and changes nothing.

mod cache;
mod cmake;
mod compiler;
mod cuda;
mod kernels;
mod package;
mod programs;
mod python;
mod rust;
mod scripts;

use std::path::Path;

use crate::error::{Error, Result};
use crate::interrupt;
use crate::tell::{Finding, findings};
pub use kernels::{INSTALL as INSTALL_RUSTC, has_rustc};
use package::Package;

/// Checks for a build, group by group.
const CHECKS: [fn(&Package) -> Vec<Finding>; 8] = [
    package::check,
    // Every build begins with it.
    rust::check,
    cache::check,
    python::check,
    cmake::check,
    cuda::check,
    compiler::check,
    kernels::check,
];

/// Looks at a wheel, or at this machine for the package in a folder.
pub fn run(path: &Path, json: bool) -> Result<()> {
    let found = match path.is_dir() {
        true => {
            let package = Package::read(path);
            let built = CHECKS.iter().flat_map(|check| check(&package));
            built.chain(scripts::machine(&package)?).collect()
        }
        false if path.extension().is_some_and(|it| it == "whl") && path.exists() => {
            scripts::wheel(path)?
        }
        false if path.exists() => {
            return Err(Error::Usage {
                problem: format!("`{}` is not a wheel", path.display()),
                hint: "give the folder of a package, or a wheel: `pip wheel --no-deps FILE.tar.gz` makes one of an sdist"
                    .to_owned(),
            });
        }
        false => {
            return Err(Error::Usage {
                problem: format!("`{}` does not exist", path.display()),
                hint: "give the folder of a package, or a wheel".to_owned(),
            });
        }
    };
    if interrupt::happened() {
        return Err(Error::Interrupted { hint: None });
    }
    findings(&found, json)
}
