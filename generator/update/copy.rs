//! The copy of the runtime in `runtime/` that packages had before they had an archive: removed. Local edits, detected by
//! checksum, are saved as a patch.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use super::package::Package;
use super::steps::Steps;
use crate::catalog::{Kind, embedded_files};
use crate::disk::Existing;
use crate::error::{Error, Result};
use crate::leftovers::is_leftover;
use crate::package::{FOLDER, sum};
use crate::tell::{What, patch};

/// The `--runtime` of packages with a copy, unless they are older than that option.
const VENDORED: &str = "vendored";

/// The checksums of the copy, as `sha256sum` prints them.
const SUMS: &str = "runtime/SHA256SUMS";

/// Where edits of a copy go.
const EDITS: &str = "runtime-edits.patch";

type Files = BTreeMap<String, Vec<u8>>;

pub fn steps(package: &Package, steps: &mut Steps) -> Result<()> {
    let source = package.record.said.layers.get(Kind::Runtime);
    if source.is_some_and(|source| source != VENDORED) {
        return Ok(());
    }
    let made = parse(&package.text(SUMS)?.unwrap_or_default());
    let mut old = Files::new();
    walk(package, FOLDER.trim_end_matches('/'), &mut old, steps)?;
    let mut edits = Vec::new();
    let mut now = None;
    for (path, contents) in old {
        if steps.write.iter().any(|file| file.path == path) {
            continue;
        }
        let made = made.get(&path);
        if path != SUMS && made != Some(&sum(&contents)) {
            steps.tell(What::Edited, &path);
            let made = made.map(|made| package.committed(&path, |text| sum(text) == *made));
            let now = now.get_or_insert_with(embedded_files);
            let base = made.transpose()?.flatten();
            let base = base.or_else(|| now.remove(path.strip_prefix(FOLDER)?));
            edits.extend(patch(&path, base.as_deref(), Some(&contents)));
        }
        steps.remove(&path, contents);
    }
    match (edits.is_empty(), package.file(EDITS)?) {
        (true, _) => {}
        (false, Existing::Nothing) => steps.write(What::Patch, EDITS, None, edits),
        (false, other) => steps.block(EDITS, other),
    }
    Ok(())
}

/// The checksums by the paths of the files in the package.
fn parse(text: &str) -> BTreeMap<String, String> {
    let line = |line: &str| {
        let (sum, path) = line.split_once("  ")?;
        Some((format!("{FOLDER}{path}"), sum.to_owned()))
    };
    text.lines().filter_map(line).collect()
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
