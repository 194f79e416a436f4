//! The only module that makes a package on disk: all of it, or nothing.
//!
//! The package is put together in a hidden workspace, first commit included. A new folder then appears under its name
//! by one `rename`, which also decides which of two runs at once comes first. For a folder that exists (`merge.rs`)
//! the workspace lies inside it and keeps other runs out. A run that is killed outright leaves only the workspace
//! behind. Between the moves into a folder that exists, it holds all that is missing there; the next run says so.
//! Any other error removes the workspace too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::destination::{Destination, Found, OUTDATED, PACKAGE, REPLACED, WORKSPACE};
use super::git::{self, Commit};
use super::merge::Merge;
use super::parents::Parents;
use super::workspace::{HIDDEN, check_free, leave, workspace};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::package::Rendered;

#[derive(Debug)]
pub struct Written {
    pub overwritten: Vec<String>,
    /// Files of the package as it was made before.
    pub removed: Vec<String>,
    pub repository: Repository,
}

#[derive(Debug)]
pub enum Repository {
    /// A new one, with a first commit.
    Created,
    /// The one that the destination lies in.
    Around(PathBuf),
    Declined,
    Failed(io::Error),
}

/// Writes the files, and commits them where no repository is around them; no `commit` means no repository.
///
/// `outdated` are files of the destination that are removed.
pub fn write(
    files: &[Rendered],
    outdated: &[String],
    destination: &Destination,
    commit: Option<&Commit>,
) -> Result<Written> {
    interrupt::catch();
    check_free(destination)?;
    match destination.survey(files)? {
        Found::Nothing => create(files, destination, commit),
        Found::Folder { .. } => {
            let workspace = workspace(&destination.path, WORKSPACE, 0)?;
            let result = add(files, outdated, destination, commit, &workspace);
            leave(workspace, result)
        }
    }
}

/// Puts the package into a folder that is there, through a workspace in it.
fn add(
    files: &[Rendered],
    outdated: &[String],
    destination: &Destination,
    commit: Option<&Commit>,
    workspace: &TempDir,
) -> Result<Written> {
    // Again, now that no other run can change the answer.
    let Found::Folder { overwritten } = destination.survey(files)? else {
        return Err(vanished(destination));
    };
    let (package, repository) = assemble(workspace, files, destination, commit)?;
    let list = workspace.path().join(OUTDATED);
    fs::write(&list, outdated.join("\n")).map_err(|error| Error::io("write", list, error))?;
    let merge = Merge {
        package: &package,
        destination: &destination.path,
        old: &workspace.path().join(REPLACED),
        outdated,
        check: &interrupt::check,
    };
    merge.run()?;
    Ok(Written {
        overwritten,
        removed: outdated.to_vec(),
        repository,
    })
}

/// Makes a folder that is not there yet.
fn create(
    files: &[Rendered],
    destination: &Destination,
    commit: Option<&Commit>,
) -> Result<Written> {
    let workspace = workspace(destination.existing_parent(), HIDDEN, 6)?;
    let (package, repository) = assemble(&workspace, files, destination, commit)?;

    let parents = Parents::create(destination.path.parent())?;
    fs::rename(&package, &destination.path).map_err(|error| {
        // Most likely another run was faster: then the survey has the better message.
        let survey = destination.survey(files).err();
        survey.unwrap_or_else(|| Error::io("create", &destination.path, error))
    })?;
    parents.keep();
    Ok(Written {
        overwritten: Vec::new(),
        removed: Vec::new(),
        repository,
    })
}

/// Puts the package together in a folder of the workspace.
fn assemble(
    workspace: &TempDir,
    files: &[Rendered],
    destination: &Destination,
    commit: Option<&Commit>,
) -> Result<(PathBuf, Repository)> {
    // Not the workspace itself, which has to stay to be removed.
    let package = workspace.path().join(PACKAGE);
    let mut folder = PathBuf::new();
    for file in files {
        interrupt::check()?;
        let path = package.join(&file.path);
        let parent = path.parent().unwrap_or(&package);
        if folder != parent {
            fs::create_dir_all(parent).map_err(|error| Error::io("create", parent, error))?;
            folder = parent.to_owned();
        }
        let shown = destination.path.join(&file.path);
        fs::write(&path, &file.contents).map_err(|error| Error::io("write", &shown, error))?;
        // Keeps a script executable, for example, if its owner made it so.
        if let Ok(found) = fs::symlink_metadata(&shown)
            && found.is_file()
        {
            let kept = fs::set_permissions(&path, found.permissions());
            kept.map_err(|error| Error::io("write", &shown, error))?;
        }
    }
    let repository = repository(&package, destination, commit);
    interrupt::check()?;
    Ok((package, repository))
}

fn repository(package: &Path, destination: &Destination, commit: Option<&Commit>) -> Repository {
    let Some(commit) = commit else {
        return Repository::Declined;
    };
    let folder = match destination.path.is_dir() {
        true => &destination.path,
        false => destination.existing_parent(),
    };
    if let Some(repository) = git::enclosing_repository(folder) {
        return Repository::Around(repository);
    }
    match git::first_commit(package, commit) {
        Ok(()) => Repository::Created,
        Err(error) => {
            // A repository without the commit would only raise questions.
            let _ = fs::remove_dir_all(package.join(".git"));
            Repository::Failed(error)
        }
    }
}

fn vanished(destination: &Destination) -> Error {
    Error::io("look at", &destination.path, io::ErrorKind::NotFound.into())
}
