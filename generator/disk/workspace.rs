//! The hidden folder in which a package is put together, and what another run left of one.

use std::io;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use super::destination::{Destination, OUTDATED, PACKAGE, REPLACED, WORKSPACE};
use super::existing::existing;
use crate::error::{Begun, Error, Result};

/// Begins the name of a workspace beside a folder that is not there yet.
pub const HIDDEN: &str = ".cuvec-new-";

/// A hidden folder that disappears with the value.
pub fn workspace(parent: &Path, prefix: &str, random: usize) -> Result<TempDir> {
    let workspace = tempfile::Builder::new()
        .prefix(prefix)
        .rand_bytes(random)
        .tempdir_in(parent);
    workspace.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => busy(parent, parent.join(prefix)),
        // Only its kind: the message of `tempfile` holds the random name.
        kind => Error::io("create a folder in", parent, kind.into()),
    })
}

fn busy(folder: &Path, workspace: PathBuf) -> Error {
    let package = workspace.join(PACKAGE);
    let outdated = existing(&workspace, OUTDATED).ok();
    let outdated = outdated.and_then(|it| it.text(OUTDATED).ok().flatten());
    // Whoever wrote the list decides what a hint removes.
    let is_inside = |path: &&str| {
        let mut parts = Path::new(path).components();
        parts.all(|part| matches!(part, Component::Normal(_)))
    };
    let outdated = outdated.iter().flat_map(|it| it.lines()).filter(is_inside);
    let begun = Begun {
        outdated: outdated.map(|path| folder.join(path)).collect(),
        package,
    };
    // Without the package, all is moved and the rest was being removed.
    let is_begun = workspace.join(REPLACED).exists() && begun.package.exists();
    Error::Busy {
        folder: folder.to_owned(),
        begun: is_begun.then_some(begun),
        workspace,
    }
}

/// Checks that no other run is at work there. Comes before the survey, which would find files it
/// has moved so far.
pub fn check_free(destination: &Destination) -> Result<()> {
    let other = destination.path.join(WORKSPACE);
    match other.exists() {
        true => Err(busy(&destination.path, other)),
        false => Ok(()),
    }
}

/// Removes a workspace, unless it holds files of the user.
pub fn leave<T>(workspace: TempDir, result: Result<T>) -> Result<T> {
    if matches!(result, Err(Error::NotUndone { .. })) {
        let _ = workspace.keep();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_workspace_with_files_of_the_user_stays() {
        let parent = tempfile::tempdir().unwrap();
        let left = |result: Result<()>| {
            let workspace = workspace(parent.path(), WORKSPACE, 0).unwrap();
            let path = workspace.path().to_owned();
            let _ = leave(workspace, result);
            path.exists()
        };
        assert!(!left(Ok(())));
        assert!(!left(Err(Error::Interrupted { hint: None })));
        assert!(left(Err(Error::NotUndone {
            cause: Box::new(Error::Interrupted { hint: None }),
            folder: parent.path().into(),
            old: parent.path().into(),
        })));
    }
}
