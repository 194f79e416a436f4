//! A file of a package, in memory.

use std::borrow::Cow;

#[derive(Debug)]
pub struct Rendered<'a> {
    /// Its path in the package, with `/`.
    pub path: String,
    pub contents: Cow<'a, [u8]>,
}

impl Rendered<'_> {
    pub fn new(path: impl Into<String>, contents: Vec<u8>) -> Self {
        Self {
            path: path.into(),
            contents: Cow::Owned(contents),
        }
    }
}

/// Puts a file where it belongs in files that are sorted by path.
pub fn insert<'a>(files: &mut Vec<Rendered<'a>>, file: Rendered<'a>) {
    let at = files.partition_point(|other| other.path < file.path);
    files.insert(at, file);
}
