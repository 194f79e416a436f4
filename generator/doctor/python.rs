//! Python, and its headers where the bindings are compiled against them.

use std::path::Path;

use super::package::Package;
use super::programs::ask;
use crate::error::Error;
use crate::tell::Finding;
use crate::trial::Interpreter;

const FACTS: &str = "
import platform, sys, sysconfig
print(platform.python_version(), sys.executable, sysconfig.get_path('include'), sep='\\n')";

pub fn check(package: &Package) -> Vec<Finding> {
    let python = match Interpreter::find(package.python()) {
        Ok(python) => python,
        Err(Error::NoPython {
            bare: true, found, ..
        }) => {
            let hint = "on Debian and Ubuntu: apt install python3-venv";
            return vec![Finding::warning("Python", found.join(", "), hint)];
        }
        Err(error) => {
            let hint = "install one from https://www.python.org/downloads";
            return vec![Finding::problem("Python", error.to_string(), hint)];
        }
    };
    let facts = ask(Path::new(&python.command), &["-I", "-c", FACTS]);
    let facts = facts.unwrap_or_default();
    let mut lines = facts.lines();
    let mut next = || lines.next().unwrap_or_default();
    let (version, executable, include) = (next(), next(), next());
    let mut found = vec![Finding::ok("Python", format!("{version} at {executable}"))];
    if package.needs_headers_of_python() {
        let header = Path::new(include).join("Python.h");
        found.push(match header.exists() {
            true => Finding::ok("headers of Python", header.display().to_string()),
            false => Finding::problem(
                "headers of Python",
                format!("there is no {}", header.display()),
                "on Debian and Ubuntu: apt install python3-dev",
            ),
        });
    }
    found
}
