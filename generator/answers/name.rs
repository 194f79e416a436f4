//! The name of a package: valid for PyPI, Python, Cargo and every file system, or refused.

mod problem;
mod reserved;
mod suggest;

use std::fmt;
use std::path::Path;

use thiserror::Error;

use crate::error::Error as ProgramError;
use crate::wording::{hidden, quote};
use problem::module;
pub use problem::{MAX_LENGTH, Problem};
pub use reserved::{COMMANDS, words as reserved_words};

/// Why a word can be no name in Python or Rust.
pub fn keyword(word: &str) -> Option<String> {
    let reason = reserved::keyword(word)?;
    Some(problem::describe(word, reason))
}

/// A distribution name that is used as it was typed; only `-` becomes `_` where an identifier is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    pub fn parse(raw: &str) -> Result<Self, InvalidName> {
        match problem::find(raw) {
            None => Ok(Self(raw.to_owned())),
            Some(problem) => Err(InvalidName::new(raw, problem)),
        }
    }

    pub fn distribution(&self) -> &str {
        &self.0
    }

    pub fn module(&self) -> String {
        module(&self.0)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A refused name, and one close to it that works.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("invalid package name `{}`: {problem}", shown(.raw))]
pub struct InvalidName {
    raw: String,
    problem: Problem,
    suggestion: String,
}

impl InvalidName {
    fn new(raw: &str, problem: Problem) -> Self {
        Self {
            raw: raw.to_owned(),
            problem,
            suggestion: suggest::similar(raw),
        }
    }

    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// A name for a package in the folder that this one is the path of, and the path.
    fn folder(&self) -> (String, String) {
        let path = self.raw.trim_end_matches('/');
        if path.contains(hidden) {
            return (self.suggestion.clone(), "DIR".to_owned());
        }
        // `.` and `..` have a name only where they are.
        let path = Path::new(if path.is_empty() { "/" } else { path });
        let named = match path.file_name() {
            Some(_) => None,
            None => path.canonicalize().ok(),
        };
        let name = named.as_deref().and_then(Path::file_name);
        let name = name.map(|name| suggest::similar(&name.to_string_lossy()));
        (name.unwrap_or_else(|| self.suggestion.clone()), quote(path))
    }

    /// True if it is kept for a command.
    pub fn is_command(&self) -> bool {
        self.command().is_some()
    }

    /// True if it means something else already.
    pub fn is_reserved(&self) -> bool {
        matches!(self.problem, Problem::Reserved { .. })
    }

    /// The command line that was meant, most likely.
    fn command(&self) -> Option<&'static str> {
        let commands = reserved::COMMANDS.iter();
        let mut lines = commands.filter(|(word, _)| *word == self.raw);
        lines.next().map(|(_, line)| *line)
    }

    pub fn suggestion(&self) -> &str {
        &self.suggestion
    }

    pub fn hint(&self) -> String {
        let suggestion = &self.suggestion;
        if self.problem == Problem::Path {
            let (name, folder) = self.folder();
            format!("NAME is not a path; try `cuvec-new {name} --output {folder}`")
        } else if let Some(command) = self.command() {
            format!("try `{command}`, or for a package `cuvec-new {suggestion}`")
        } else {
            format!("try `cuvec-new {suggestion}`")
        }
    }
}

impl From<InvalidName> for ProgramError {
    fn from(name: InvalidName) -> Self {
        Self::usage(name.to_string(), name.hint())
    }
}

/// Control characters would garble the message, and a very long name would hide it.
fn shown(raw: &str) -> String {
    let mut shown: String = raw
        .chars()
        .take(MAX_LENGTH)
        .flat_map(char::escape_debug)
        .collect();
    if raw.chars().count() > MAX_LENGTH {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
