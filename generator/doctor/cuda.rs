//! The nvcc that would be used, and what else is of its toolkit.

use std::path::{Path, PathBuf};

use super::package::Package;
use super::programs::{Version, ask, find, named, set};
use crate::read;
use crate::tell::Finding;

/// Newest compilers that the nvcc accepts which pip fetches for the build; its version follows.
pub const FETCHED: Accepted = Accepted { gcc: 15, clang: 20 };
const VERSION: Version = Version(13, 0);
const LOWEST: Version = Version(12, 0);

/// Those that name a toolkit; the first one that is set does.
const TOOLKITS: [&str; 3] = ["CUDA_HOME", "CUDA_PATH", "CUDAToolkit_ROOT"];

/// The newest major versions of compilers that an nvcc takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    pub gcc: u32,
    pub clang: u32,
}

/// A toolkit of the user's own.
struct Toolkit {
    nvcc: PathBuf,
    from: &'static str,
}

impl Toolkit {
    /// The one that a build takes, if pip does not fetch one.
    fn chosen(package: &Package) -> Option<Self> {
        if let Some(found) = named("CUDACXX") {
            return Some(Self {
                nvcc: found.unwrap_or_else(PathBuf::from),
                from: "CUDACXX",
            });
        }
        let toolkit = TOOLKITS.into_iter().find_map(|from| {
            let nvcc = Path::new(&set(from)?).join("bin/nvcc");
            let nvcc = nvcc.with_extension(std::env::consts::EXE_EXTENSION);
            Some(Self { nvcc, from })
        });
        toolkit.or_else(|| {
            let nvcc = find(&["nvcc"], &["/usr/local/cuda/bin".into()])?;
            (!is_fetched(package)).then_some(Self { nvcc, from: "PATH" })
        })
    }

    fn header(&self, name: &str) -> Option<PathBuf> {
        let nvcc = self.nvcc.canonicalize().ok()?;
        let root = nvcc.parent()?.parent()?;
        let target = format!("targets/{}-linux/include", std::env::consts::ARCH);
        let folders = ["include", "include/cccl", &target];
        let paths = folders.map(|folder| root.join(folder).join(name));
        paths.into_iter().find(|path| path.exists())
    }
}

/// The major version of CUDA that a package is for.
fn major(package: &Package) -> u32 {
    package.cuda().unwrap_or(VERSION.0)
}

fn is_fetched(package: &Package) -> bool {
    major(package) == VERSION.0
}

pub fn check(package: &Package) -> Vec<Finding> {
    if !package.needs_nvcc() {
        return Vec::new();
    }
    if Package::is_without_cuda() {
        return vec![Finding::warning(
            "nvcc",
            "CUDA=OFF: the package will work on the CPU alone",
            "for the GPU: unset CUDA",
        )];
    }
    let Some(toolkit) = Toolkit::chosen(package) else {
        if !is_fetched(package) {
            let found = format!("none, and PyPI has none of CUDA {}", major(package));
            return vec![Finding::problem("nvcc", found, &hint(None, package))];
        }
        let unused = find(&["nvcc"], &[]).map(|it| format!("; {} is not used", it.display()));
        let found = format!(
            "{VERSION}, which pip fetches for the build{}",
            unused.unwrap_or_default()
        );
        return vec![Finding::ok("nvcc", found)];
    };
    let mut found = stale(toolkit.from);
    found.push(nvcc(&toolkit, package));
    if found.iter().all(|it| it.hint.is_empty()) {
        found.push(cccl(&toolkit));
    }
    found
}

/// Variables that name other toolkits than the one that is used, or none.
fn stale(used: &'static str) -> Vec<Finding> {
    let mut found = Vec::new();
    for variable in TOOLKITS {
        let Some(folder) = set(variable) else {
            continue;
        };
        let hint = format!("unset {variable}");
        if !Path::new(&folder).join("bin").is_dir() {
            let what = format!("{folder} is no toolkit");
            found.push(Finding::problem(variable, what, &hint));
        } else if set(used).is_some_and(|other| !other.starts_with(&folder)) {
            let what = format!("{folder} is not used, for {used} is set");
            found.push(Finding::warning(variable, what, &hint));
        }
    }
    found
}

/// Returns the way to the right nvcc; `from` is the variable that names another one.
fn hint(from: Option<&str>, package: &Package) -> String {
    match from.filter(|_| is_fetched(package)) {
        Some(from) => format!("unset {from}, and pip fetches nvcc {VERSION}"),
        None => format!("set CUDA_HOME to a toolkit of CUDA {}", major(package)),
    }
}

fn nvcc(toolkit: &Toolkit, package: &Package) -> Finding {
    let Toolkit { nvcc, from } = toolkit;
    let hint = hint(Some(from), package);
    let shown = format!("{} of {from}", nvcc.display());
    if !nvcc.exists() {
        return Finding::problem("nvcc", format!("there is no {shown}"), &hint);
    }
    let said = ask(nvcc, &["--version"]).unwrap_or_default();
    match said
        .split_once("release ")
        .and_then(|(_, it)| Version::find(it))
    {
        Some(version) if version.0 > major(package) && !is_fetched(package) => {
            let cuda = major(package);
            let found = format!("{version} at {shown}, but the package is for CUDA {cuda}");
            Finding::problem("nvcc", found, &hint)
        }
        Some(version) if version >= LOWEST => Finding::ok("nvcc", format!("{version} at {shown}")),
        Some(version) => {
            let found = format!("{version} at {shown} is older than {LOWEST}");
            Finding::problem("nvcc", found, &hint)
        }
        None => Finding::problem("nvcc", format!("{shown} does not run"), &hint),
    }
}

fn cccl(toolkit: &Toolkit) -> Finding {
    match toolkit.header("nv/target") {
        Some(path) => Finding::ok("CCCL", path.display().to_string()),
        None => Finding::problem(
            "CCCL",
            format!(
                "the toolkit of {} has no nv/target among its headers",
                toolkit.from
            ),
            &format!(
                "install its CCCL, such as `apt install cuda-cccl-13-0`, or unset {}",
                toolkit.from
            ),
        ),
    }
}

/// Returns the newest compilers that the chosen nvcc accepts; nothing where none is.
pub fn accepted(package: &Package) -> Option<Accepted> {
    if !package.needs_nvcc() || Package::is_without_cuda() {
        return None;
    }
    let header = Toolkit::chosen(package).and_then(|it| it.header("crt/host_config.h"));
    let text = header.and_then(|path| read::text(&path).ok());
    Some(text.and_then(|it| limits(&it)).unwrap_or(FETCHED))
}

/// The limits in the header that refuses other compilers.
fn limits(text: &str) -> Option<Accepted> {
    let number = |mark: &str| {
        let (_, rest) = text.split_once(mark)?;
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        rest[..end].parse::<u32>().ok()
    };
    Some(Accepted {
        gcc: number("__GNUC__ > ")?,
        clang: number("__clang_major__ >= ")?.checked_sub(1)?,
    })
}
