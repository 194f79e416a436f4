//! Steps of an update on the files of a package.

use crate::disk::Existing;
use crate::package::Rendered;
use crate::tell::{Change, What};

#[derive(Debug, Default)]
pub struct Steps {
    pub write: Vec<Rendered<'static>>,
    pub remove: Vec<String>,
    /// Those, and what else is to be told.
    pub changes: Vec<Change>,
    pub problems: Vec<String>,
}

impl Steps {
    pub fn write(&mut self, what: What, path: &str, old: Option<Vec<u8>>, new: Vec<u8>) {
        self.write.push(Rendered::new(path, new.clone()));
        self.change(what, path, old, Some(new));
    }

    pub fn remove(&mut self, path: &str, old: Vec<u8>) {
        self.remove.push(path.to_owned());
        self.change(What::Removed, path, Some(old), None);
    }

    /// Something that is not written.
    pub fn tell(&mut self, what: What, path: &str) {
        self.change(what, path, None, None);
    }

    /// The new text of a file whose old one nobody needs.
    pub fn replace(&mut self, path: &str, old: Option<Vec<u8>>, new: &[u8]) {
        if old.as_deref() != Some(new) {
            let what = if old.is_some() {
                What::Changed
            } else {
                What::Added
            };
            self.write(what, path, old, new.to_vec());
        }
    }

    /// Something in the way at a path.
    pub fn block(&mut self, path: &str, found: Existing) {
        self.problems.push(match found {
            Existing::Other(problem) => problem,
            Existing::Folder => format!("`{path}` is a folder"),
            Existing::File(_) | Existing::Nothing => format!("`{path}` is there already"),
        });
    }

    fn change(&mut self, what: What, path: &str, old: Option<Vec<u8>>, new: Option<Vec<u8>>) {
        let path = path.to_owned();
        self.changes.push(Change {
            path,
            what,
            old,
            new,
        });
    }
}
