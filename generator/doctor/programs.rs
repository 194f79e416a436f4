//! Programs of this machine, and what they say.

use std::env;
use std::path::{Path, PathBuf};

use crate::process;

/// Where programs run: files of a package, such as `rust-toolchain.toml`, must not decide what does.
const NEUTRAL: &str = "/";

/// The first program of these names on the PATH, or in these folders.
pub fn find(names: &[&str], folders: &[PathBuf]) -> Option<PathBuf> {
    let folders = [&process::folders_of_programs()[..], folders].concat();
    let paths = names
        .iter()
        .flat_map(|name| folders.iter().map(move |it| it.join(name)));
    let paths = paths.map(|path| path.with_extension(env::consts::EXE_EXTENSION));
    paths.into_iter().find(|path| is_program(path))
}

/// The program that a variable names, by a path or as on the PATH; the name if there is none such.
pub fn named(variable: &str) -> Option<Result<PathBuf, String>> {
    let value = set(variable)?;
    // Options may follow: `CXX="ccache g++"`.
    let name = value.split_whitespace().next_back().unwrap_or_default();
    Some(find(&[name], &[]).ok_or(value))
}

pub fn set(variable: &str) -> Option<String> {
    env::var(variable).ok().filter(|value| !value.is_empty())
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Returns the output of a program; nothing if it fails, or takes too long.
pub fn ask(program: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = process::program(program);
    // rustup fetches no toolchain because it was asked.
    command.args(arguments).env("RUSTUP_AUTO_INSTALL", "0");
    // Messages that are read here.
    command.env("LC_ALL", "C");
    command.current_dir(NEUTRAL);
    process::answer(&mut command).ok()
}

/// A version such as `13.2.0`, as far as it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32);

impl Version {
    /// The first number with a dot in it.
    pub fn find(text: &str) -> Option<Self> {
        let part = |c: char| !(c.is_ascii_digit() || c == '.');
        text.split(part).find_map(|word| {
            let mut numbers = word.split('.').map(str::parse);
            Some(Self(numbers.next()?.ok()?, numbers.next()?.ok()?))
        })
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}
