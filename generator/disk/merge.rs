//! Moves a finished package into a folder that exists, or leaves that folder as it was.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A package, and the folder on the same disk that it goes into.
pub struct Merge<'a> {
    pub package: &'a Path,
    pub destination: &'a Path,
    /// Takes what is replaced or removed, at its path in the destination; not there yet.
    pub old: &'a Path,
    /// Files of the destination to remove, as paths in it.
    pub outdated: &'a [String],
    /// Called before every move: an error undoes them all.
    pub check: &'a dyn Fn() -> Result<()>,
}

/// Renames made so far: from, to.
type Moves = Vec<(PathBuf, PathBuf)>;

impl Merge<'_> {
    /// Moves everything, or nothing. Whole folders are moved where nothing is in their way, so that there is little to do
    /// and little to undo.
    pub fn run(&self) -> Result<()> {
        fs::create_dir(self.old).map_err(|error| Error::io("create", self.old, error))?;
        let mut moves = Moves::new();
        let moved = self.remove(&mut moves);
        match moved.and_then(|()| self.folder(Path::new(""), &mut moves)) {
            Ok(()) => {
                self.tidy();
                Ok(())
            }
            Err(error) => Err(self.undo(moves, error)),
        }
    }

    fn remove(&self, moves: &mut Moves) -> Result<()> {
        self.outdated
            .iter()
            .try_for_each(|path| self.set_aside(Path::new(path), moves))
    }

    /// Moves what is in a folder of the package, in the order of names: a failure then leaves the same every time.
    fn folder(&self, folder: &Path, moves: &mut Moves) -> Result<()> {
        let from = self.package.join(folder);
        let failed = |error| Error::io("read", &from, error);
        let entries = fs::read_dir(&from).map_err(failed)?;
        let mut entries = entries.collect::<io::Result<Vec<_>>>().map_err(failed)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let is_folder = entry.file_type().map_err(failed)?.is_dir();
            let path = folder.join(entry.file_name());
            let target = self.destination.join(&path);
            match fs::symlink_metadata(&target) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Error::io("look at", target, error)),
                Ok(found) if found.is_dir() && is_folder => {
                    self.folder(&path, moves)?;
                    continue;
                }
                Ok(found) if found.is_dir() || is_folder => {
                    // `Destination::survey` refuses these: somebody else is changing the folder.
                    let exists = io::ErrorKind::AlreadyExists.into();
                    return Err(Error::io("replace", target, exists));
                }
                Ok(_) => self.set_aside(&path, moves)?,
            }
            self.rename(entry.path(), target, moves)?;
        }
        Ok(())
    }

    fn set_aside(&self, path: &Path, moves: &mut Moves) -> Result<()> {
        let aside = self.old.join(path);
        if let Some(folder) = aside.parent() {
            fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, error))?;
        }
        self.rename(self.destination.join(path), aside, moves)
    }

    fn rename(&self, from: PathBuf, to: PathBuf, moves: &mut Moves) -> Result<()> {
        (self.check)()?;
        fs::rename(&from, &to).map_err(|error| Error::io("write", &to, error))?;
        moves.push((from, to));
        Ok(())
    }

    /// Takes all moves back, the last one first, and says what led here.
    fn undo(&self, moves: Moves, error: Error) -> Error {
        let back = |(from, to): (PathBuf, PathBuf)| fs::rename(to, from).is_err();
        let failures = moves.into_iter().rev().map(back);
        if failures.filter(|failed| *failed).count() > 0 {
            return Error::NotUndone {
                cause: Box::new(error),
                folder: self.destination.to_owned(),
                old: self.old.to_owned(),
            };
        }
        // Nothing is begun any more. If it stays, it is removed with the rest of the workspace.
        let _ = fs::remove_dir_all(self.old);
        error
    }

    /// Removes folders that held nothing but outdated files.
    fn tidy(&self) {
        for path in self.outdated {
            for folder in Path::new(path).ancestors().skip(1) {
                // Fails for those that hold something else, and those are to stay.
                if folder.as_os_str().is_empty()
                    || fs::remove_dir(self.destination.join(folder)).is_err()
                {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
