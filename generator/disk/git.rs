//! The repository around a folder, and the first commit of a package.

use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process;

/// Variables that would lead git to another repository, as they do inside its hooks.
const REPOSITORY_VARIABLES: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_PREFIX",
];

/// Settings of the user that could make the first commit fail, ask something, or take long.
const NEUTRAL: [&str; 7] = [
    "core.hooksPath=/dev/null",
    "commit.gpgSign=false",
    "core.autocrlf=false",
    "core.fsmonitor=false",
    "core.safecrlf=false",
    "maintenance.auto=false",
    "init.defaultBranch=main",
];

/// The repository that a folder is in, if any. Looks at the disk only, so that it works without git.
pub fn enclosing_repository(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let repository = folder.ancestors().find(|folder| {
        let git = folder.join(".git");
        // A file in worktrees and submodules.
        git.is_file() || git.join("HEAD").exists()
    });
    repository.map(Path::to_owned)
}

#[derive(Debug)]
pub struct Commit {
    pub message: String,
    pub author: String,
    pub email: String,
}

/// Makes a repository of a folder, with everything in it as the first commit.
pub fn first_commit(folder: &Path, commit: &Commit) -> io::Result<()> {
    run(folder, commit, &["init", "--quiet"])?;
    // Forced, since the user's own ignore file may list files of the package (`*.lock`).
    run(folder, commit, &["add", "--all", "--force"])?;
    let message = ["--message", commit.message.as_str()];
    let arguments = [&["commit", "--quiet", "--no-verify"][..], &message];
    run(folder, commit, &arguments.concat())
}

/// git in a folder, and in the repository around it.
///
/// It fetches nothing, as it would what a partial clone has not, through a program that the repository names.
pub fn git(folder: &Path) -> Command {
    let mut command = process::program("git");
    for variable in REPOSITORY_VARIABLES {
        command.env_remove(variable);
    }
    command.envs([("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "")]);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// Why git failed, as it says itself.
pub fn failure(stderr: &str) -> io::Error {
    let first = stderr.lines().next();
    io::Error::other(first.unwrap_or("it failed without a message").to_owned())
}

fn run(folder: &Path, commit: &Commit, arguments: &[&str]) -> io::Result<()> {
    // Beside the package, where there is room for it: not every machine has a folder for temporary files.
    let mut stderr = tempfile::tempfile_in(folder.parent().unwrap_or(folder))?;
    let mut command = git(folder);
    for setting in NEUTRAL {
        command.args(["-c", setting]);
    }
    command
        .args(["-c", &format!("user.name={}", commit.author)])
        .args(["-c", &format!("user.email={}", commit.email)])
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(stderr.try_clone()?);
    if process::run(&mut command)?.success() {
        return Ok(());
    }
    let mut message = String::new();
    stderr.rewind()?;
    stderr.read_to_string(&mut message)?;
    Err(failure(&message))
}
