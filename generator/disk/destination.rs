//! The folder a package goes to, and what is in the way there.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::package::Rendered;

/// Where the files lie while they are put together, in a destination that exists already.
pub const WORKSPACE: &str = ".cuvec-new-workspace";

/// In the workspace: the whole package.
pub const PACKAGE: &str = "new";

/// In the workspace: a list of the files that are to be removed, one in a line.
pub const OUTDATED: &str = "outdated";

/// In the workspace: files that the package replaces. It is there from the first move on.
pub const REPLACED: &str = "old";

#[derive(Clone, Debug)]
pub struct Destination {
    pub path: PathBuf,
    pub force: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    Nothing,
    /// A folder; its files that the package overwrites.
    Folder {
        overwritten: Vec<String>,
    },
}

impl Destination {
    /// The folder that a package of this name goes to.
    pub fn new(output: Option<&Path>, name: &str, force: bool) -> Self {
        let path = match output {
            None => PathBuf::from(name),
            // Without trailing slashes, so that the last part can be created and renamed.
            Some(path) => path.components().collect(),
        };
        Self { path, force }
    }

    /// A folder whose files may be overwritten, such as a package's.
    pub fn forced(path: &Path) -> Self {
        let path = path.components().collect();
        Self { path, force: true }
    }

    /// Looks at everything that could be in the way, and reports all of it or nothing.
    ///
    /// A folder is as good as none when it is empty, or a repository without files. Any other takes `--force`, and
    /// even that never replaces a folder by a file, a file by a folder, or follows a symbolic link out of the folder.
    pub fn survey(&self, files: &[Rendered]) -> Result<Found> {
        let path = &self.path;
        match fs::symlink_metadata(path) {
            Err(_) if !self.existing_parent().is_dir() => {
                let file = self.existing_parent().display();
                return Err(self.blocked(vec![format!("`{file}` is not a folder")]));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(error) => return Err(Error::io("look at", path, error)),
            Ok(_) if path.is_dir() => {}
            Ok(_) => return Err(self.blocked(vec!["it is not a folder".to_owned()])),
        }

        let mut overwritten = Vec::new();
        let mut problems = Vec::new();
        for file in files {
            match self.obstacle(&file.path) {
                None => {}
                Some(Obstacle::File) => overwritten.push(file.path.clone()),
                Some(Obstacle::Other(problem)) => problems.push(problem),
            }
        }
        problems.dedup();
        if !problems.is_empty() {
            return Err(self.blocked(problems));
        }
        if !self.force && !self.is_vacant()? {
            return Err(Error::Occupied {
                path: path.clone(),
                files: overwritten,
            });
        }
        Ok(Found::Folder { overwritten })
    }

    /// Checks whether a package could go here, as far as possible before its files are known.
    pub fn is_free(&self) -> bool {
        let found = fs::symlink_metadata(&self.path).is_ok();
        !found || (self.path.is_dir() && (self.force || self.is_vacant().unwrap_or(false)))
    }

    /// Folders that are there and that something is created or replaced in.
    pub fn written_folders(&self, files: &[Rendered]) -> BTreeSet<PathBuf> {
        if !self.path.is_dir() {
            return [self.existing_parent().to_owned()].into();
        }
        let existing = |file: &Rendered| {
            let path = self.path.join(&file.path);
            let folder = path.ancestors().skip(1).find(|folder| folder.is_dir());
            folder.unwrap_or(&self.path).to_owned()
        };
        let folders = files.iter().map(existing);
        [self.path.clone()].into_iter().chain(folders).collect()
    }

    /// The deepest folder above the destination that exists.
    pub fn existing_parent(&self) -> &Path {
        let parents = self.path.ancestors().skip(1);
        // The path of a folder in the current one ends in "", which does not exist.
        let existing = parents.into_iter().find(|parent| parent.exists());
        existing.unwrap_or(Path::new("."))
    }

    fn blocked(&self, problems: Vec<String>) -> Error {
        Error::Blocked {
            path: self.path.clone(),
            problems,
        }
    }

    fn is_vacant(&self) -> Result<bool> {
        let failed = |error| Error::io("look into", &self.path, error);
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            if name != ".git" && name != WORKSPACE {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn obstacle(&self, file: &str) -> Option<Obstacle> {
        let folders = file.match_indices('/').map(|(end, _)| &file[..end]);
        for folder in folders {
            let metadata = fs::symlink_metadata(self.path.join(folder)).ok()?;
            if !metadata.is_dir() {
                return Some(Obstacle::Other(format!("`{folder}` is not a folder")));
            }
        }
        let metadata = fs::symlink_metadata(self.path.join(file)).ok()?;
        if metadata.is_dir() {
            return Some(Obstacle::Other(format!("`{file}` is a folder")));
        }
        Some(Obstacle::File)
    }
}

enum Obstacle {
    /// A file or symbolic link, which can be overwritten.
    File,
    Other(String),
}
