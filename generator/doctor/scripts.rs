//! Runs the checks in Python, of the doctor that every package has: the driver, its GPUs, memory
//! and disk; wheels.

use std::path::Path;

use super::package::Package;
use crate::answers::PythonVersion;
use crate::catalog::embedded_files;
use crate::error::{Error, Result};
use crate::process;
use crate::tell::Finding;
use crate::trial::Interpreter;

/// Folder of the doctor in the runtime; it has no folders in it.
const DOCTOR: &str = "cuvec/doctor/";

const RUN: &str = "
import sys
sys.path.insert(0, sys.argv[1])
from doctor import command
print(command.for_generator(*sys.argv[2:]))";

/// Looks at the driver, which must suit the kernels of a package, its GPUs, memory and disk.
pub fn machine(package: &Package) -> Result<Vec<Finding>> {
    // Code from nvcc needs the newer driver.
    let kernels = if package.needs_nvcc() { "cu" } else { "rust" };
    run(&[kernels.as_ref()])
}

/// Looks at a wheel, which says itself what its kernels are.
pub fn wheel(path: &Path) -> Result<Vec<Finding>> {
    run(&["".as_ref(), path])
}

fn run(arguments: &[&Path]) -> Result<Vec<Finding>> {
    let python = match Interpreter::find(PythonVersion::LOWEST) {
        Ok(python) => python,
        Err(error) => {
            let found = format!("not looked at: {error}");
            let hint = "install one from https://www.python.org/downloads";
            return Ok(vec![Finding::problem(
                "driver, memory, disk, wheels",
                found,
                hint,
            )]);
        }
    };
    let folder = tempfile::tempdir();
    let folder = folder.map_err(|error| Error::io("create", std::env::temp_dir(), error))?;
    let failed = |error| Error::io("run the doctor in", folder.path(), error);
    let module = folder.path().join("doctor");
    std::fs::create_dir(&module).map_err(failed)?;
    for (path, contents) in embedded_files() {
        if let Some(file) = path.strip_prefix(DOCTOR) {
            std::fs::write(module.join(file), contents).map_err(failed)?;
        }
    }
    let mut command = process::program(&python.command);
    command.args(["-I", "-B", "-c", RUN]);
    command.arg(folder.path()).args(arguments);
    let said = process::answer(&mut command).map_err(failed)?;
    serde_json::from_str(&said).map_err(|error| failed(error.into()))
}
