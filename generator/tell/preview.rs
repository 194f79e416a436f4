//! `--dry-run`: the files that would be written.

use std::collections::BTreeMap;

use serde::Serialize;

use super::print::{BOLD, DIM, print, print_json, print_list, styled};
use crate::answers::Answers;
use crate::catalog::Kind;
use crate::disk::{Destination, Found};
use crate::error::Result;
use crate::package::Rendered;

/// With `--json`, these fields under these names; fields may be added, none is renamed or removed.
#[derive(Debug, Serialize)]
pub struct Preview<'a> {
    pub name: &'a str,
    pub module: String,
    pub destination: String,
    /// The chosen layers, each under the option that chooses it: `"bridge": "pyo3"`.
    #[serde(flatten)]
    pub layers: BTreeMap<&'static str, &'a str>,
    /// Lowest Python.
    pub python: String,
    /// Sorted by path.
    pub files: Vec<File<'a>>,
    /// Files that `--force` would remove: files of the package as it was made before.
    pub removes: &'a [String],
}

#[derive(Debug, Serialize)]
pub struct File<'a> {
    /// Path below the destination, with `/`.
    pub path: &'a str,
    pub bytes: usize,
    /// True if `--force` would overwrite a file.
    pub overwrites: bool,
}

impl<'a> Preview<'a> {
    pub fn new(
        answers: &'a Answers,
        destination: &Destination,
        rendered: &'a [Rendered],
        found: &Found,
        removes: &'a [String],
    ) -> Self {
        let overwritten = match found {
            Found::Nothing => &[][..],
            Found::Folder { overwritten } => overwritten,
        };
        let files = rendered.iter().map(|file| File {
            path: &file.path,
            bytes: file.contents.len(),
            overwrites: overwritten.contains(&file.path),
        });
        Self {
            name: answers.name.distribution(),
            module: answers.name.module(),
            destination: destination.path.display().to_string(),
            layers: Kind::ALL
                .map(|kind| (kind.folder(), answers.layers.get(kind).name()))
                .into(),
            python: answers.python.to_string(),
            files: files.collect(),
            removes,
        }
    }

    pub fn print(&self, json: bool) -> Result<()> {
        if json {
            return print_json(self);
        }
        print(styled(BOLD, format!("{}/", self.destination)))?;
        let lines = tree(&self.files, "", "");
        let width = lines.iter().map(|line| line.text.chars().count()).max();
        for Line { text, file } in &lines {
            let Some(file) = file else {
                print(text)?;
                continue;
            };
            let width = width.unwrap_or_default();
            let size = styled(DIM, format!("{:>7} B", file.bytes));
            let overwrites = if file.overwrites { "  overwrites" } else { "" };
            print(format!("{text:width$} {size}{overwrites}"))?;
        }
        if !self.removes.is_empty() {
            print_list("removes", self.removes)?;
        }
        let bytes: usize = self.files.iter().map(|file| file.bytes).sum();
        print(format!(
            "{} files, {bytes} bytes; nothing was written",
            self.files.len()
        ))
    }
}

struct Line<'a> {
    text: String,
    /// None for a folder.
    file: Option<&'a File<'a>>,
}

/// Lines of the files below `folder`, which ends in `/` unless it is the top. `files` are sorted by path.
fn tree<'a>(files: &'a [File<'a>], folder: &str, indent: &str) -> Vec<Line<'a>> {
    let mut entries = files
        .chunk_by(|a, b| entry(a, folder) == entry(b, folder))
        .peekable();
    let mut lines = Vec::new();
    while let Some(chunk) = entries.next() {
        let (branch, below) = match entries.peek() {
            Some(_) => ("├── ", "│   "),
            None => ("└── ", "    "),
        };
        let file = &chunk[0];
        let name = entry(file, folder);
        lines.push(Line {
            text: format!("{indent}{branch}{name}"),
            file: (!name.ends_with('/')).then_some(file),
        });
        if name.ends_with('/') {
            lines.extend(tree(
                chunk,
                &format!("{folder}{name}"),
                &format!("{indent}{below}"),
            ));
        }
    }
    lines
}

/// The file, or the folder (with a `/`), directly below `folder` that a file belongs to.
fn entry<'a>(file: &File<'a>, folder: &str) -> &'a str {
    let rest = &file.path[folder.len()..];
    let end = rest.find('/').map_or(rest.len(), |slash| slash + 1);
    &rest[..end]
}
