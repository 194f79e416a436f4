//! cargo, and the rustc beside it.

use std::env;
use std::path::{Path, PathBuf};

use super::package::Package;
use super::programs::{Version, ask, find};
use crate::tell::Finding;
use crate::wording::quote;

const LOWEST: Version = Version(1, 88);
const INSTALL: &str = "install Rust: https://rustup.rs";

/// By these files rustup chooses another toolchain in a folder, and in those below.
const CHOICES: [&str; 2] = ["rust-toolchain.toml", "rust-toolchain"];

pub fn check(package: &Package) -> Vec<Finding> {
    let Some(cargo) = find(&["cargo"], &homes()) else {
        return vec![Finding::problem(
            "cargo",
            "none on the PATH, none in ~/.cargo/bin",
            INSTALL,
        )];
    };
    let Some(version) = ask(&cargo, &["--version"]) else {
        let found = format!("{} does not run", cargo.display());
        return vec![Finding::problem("cargo", found, "rustup default stable")];
    };
    let version = Version::find(&version).map_or(String::new(), |it| format!("{it} at "));
    let mut found = vec![Finding::ok(
        "cargo",
        format!("{version}{}", cargo.display()),
    )];
    let rustc = cargo
        .with_file_name("rustc")
        .with_extension(env::consts::EXE_EXTENSION);
    let shown = rustc.display();
    let said = ask(&rustc, &["--version"]);
    found.push(match said.as_deref().and_then(Version::find) {
        Some(version) if version >= LOWEST => Finding::ok("rustc", format!("{version} at {shown}")),
        Some(version) => {
            let found = format!("{version} at {shown} is older than {LOWEST}");
            Finding::problem("rustc", found, "rustup update stable")
        }
        None => Finding::problem("rustc", format!("{shown} does not run"), INSTALL),
    });
    found.extend(chosen(&package.folder));
    found
}

/// Warns that the build may use other programs than those asked: what a package chooses is not run.
fn chosen(folder: &Path) -> Option<Finding> {
    let folder = folder.canonicalize().ok()?;
    let mut paths = folder
        .ancestors()
        .flat_map(|it| CHOICES.map(|name| it.join(name)));
    let path = paths.find(|path| path.exists())?;
    let found = format!("{} chooses the toolchain of the build", path.display());
    let hint = format!("if you trust it: cd {} && rustc --version", quote(&folder));
    Some(Finding::warning("toolchain", found, &hint))
}

/// Where rustup puts programs, which the build looks into as well.
pub fn homes() -> Vec<PathBuf> {
    let home = env::home_dir().map(|it| it.join(".cargo"));
    let homes = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .into_iter()
        .chain(home);
    homes.map(|it| it.join("bin")).collect()
}
