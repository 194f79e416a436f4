//! Asks git about a folder.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::git::{enclosing_repository, failure, git};

/// A folder whose files are kept in git.
///
/// It is only looked at: what the configuration of the repository names is not run, for it may have come with the folder.
#[derive(Debug)]
pub struct History {
    folder: PathBuf,
    /// Settings that turn off the filters of the repository's own; the user's are left.
    filters: Vec<String>,
}

/// Settings by which git runs no hook and no other program while it looks.
const QUIET: [&str; 3] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "log.showSignature=false",
];

const FILTERS: &str = r"^filter\..*\.(clean|smudge|process|required)$";

/// The history of a folder, if git keeps one of this file in it.
pub fn history(folder: &Path, file: &str) -> io::Result<Option<History>> {
    if enclosing_repository(folder).is_none() {
        return Ok(None);
    }
    let mut history = History {
        folder: folder.to_owned(),
        filters: Vec::new(),
    };
    history.filters = history.own_filters()?;
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
        let options = [
            "--porcelain",
            "-z",
            "--no-renames",
            "--untracked-files=all",
            // Else git is run in submodules, as their configuration says.
            "--ignore-submodules=dirty",
        ];
        let status = self.text(&[&["status"], &options[..], &["--", "."]].concat())?;
        let prefix = self.text(&["rev-parse", "--show-prefix"])?;
        let prefix = prefix.trim_end();
        let entries = status.split('\0').filter_map(|entry| {
            let (state, path) = entry.split_at_checked(3)?;
            Some(Uncommitted {
                path: path.strip_prefix(prefix).unwrap_or(path).to_owned(),
                untracked: state.starts_with("??"),
            })
        });
        Ok(entries.collect())
    }

    /// The files that are as in the last commit.
    pub fn committed(&self) -> io::Result<BTreeSet<String>> {
        let listed = self.text(&["ls-files", "-z", "--", "."])?;
        let mut files: BTreeSet<_> = listed.split_terminator('\0').map(str::to_owned).collect();
        for file in self.uncommitted()? {
            files.remove(&file.path);
        }
        Ok(files)
    }

    /// The files that `git add .` leaves out.
    pub fn ignored(&self) -> io::Result<Vec<String>> {
        let options = [
            "-z",
            "--others",
            "--ignored",
            "--exclude-standard",
            "--",
            ".",
        ];
        let listed = self.text(&[&["ls-files"], &options[..]].concat())?;
        Ok(listed.split_terminator('\0').map(str::to_owned).collect())
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
        let log = self.text(&[&["log"], &options[..], &[file]].concat())?;
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

    fn text(&self, arguments: &[&str]) -> io::Result<String> {
        let bytes = self.ask(arguments)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn ask(&self, arguments: &[&str]) -> io::Result<Vec<u8>> {
        let output = self.command(arguments).output()?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(failure(&String::from_utf8_lossy(&output.stderr))),
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = git(&self.folder);
        command.arg("--no-optional-locks");
        for setting in QUIET
            .into_iter()
            .chain(self.filters.iter().map(String::as_str))
        {
            command.args(["-c", setting]);
        }
        command.args(arguments);
        command
    }

    fn own_filters(&self) -> io::Result<Vec<String>> {
        let options = ["--show-scope", "--name-only", "-z", "--get-regexp", FILTERS];
        let output = self
            .command(&[&["config"], &options[..]].concat())
            .output()?;
        // 1: there are none.
        if !output.status.success() && output.status.code() != Some(1) {
            return Err(failure(&String::from_utf8_lossy(&output.stderr)));
        }
        let words = String::from_utf8_lossy(&output.stdout).into_owned();
        let words: Vec<_> = words.split_terminator('\0').collect();
        let is_own = |scope: &str| ["local", "worktree"].contains(&scope);
        let own = words.chunks(2).filter(|it| is_own(it[0]));
        own.filter_map(|it| it.get(1))
            .map(|name| off(name))
            .collect()
    }
}

fn off(name: &str) -> io::Result<String> {
    // git would take what is behind it for the value.
    if name.contains('=') {
        return Err(io::Error::other(format!("`{name}` has a `=` in its name")));
    }
    Ok(match name.ends_with(".required") {
        true => format!("{name}=false"),
        false => format!("{name}="),
    })
}
