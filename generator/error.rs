//! What can go wrong: each error is a fact, with a hint that says which command helps.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::destination::PACKAGE;
use crate::kind::Kind;
use crate::name::InvalidName;
use crate::python::PythonVersion;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, Error)]
pub enum Error {
    #[error("the package needs a name")]
    NoName,

    #[error(transparent)]
    Name(#[from] InvalidName),

    #[error("unknown {kind} `{value}`")]
    UnknownChoice {
        kind: Kind,
        value: String,
        similar: Option<String>,
        known: Vec<String>,
    },

    #[error("kernels `{kernels}` do not go with bridge `{bridge}`")]
    Combination {
        bridge: String,
        kernels: String,
        /// Command lines that work and are closest to what was asked.
        commands: Vec<String>,
    },

    #[error("`{option}` {problem}")]
    Option {
        option: &'static str,
        problem: String,
        hint: String,
    },

    #[error("destination `{path}` already exists and {}", existing(.files))]
    Occupied {
        path: PathBuf,
        /// Files that the package would overwrite; empty when it would only add to the folder.
        files: Vec<String>,
    },

    #[error("`{path}` already exists")]
    Exists { path: PathBuf },

    /// What stopped `export`, from which other ways lead out.
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
        /// Whether it moves files already: if it was killed then, some are in the folder and some are not.
        begun: bool,
    },

    #[error("broken template `{file}`: {problem}")]
    Template { file: String, problem: String },

    #[error("failed to {action} `{path}`: {source}")]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },

    #[error("no Python {lowest} or later found{}", rejected(.found))]
    NoPython {
        lowest: PythonVersion,
        /// Interpreters that were seen and do not do.
        found: Vec<String>,
        /// One of them would do, if it could make virtual environments.
        bare: bool,
    },

    #[error("failed to {step}; the last lines of its output:\n{tail}")]
    Step {
        step: &'static str,
        tail: String,
        log: PathBuf,
        /// How to repeat the step by hand.
        command: String,
    },

    #[error("interrupted")]
    Interrupted { hint: Option<String> },

    #[error("failed to ask: {0}")]
    Ask(String),

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

    pub fn template(file: impl Into<String>, problem: impl Display) -> Self {
        Self::Template {
            file: file.into(),
            problem: problem.to_string(),
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

    pub fn unknown_choice<'a>(
        kind: Kind,
        value: &str,
        known: impl Iterator<Item = &'a str>,
    ) -> Self {
        let known: Vec<_> = known.map(str::to_owned).collect();
        Self::UnknownChoice {
            kind,
            value: value.to_owned(),
            similar: most_similar(value, &known),
            known,
        }
    }

    /// The way out, if one is known.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoName => {
                "try `cuvec-new mypkg`, or on a terminal `cuvec-new`, which asks".to_owned()
            }
            Self::Name(name) => name.hint(),
            Self::UnknownChoice {
                kind,
                similar,
                known,
                ..
            } => {
                let all = format!("{} are {}", kind.plural(), quoted_list(known));
                match similar {
                    Some(similar) => {
                        format!("did you mean `--{} {similar}`? {all}", kind.folder())
                    }
                    None => all,
                }
            }
            Self::Combination { commands, .. } => {
                let commands: Vec<_> = commands.iter().map(|it| format!("`{it}`")).collect();
                format!("this works: {}", commands.join(", or "))
            }
            Self::Option { hint, .. } => hint.clone(),
            Self::Occupied { files, .. } if files.is_empty() => {
                "`--force` adds the package to it, `--output DIR` makes it elsewhere".to_owned()
            }
            Self::Occupied { .. } => {
                "`--force` overwrites them, `--output DIR` makes the package elsewhere".to_owned()
            }
            Self::Exists { .. } => "choose a folder that does not exist yet".to_owned(),
            Self::Export(error) => match &**error {
                Self::Blocked { .. } => "choose another folder".to_owned(),
                Self::Io { source, .. } => return io_hint(source.kind(), ""),
                error => return error.hint(),
            },
            Self::Blocked { .. } => "make the package elsewhere with `--output DIR`".to_owned(),
            Self::Busy {
                folder,
                workspace,
                begun: true,
            } => format!(
                "if none is running, finish what it began: `cp -a {}/. {} && rm -r {}`",
                quote(&workspace.join(PACKAGE)),
                quote(folder),
                quote(workspace)
            ),
            Self::Busy { workspace, .. } => format!(
                "if none is running, remove what it left: `rm -r {}`",
                quote(workspace)
            ),
            Self::Template { .. } => {
                "see `templates/README.md` for what a layer may hold".to_owned()
            }
            Self::Io { source, .. } => return io_hint(source.kind(), " with `--output DIR`"),
            Self::NoPython { bare: true, .. } => {
                "on Debian and Ubuntu: `apt install python3-venv`".to_owned()
            }
            Self::NoPython { .. } => {
                "install one from https://www.python.org/downloads, or leave out `--try`".to_owned()
            }
            Self::Step { log, command, .. } => format!(
                "the whole log is `{}`; to repeat the step: `{command}`",
                log.display()
            ),
            Self::Interrupted { hint } => return hint.clone(),
            Self::Ask(_) => "give NAME and options, or `--yes`, and nothing is asked".to_owned(),
            Self::Print(_) => return None,
        })
    }

    /// 2 for a command line that can never work, 130 (as shells do) for Ctrl-C, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoName
            | Self::Name(_)
            | Self::UnknownChoice { .. }
            | Self::Combination { .. }
            | Self::Option { .. } => 2,
            Self::Interrupted { .. } => 130,
            Self::Export(error) => error.exit_code(),
            _ => 1,
        }
    }

    /// Whether the reader of our output went away, which is no failure of ours (`cuvec-new --list | head -1`).
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Print(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// A path as one would type it in a shell.
pub fn quote(path: &Path) -> String {
    let path = path.to_string_lossy();
    shlex::try_quote(&path).map_or_else(|_| path.to_string(), |quoted| quoted.into_owned())
}

pub fn quoted_list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<_> = items.into_iter().map(|item| format!("`{item}`")).collect();
    items.join(", ")
}

fn most_similar(value: &str, known: &[String]) -> Option<String> {
    let similarity = |name: &str| strsim::jaro_winkler(&value.to_lowercase(), &name.to_lowercase());
    let best = known
        .iter()
        .max_by(|a, b| similarity(a).total_cmp(&similarity(b)))?;
    (similarity(best) > 0.7).then(|| best.clone())
}

fn existing(files: &[String]) -> String {
    match files {
        [] => "is not empty".to_owned(),
        [file] => format!("holds a file of the package:\n  {file}"),
        _ => format!(
            "holds {} files of the package:\n  {}",
            files.len(),
            files.join("\n  ")
        ),
    }
}

fn rejected(interpreters: &[String]) -> String {
    match interpreters {
        [] => String::new(),
        _ => format!(", only {}", interpreters.join(", ")),
    }
}

/// `how` says how to give another folder.
fn io_hint(kind: io::ErrorKind, how: &str) -> Option<String> {
    Some(match kind {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            format!("choose a folder you may write to{how}")
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            format!("free some space, or choose another disk{how}; nothing was left behind")
        }
        _ => return None,
    })
}
