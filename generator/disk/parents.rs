//! The folders above a destination that does not exist yet.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Folders made above the destination, removed again unless they are kept.
#[derive(Debug, Default)]
pub struct Parents(Vec<PathBuf>);

impl Parents {
    /// Makes a folder and those above it, as far as they are missing.
    pub fn create(folder: Option<&Path>) -> Result<Self> {
        let mut parents = Self::default();
        let ancestors: Vec<_> = folder.into_iter().flat_map(Path::ancestors).collect();
        for folder in ancestors.into_iter().rev() {
            if folder.as_os_str().is_empty() {
                continue;
            }
            match fs::create_dir(folder) {
                Ok(()) => parents.0.push(folder.to_owned()),
                Err(_) if folder.is_dir() => {}
                Err(error) => return Err(Error::io("create", folder, error)),
            }
        }
        Ok(parents)
    }

    pub fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Parents {
    fn drop(&mut self) {
        for folder in self.0.iter().rev() {
            // Fails if something else was put there, which is then not ours to remove.
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_were_there_stay() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("a")).unwrap();
        drop(Parents::create(Some(&root.path().join("a/b"))).unwrap());
        assert!(root.path().join("a").is_dir());
        assert!(!root.path().join("a/b").exists());
    }
}
