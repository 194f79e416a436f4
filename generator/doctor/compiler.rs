//! The C++ compiler, against what the code needs and what nvcc accepts.

use std::path::{Path, PathBuf};

use super::cuda::{self, Accepted};
use super::package::Package;
use super::programs::{Version, ask, find, named};
use crate::tell::Finding;

const LOWEST_GCC: u32 = 9;
const LOWEST_CLANG: u32 = 10;
const INSTALL: &str = "install one, for instance with: apt install g++";

pub fn check(package: &Package) -> Vec<Finding> {
    if cfg!(windows) {
        let found = "CMake looks for Visual Studio by itself";
        return vec![Finding::ok("C++ compiler", found)];
    }
    let (check, variable, names) = match package.needs_cpp() {
        true => ("C++ compiler", "CXX", ["c++", "g++", "clang++"]),
        false => ("C compiler", "CC", ["cc", "gcc", "clang"]),
    };
    let path = match named(variable) {
        Some(Err(name)) => {
            let found = format!("{variable} is `{name}`, which is no program");
            return vec![Finding::problem(check, found, &format!("unset {variable}"))];
        }
        Some(Ok(path)) => path,
        None => match find(&names, &[]) {
            Some(path) => path,
            None => return vec![Finding::problem(check, "none on the PATH", INSTALL)],
        },
    };
    let Some(compiler) = Compiler::ask(&path) else {
        let found = format!("{} does not run", path.display());
        return vec![Finding::problem(check, found, INSTALL)];
    };
    let mut found = vec![compiler.judge(check, package.needs_cpp())];
    if let Some(accepted) = cuda::accepted(package) {
        found.extend(of_nvcc(accepted));
    }
    found
}

/// The compiler that nvcc calls.
fn of_nvcc(accepted: Accepted) -> Option<Finding> {
    let check = "compiler of nvcc";
    let chosen = ["CUDAHOSTCXX", "NVCC_CCBIN"].into_iter().find_map(named);
    let path = chosen
        .and_then(Result::ok)
        .or_else(|| find(&["g++", "gcc"], &[]));
    let Some(compiler) = path.and_then(|it| Compiler::ask(&it)) else {
        let hint = "apt install g++, or export CUDAHOSTCXX=/path/to/clang++";
        return Some(Finding::problem(check, "no g++ that runs", hint));
    };
    let (newest, package, program) = match compiler.is_clang {
        true => (accepted.clang, "clang-", "clang++-"),
        false => (accepted.gcc, "g++-", "g++-"),
    };
    let found = format!(
        "{}; nvcc takes {} up to {newest}",
        compiler.described(),
        compiler.name()
    );
    Some(match compiler.version.0 <= newest {
        true => Finding::ok(check, found),
        false => {
            let hint = format!(
                "apt install {package}{newest}; export CUDAHOSTCXX={program}{newest} CXX={program}{newest}"
            );
            Finding::problem(check, found, &hint)
        }
    })
}

struct Compiler {
    path: PathBuf,
    version: Version,
    is_clang: bool,
}

impl Compiler {
    fn ask(path: &Path) -> Option<Self> {
        let said = ask(path, &["--version"])?;
        let first = said.lines().next()?;
        // Distributions put versions of their own before the compiler's: `g++ (Debian 12.2.0-14) 12.2.0`.
        let version = first
            .rsplit_once(") ")
            .map_or(first, |(_, version)| version);
        Some(Self {
            path: path.to_owned(),
            version: Version::find(version).or_else(|| Version::find(first))?,
            is_clang: first.contains("clang"),
        })
    }

    fn name(&self) -> &'static str {
        if self.is_clang { "Clang" } else { "GCC" }
    }

    fn described(&self) -> String {
        format!(
            "{} {} at {}",
            self.name(),
            self.version,
            self.path.display()
        )
    }

    fn judge(&self, check: &str, is_cpp: bool) -> Finding {
        let lowest = if self.is_clang {
            LOWEST_CLANG
        } else {
            LOWEST_GCC
        };
        match is_cpp && self.version.0 < lowest {
            true => {
                let found = format!("{} is older than {lowest}, without C++17", self.described());
                Finding::problem(check, found, INSTALL)
            }
            false => Finding::ok(check, self.described()),
        }
    }
}
