//! Looks at the path of a file in a folder.

use std::fs;
use std::io;
use std::path::Path;

use crate::error::{Error, Result};
use crate::read::{self, LARGEST};

#[derive(Debug, PartialEq, Eq)]
pub enum Existing {
    Nothing,
    File(Vec<u8>),
    Folder,
    /// Something else, as a sentence.
    Other(String),
}

impl Existing {
    /// The text of a file, if there is one. The error is what is there instead.
    pub fn text(self, file: &str) -> Result<Option<String>, String> {
        match self {
            Self::Nothing => Ok(None),
            Self::File(contents) => Ok(Some(String::from_utf8_lossy(&contents).into_owned())),
            Self::Folder => Err(format!("`{file}` is a folder")),
            Self::Other(problem) => Err(problem),
        }
    }
}

/// Reads a file without following links: what they lead to is not the folder's.
pub fn existing(folder: &Path, file: &str) -> Result<Existing> {
    let ends = file.match_indices('/').map(|(end, _)| end);
    for end in ends.chain([file.len()]) {
        let part = &file[..end];
        let path = folder.join(part);
        let metadata = match fs::symlink_metadata(&path) {
            Err(error) if missing(&error) => return Ok(Existing::Nothing),
            Err(error) => return Err(Error::io("look at", path, error)),
            Ok(metadata) => metadata,
        };
        let found = metadata.file_type();
        if found.is_symlink() {
            return Ok(Existing::Other(format!("`{part}` is a link")));
        } else if end < file.len() {
            continue;
        } else if found.is_dir() {
            return Ok(Existing::Folder);
        } else if !found.is_file() {
            return Ok(Existing::Other(format!("`{part}` is no regular file")));
        } else if metadata.len() > LARGEST {
            let problem = format!("`{part}` has more than {} MiB", LARGEST >> 20);
            return Ok(Existing::Other(problem));
        }
    }
    let path = folder.join(file);
    match read::contents(&path) {
        Ok(contents) => Ok(Existing::File(contents)),
        Err(error) => Err(Error::io("read", path, error)),
    }
}

/// Not there, or below something that is no folder.
fn missing(error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
    kinds.contains(&error.kind())
}
