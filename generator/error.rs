//! Errors, as facts; `tell/errors.rs` says which command helps.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use cuvec_declare::Fault;
use thiserror::Error;

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A run that moves files: if it was killed meanwhile, some are in the folder and some are not.
#[derive(Debug)]
pub struct Begun {
    pub package: PathBuf,
    pub outdated: Vec<PathBuf>,
}

#[derive(Debug, Error)]
pub enum Error {
    #[error("the package needs a name")]
    NoName,

    /// A command line that can never work.
    #[error("{problem}")]
    Usage { problem: String, hint: String },

    #[error("{problem}")]
    Failed { problem: String, hint: String },

    #[error("`{option}` {problem}")]
    Option {
        option: &'static str,
        problem: String,
        hint: String,
    },

    #[error("wrong signature: {problem}\n  {text}\n  {:at$}^", "")]
    Signature {
        text: String,
        /// The letter that the problem is at.
        at: usize,
        problem: String,
        hint: String,
    },

    #[error("destination `{path}` already exists and {}", existing(.files))]
    Occupied {
        path: PathBuf,
        /// Files that the package would overwrite; empty when it would only add to the folder.
        files: Vec<String>,
    },

    /// Cause that stopped `export`, from which other ways lead out.
    #[error("{0}")]
    Export(Box<Error>),

    #[error("destination `{path}` cannot hold the files: {}", .problems.join(", "))]
    Blocked {
        path: PathBuf,
        problems: Vec<String>,
    },

    #[error("another `cuvec-new` is at work in `{folder}`")]
    Busy {
        folder: PathBuf,
        workspace: PathBuf,
        begun: Option<Begun>,
    },

    #[error("{cause}; then not everything that was there before could be put back")]
    NotUndone {
        cause: Box<Error>,
        folder: PathBuf,
        /// Holds what could not be put back, at its path in the folder.
        old: PathBuf,
    },

    #[error("`{path}` does not say how the package was made: {problem}")]
    Record { path: PathBuf, problem: String },

    /// Cause that stopped `update`, from which other ways lead out.
    #[error("{0}")]
    Update(Box<Error>),

    #[error("failed to {action} `{path}`: {source}")]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },

    #[error("no Python {lowest} or later found{}", rejected(.found))]
    NoPython {
        lowest: String,
        /// Interpreters that were seen and do not do.
        found: Vec<String>,
        /// One of them would do, if it could make virtual environments.
        bare: bool,
    },

    /// `doctor` has told each of them, with what fixes it.
    #[error("{count} problem{}", if *.count == 1 { "" } else { "s" })]
    Problems { count: usize },

    #[error("nothing was made")]
    Declined,

    #[error("interrupted")]
    Interrupted { hint: Option<String> },

    #[error("failed to print: {0}")]
    Print(#[from] io::Error),
}

impl Error {
    pub fn io(action: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        let path = match path.into() {
            path if path.as_os_str().is_empty() => PathBuf::from("."),
            path => path,
        };
        Self::Io {
            action,
            path,
            source,
        }
    }

    pub fn usage(problem: impl Into<String>, hint: impl Into<String>) -> Self {
        let (problem, hint) = (problem.into(), hint.into());
        Self::Usage { problem, hint }
    }

    pub fn failed(problem: impl Into<String>, hint: impl Into<String>) -> Self {
        let (problem, hint) = (problem.into(), hint.into());
        Self::Failed { problem, hint }
    }

    /// A folder that holds no package; the hint is how to give it.
    pub fn no_record(path: &Path, hint: &str) -> Self {
        let folder = path.display();
        let problem = match path.exists() {
            true => format!("`{folder}` is no package of cuvec-new: it has no `.cuvec-new.toml`"),
            false => format!("`{folder}` does not exist"),
        };
        Self::usage(problem, hint)
    }

    pub fn template(file: impl Into<String>, problem: impl Display) -> Self {
        Self::failed(
            format!("broken template `{}`: {problem}", file.into()),
            "`templates/README.md` in the source of cuvec-new says what a layer may hold",
        )
    }

    /// A terminal that fails.
    pub fn ask(error: impl Display) -> Self {
        let hint = "give NAME and options, or `--yes`, and nothing is asked";
        Self::failed(format!("failed to ask: {error}"), hint)
    }

    /// A fault of a signature, with a mark under its place.
    pub fn signature(text: &str, fault: Fault) -> Self {
        Self::Signature {
            text: text.to_owned(),
            at: fault.at,
            problem: fault.problem,
            hint: fault.hint,
        }
    }

    pub fn option(
        option: &'static str,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self::Option {
            option,
            problem: problem.into(),
            hint: hint.into(),
        }
    }

    /// True if the reader of our output went away, which is not a failure of ours (`cuvec-new list
    /// | head -1`).
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Print(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

fn existing(files: &[String]) -> String {
    match files {
        [] => "is not empty".to_owned(),
        [file] => format!("holds a file of the package:\n  {file}"),
        _ if files.len() > MAX_NAMES => format!("holds {} files of the package", files.len()),
        _ => format!(
            "holds {} files of the package:\n  {}",
            files.len(),
            files.join("\n  ")
        ),
    }
}

/// As many names as anybody reads.
pub const MAX_NAMES: usize = 10;

/// Names of files below a fact, as far as anybody reads.
pub fn first(files: &[String]) -> Vec<String> {
    let mut first = files.to_vec();
    if files.len() > MAX_NAMES {
        first.truncate(MAX_NAMES);
        first.push(format!("and {} more", files.len() - MAX_NAMES));
    }
    first
}

fn rejected(interpreters: &[String]) -> String {
    match interpreters {
        [] => String::new(),
        _ => format!(", only {}", interpreters.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|it| it.to_string()).collect()
    }

    #[test]
    fn files_are_listed_as_far_as_anybody_reads() {
        assert_eq!(first(&names(10)), names(10));
        let mut more = names(10);
        more.push("and 2 more".to_owned());
        assert_eq!(first(&names(12)), more);
        assert_eq!(existing(&names(0)), "is not empty");
        assert_eq!(existing(&names(1)), "holds a file of the package:\n  0");
        assert_eq!(
            existing(&names(2)),
            "holds 2 files of the package:\n  0\n  1"
        );
        assert_eq!(existing(&names(323)), "holds 323 files of the package");
    }

    #[test]
    fn the_current_folder_has_a_name() {
        let error = Error::io("read", "", io::ErrorKind::NotFound.into());
        assert!(matches!(error, Error::Io { path, .. } if path.as_os_str() == "."));
    }
}
