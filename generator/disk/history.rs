//! What git knows of a folder.

use std::io;
use std::path::{Path, PathBuf};

use super::git::{enclosing_repository, failure, git};

/// A folder whose files are kept in git.
#[derive(Debug)]
pub struct History {
    folder: PathBuf,
}

/// The history of a folder, if git keeps one of this file in it.
pub fn history(folder: &Path, file: &str) -> io::Result<Option<History>> {
    if enclosing_repository(folder).is_none() {
        return Ok(None);
    }
    let history = History {
        folder: folder.to_owned(),
    };
    let options = ["--cached", "--others", "--exclude-standard"];
    let listed = history.ask(&[&["ls-files"], &options[..], &["--", file]].concat())?;
    Ok((!listed.is_empty()).then_some(history))
}

/// A file in the folder that is not as it is in the last commit.
#[derive(Debug)]
pub struct Uncommitted {
    pub path: String,
    /// git knows nothing of it yet.
    pub untracked: bool,
}

impl History {
    pub fn uncommitted(&self) -> io::Result<Vec<Uncommitted>> {
        let options = ["--porcelain", "-z", "--no-renames", "--untracked-files=all"];
        let status = self.ask(&[&["status"], &options[..], &["--", "."]].concat())?;
        let prefix = self.ask(&["rev-parse", "--show-prefix"])?;
        let prefix = String::from_utf8_lossy(&prefix).trim_end().to_owned();
        let status = String::from_utf8_lossy(&status).into_owned();
        let entries = status.split('\0').filter_map(|entry| {
            let (state, path) = entry.split_at_checked(3)?;
            Some(Uncommitted {
                path: path.strip_prefix(&prefix).unwrap_or(path).to_owned(),
                untracked: state.starts_with("??"),
            })
        });
        Ok(entries.collect())
    }

    /// Every text that a file had in a commit, the newest first.
    pub fn versions(&self, file: &str) -> io::Result<impl Iterator<Item = io::Result<Vec<u8>>>> {
        let options = [
            "--all",
            "--format=",
            "--raw",
            "--no-abbrev",
            "--no-renames",
            "--",
        ];
        let log = self.ask(&[&["log"], &options[..], &[file]].concat())?;
        let log = String::from_utf8_lossy(&log).into_owned();
        // `:100644 100644 OLD NEW M<tab>PATH`
        let blobs = log.lines().filter_map(|line| line.split(' ').nth(3));
        let mut blobs: Vec<_> = blobs
            .filter(|blob| blob.contains(|c| c != '0'))
            .map(str::to_owned)
            .collect();
        blobs.dedup();
        let read = |blob: String| self.ask(&["cat-file", "blob", &blob]);
        Ok(blobs.into_iter().map(read))
    }

    fn ask(&self, arguments: &[&str]) -> io::Result<Vec<u8>> {
        let output = git(&self.folder)
            .arg("--no-optional-locks")
            .args(arguments)
            .output()?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(failure(&String::from_utf8_lossy(&output.stderr))),
        }
    }
}
