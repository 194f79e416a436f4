//! Moves a finished package into a folder that exists, or leaves that folder as it was.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::interrupt;

/// Moves everything in `package` into `destination`, both on one disk.
///
/// What is replaced is set aside in `old`, and put back if something fails. Whole folders are moved where nothing is in
/// their way, so that there is little to do and little to undo.
pub fn merge(package: &Path, destination: &Path, old: &Path) -> Result<()> {
    fs::create_dir(old).map_err(|error| Error::io("create", old, error))?;
    let mut merge = Merge {
        old,
        moves: Vec::new(),
    };
    let result = merge.folder(package, destination);
    if result.is_err() {
        merge.undo();
    }
    result
}

struct Merge<'a> {
    old: &'a Path,
    /// Renames made so far: from, to.
    moves: Vec<(PathBuf, PathBuf)>,
}

impl Merge<'_> {
    fn folder(&mut self, from: &Path, to: &Path) -> Result<()> {
        let failed = |error| Error::io("read", from, error);
        for entry in fs::read_dir(from).map_err(failed)? {
            interrupt::check()?;
            let entry = entry.map_err(failed)?;
            let is_folder = entry.file_type().map_err(failed)?.is_dir();
            let target = to.join(entry.file_name());
            match fs::symlink_metadata(&target) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    self.rename(entry.path(), target)?;
                }
                Err(error) => return Err(Error::io("look at", target, error)),
                Ok(found) if found.is_dir() && is_folder => self.folder(&entry.path(), &target)?,
                Ok(found) if found.is_dir() || is_folder => {
                    // `Destination::survey` refuses these: somebody else is changing the folder.
                    return Err(Error::io(
                        "replace",
                        target,
                        io::ErrorKind::AlreadyExists.into(),
                    ));
                }
                Ok(_) => {
                    let aside = self.old.join(self.moves.len().to_string());
                    self.rename(target.clone(), aside)?;
                    self.rename(entry.path(), target)?;
                }
            }
        }
        Ok(())
    }

    fn rename(&mut self, from: PathBuf, to: PathBuf) -> Result<()> {
        fs::rename(&from, &to).map_err(|error| Error::io("write", &to, error))?;
        self.moves.push((from, to));
        Ok(())
    }

    fn undo(&mut self) {
        while let Some((from, to)) = self.moves.pop() {
            // Nothing better can be done if this fails too; the error that led here is reported.
            let _ = fs::rename(to, from);
        }
        // Nothing is begun any more.
        let _ = fs::remove_dir(self.old);
    }
}

#[cfg(test)]
mod tests;
