//! Shows an error to the user: with a hint that says which command helps, and an exit code.

use std::io;

use super::print::{BAD, HINT, labelled, plain};
use crate::answers::Record;
use crate::error::Error;
use crate::wording::quote;

impl Error {
    /// Prints the error and its hint to stderr.
    pub fn print(&self) {
        match self {
            // Just what was asked for.
            Self::Declined | Self::Problems { .. } => plain(self),
            _ => labelled(BAD, "error", self),
        }
        if let Some(hint) = self.hint() {
            labelled(HINT, "hint", hint);
        }
    }

    /// The way out, if one is known.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NoName => {
                "try `cuvec-new mypkg`, or on a terminal `cuvec-new`, which asks".to_owned()
            }
            Self::Option { hint, .. }
            | Self::Signature { hint, .. }
            | Self::Usage { hint, .. }
            | Self::Failed { hint, .. } => hint.clone(),
            Self::Occupied { files, .. } if files.is_empty() => {
                "`--force` adds the package to it, `--output DIR` makes it elsewhere".to_owned()
            }
            Self::Occupied { path, files } if files.iter().any(|file| file == Record::PATH) => {
                format!(
                    "`cuvec-new update {}` brings the package there up to this version; `--force` overwrites these files, \
                     `--dry-run` shows them, `--output DIR` makes the package elsewhere",
                    quote(path)
                )
            }
            Self::Occupied { .. } => {
                "`--force` overwrites them, `--dry-run` shows them, `--output DIR` makes the package elsewhere".to_owned()
            }
            Self::Export(error) => match &**error {
                Self::Blocked { .. } => "choose another folder".to_owned(),
                Self::Io { source, .. } => return io_hint(source.kind(), ""),
                error => return error.hint(),
            },
            Self::Blocked { .. } => "make the package elsewhere with `--output DIR`".to_owned(),
            Self::Busy {
                folder,
                workspace,
                begun: Some(begun),
            } => {
                let outdated = begun
                    .outdated
                    .iter()
                    .map(|path| format!(" {}", quote(path)));
                let remove = match begun.outdated.as_slice() {
                    [] => String::new(),
                    _ => format!(" && rm -f{}", outdated.collect::<String>()),
                };
                format!(
                    "if none is running, finish what it began: `cp -a {}/. {}{remove} && rm -r {}`",
                    quote(&begun.package),
                    quote(folder),
                    quote(workspace)
                )
            }
            Self::NotUndone { folder, old, .. } => format!(
                "it is kept; put it back with `cp -a {}/. {}`",
                quote(old),
                quote(folder)
            ),
            Self::Record { path, .. } => format!(
                "make the package elsewhere with `--output DIR`, or `rm {}` and the files of the old one stay",
                quote(path)
            ),
            Self::Busy { workspace, .. } => format!(
                "if none is running, remove what it left: `rm -r {}`",
                quote(workspace)
            ),
            Self::Update(error) => match &**error {
                Self::Blocked { .. } => "move them away first".to_owned(),
                Self::Record { path, .. } => {
                    let (folder, file) = (path.parent(), path.file_name());
                    format!(
                        "fix it: `git -C {} log -p {}` shows what it was",
                        quote(folder.unwrap_or(path)),
                        quote(file.unwrap_or_default().as_ref())
                    )
                }
                Self::Io { source, .. } => return io_hint(source.kind(), ""),
                error => return error.hint(),
            },
            Self::Io { source, .. } => return io_hint(source.kind(), " with `--output DIR`"),
            Self::NoPython { bare: true, .. } => {
                "on Debian and Ubuntu: `apt install python3-venv`".to_owned()
            }
            Self::NoPython { .. } => {
                "install one from https://www.python.org/downloads, or leave out `--try`".to_owned()
            }
            Self::Interrupted { hint } => return hint.clone(),
            Self::Declined | Self::Problems { .. } | Self::Print(_) => return None,
        })
    }

    /// 2 for a command line that can never work, 130 (as shells do) for Ctrl-C, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoName | Self::Option { .. } | Self::Usage { .. } | Self::Signature { .. } => 2,
            Self::Interrupted { .. } => 130,
            Self::NotUndone { cause, .. } => cause.exit_code(),
            Self::Export(error) | Self::Update(error) => error.exit_code(),
            _ => 1,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_inside_another_decides_on_the_exit_code() {
        let interrupted = || Box::new(Error::Interrupted { hint: None });
        assert_eq!(Error::Export(interrupted()).exit_code(), 130);
        assert_eq!(Error::Export(Box::new(Error::NoName)).exit_code(), 2);
        let not_undone = Error::NotUndone {
            cause: interrupted(),
            folder: "a b".into(),
            old: "a b/old".into(),
        };
        assert_eq!(not_undone.exit_code(), 130);
        let hint = "it is kept; put it back with `cp -a 'a b/old'/. 'a b'`";
        assert_eq!(not_undone.hint().as_deref(), Some(hint));
    }
}
