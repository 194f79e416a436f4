//! Why a name is refused.

use thiserror::Error;

use super::reserved::{self, Reason};

/// crates.io takes no longer names, and Windows paths (260 characters) need the room.
pub const MAX_LENGTH: usize = 64;

pub fn module(distribution: &str) -> String {
    distribution.replace('-', "_")
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Problem {
    #[error("it is empty")]
    Empty,
    #[error("it is a path")]
    Path,
    #[error("`{0}` is no ASCII letter, digit, `-` or `_`")]
    Character(String),
    #[error("a dot would make it a namespace package")]
    Dot,
    #[error("uppercase letters are lost on PyPI, and on some file systems")]
    Uppercase,
    #[error("it begins with a digit, so Python could not import it")]
    Digit,
    #[error("it must begin and end with a letter or digit")]
    Edge,
    #[error("PyPI takes `{0}` for a single `-`")]
    Separators(String),
    #[error("it has {0} characters, {MAX_LENGTH} are allowed")]
    Length(usize),
    #[error("{}", describe(.word, *.reason))]
    Reserved { word: String, reason: Reason },
}

/// The first thing wrong with a name, most telling first.
pub fn find(raw: &str) -> Option<Problem> {
    shape(raw).or_else(|| {
        let word = module(raw);
        let reason = reserved::reason(&word)?;
        Some(Problem::Reserved { word, reason })
    })
}

fn shape(raw: &str) -> Option<Problem> {
    let Some(first) = raw.chars().next() else {
        return Some(Problem::Empty);
    };
    let stray = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if raw.contains(['/', '\\']) || raw == "." || raw == ".." {
        return Some(Problem::Path);
    }
    if let Some(c) = raw.chars().find(|&c| stray(c)) {
        return Some(Problem::Character(c.escape_debug().to_string()));
    }
    if raw.contains('.') {
        return Some(Problem::Dot);
    }
    if raw.contains(|c: char| c.is_ascii_uppercase()) {
        return Some(Problem::Uppercase);
    }
    if first.is_ascii_digit() {
        return Some(Problem::Digit);
    }
    if !first.is_ascii_alphanumeric() || raw.ends_with(['-', '_']) {
        return Some(Problem::Edge);
    }
    if let Some(run) = double_separator(raw) {
        return Some(Problem::Separators(run.to_owned()));
    }
    (raw.len() > MAX_LENGTH).then_some(Problem::Length(raw.len()))
}

/// PEP 503 reads any run of separators as one, so `a--b` and `a-b` are the same project.
fn double_separator(raw: &str) -> Option<&'static str> {
    ["--", "__", "-_", "_-"]
        .into_iter()
        .find(|run| raw.contains(run))
}

pub fn describe(word: &str, reason: Reason) -> String {
    match reason {
        Reason::Command => format!("`{word}` is kept for commands of cuvec-new"),
        Reason::PythonKeyword => format!("`{word}` is a Python keyword"),
        Reason::RustKeyword => format!("`{word}` is a Rust keyword, which no crate may be called"),
        Reason::StandardLibrary => format!("`{word}` is a module of Python's standard library"),
        Reason::Builtin => format!("`{word}` is a Python builtin, which importing it would hide"),
        Reason::Package => format!("`{word}` is a well-known package, which it would replace"),
        Reason::Cargo => format!("`{word}` is reserved by Cargo"),
        Reason::Folder => format!("`{word}` is a folder of the package"),
        Reason::WindowsDevice => {
            format!("`{word}` is a device on Windows, where no file may have its name")
        }
    }
}
