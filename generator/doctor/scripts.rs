//! Runs the checks of the runtime, which are in Python: of a build, as its backend makes it, of the driver, memory and disk, and
//! of wheels.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use super::package::Package;
use crate::answers::PythonVersion;
use crate::catalog::embedded_files;
use crate::error::{Error, Result};
use crate::process;
use crate::tell::Finding;
use crate::trial::Interpreter;

const INSTALL: &str = "install one from https://www.python.org/downloads";

/// The backend is imported without its `__init__`, which needs scikit-build-core.
const RUN: &str = "
import sys, types
backend = types.ModuleType('cuvec_build')
backend.__path__ = [sys.argv[1] + '/backend/cuvec_build']
sys.modules['cuvec_build'] = backend
from cuvec_build import needs
print(needs.for_generator(*sys.argv[2:]))";

/// Each of the programs that is asked may take a minute.
const PATIENCE: Duration = Duration::from_secs(600);

/// Looks at what a build of the package needs, at the driver, which must suit its kernels, memory and disk.
pub fn machine(package: &Package) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    let python = match Interpreter::find(package.python()) {
        Ok(python) => Some(python),
        Err(Error::NoPython {
            bare: true,
            found: seen,
            ..
        }) => {
            let hint = "on Debian and Ubuntu: apt install python3-venv";
            found.push(Finding::warning("Python", seen.join(", "), hint));
            None
        }
        Err(error) => {
            found.push(Finding::problem("Python", error.to_string(), INSTALL));
            None
        }
    };
    let facts = package.facts(python.is_some());
    let others = "cargo, compilers, driver, memory, disk";
    found.extend(looked(python, others, "package", facts.as_ref())?);
    Ok(found)
}

/// Looks at a wheel, which says itself what its kernels are.
pub fn wheel(path: &Path) -> Result<Vec<Finding>> {
    looked(None, "wheel", "wheel", path.as_ref())
}

/// Checks whether kernels in Rust can be compiled here.
pub fn has_rustc() -> bool {
    looked(None, "rustc", "rustc", "".as_ref()).is_ok_and(|found| found.is_empty())
}

/// Runs the checks of one kind, by this interpreter or by any.
fn looked(
    python: Option<Interpreter>,
    checks: &str,
    kind: &str,
    about: &OsStr,
) -> Result<Vec<Finding>> {
    let Some(python) = python.or_else(Interpreter::for_scripts) else {
        let lowest = PythonVersion::LOWEST;
        let found = format!("not looked at: no Python {lowest} or later found");
        return Ok(vec![Finding::problem(checks, found, INSTALL)]);
    };
    let folder = tempfile::tempdir();
    let folder = folder.map_err(|error| Error::io("create", std::env::temp_dir(), error))?;
    let failed = |error| Error::io("run the doctor in", folder.path(), error);
    for (path, contents) in embedded_files() {
        if path.ends_with(".py") || path == "core/Cargo.toml" {
            let path = folder.path().join(path);
            let written = std::fs::create_dir_all(path.parent().unwrap_or(&path));
            written
                .and_then(|()| std::fs::write(&path, contents))
                .map_err(failed)?;
        }
    }
    let mut command = process::program(&python.command);
    command.args(["-I", "-B", "-c", RUN]);
    command.arg(folder.path()).arg(kind).arg(about);
    let said = process::answer_within(PATIENCE, &mut command).map_err(failed)?;
    serde_json::from_str(&said).map_err(|error| failed(error.into()))
}
