//! `runtime/`: replaced as a whole. Local edits, detected by checksum, are saved as a patch.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use super::package::Package;
use super::steps::Steps;
use crate::disk::Existing;
use crate::error::{Error, Result};
use crate::leftovers::is_leftover;
use crate::package::Rendered;
use crate::package::sums::{self, sum};
use crate::tell::{What, patch};

/// Where edits of a runtime go.
const EDITS: &str = "runtime-edits.patch";

type Files = BTreeMap<String, Vec<u8>>;

pub fn steps(package: &Package, files: &[Rendered], steps: &mut Steps) -> Result<()> {
    let below = |file: &&Rendered| file.path.starts_with(sums::FOLDER);
    let new = files.iter().filter(below);
    let new: BTreeMap<_, _> = new.map(|file| (&*file.path, &*file.contents)).collect();
    let mut old = Files::new();
    let folder = sums::FOLDER.trim_end_matches('/');
    walk(package, folder, &mut old, steps)?;
    let made = package.text(sums::PATH)?.unwrap_or_default();
    let made = sums::parse(&made);
    let mut edits = Vec::new();
    let paths = old.keys().map(String::as_str).chain(new.keys().copied());
    for path in paths.collect::<BTreeSet<_>>() {
        match (old.get(path), new.get(path)) {
            (Some(old), Some(new)) if old == new => {}
            (old, new) => {
                if let Some(old) = old.filter(|old| is_edited(path, old, &made)) {
                    steps.tell(What::Edited, path);
                    edits.extend(edit(package, path, old, made.get(path), new.copied())?);
                }
                match (old, new) {
                    (Some(old), None) => steps.remove(path, old.clone()),
                    (old, Some(new)) => steps.replace(path, old.cloned(), new),
                    (None, None) => {}
                }
            }
        }
    }
    match (edits.is_empty(), package.file(EDITS)?) {
        (true, _) => {}
        (false, Existing::Nothing) => steps.write(What::Patch, EDITS, None, edits),
        (false, other) => steps.block(EDITS, other),
    }
    Ok(())
}

fn is_edited(path: &str, contents: &[u8], made: &BTreeMap<String, String>) -> bool {
    path != sums::PATH && made.get(path) != Some(&sum(contents))
}

/// An edit as a patch: of the text as it was made if git has it, or else of the new one.
fn edit(
    package: &Package,
    path: &str,
    edited: &[u8],
    made: Option<&String>,
    new: Option<&[u8]>,
) -> Result<Vec<u8>> {
    let pristine = match made {
        Some(made) => package.committed(path, |text| sum(text) == *made)?,
        None => None,
    };
    Ok(patch(path, pristine.as_deref().or(new), Some(edited)))
}

/// A file, or all files of a folder but for what builds and tests leave there.
fn walk(package: &Package, path: &str, files: &mut Files, steps: &mut Steps) -> Result<()> {
    match package.file(path)? {
        Existing::Nothing => {}
        Existing::File(contents) => drop(files.insert(path.to_owned(), contents)),
        Existing::Other(problem) => steps.problems.push(problem),
        Existing::Folder => {
            let folder = package.place.path.join(path);
            for name in names(&folder).map_err(|error| Error::io("read", folder, error))? {
                if !is_leftover(&name) {
                    walk(package, &format!("{path}/{name}"), files, steps)?;
                }
            }
        }
    }
    Ok(())
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    let name = |entry: io::Result<fs::DirEntry>| {
        let name = entry?.file_name();
        Ok(name.to_string_lossy().into_owned())
    };
    fs::read_dir(folder)?.map(name).collect()
}
