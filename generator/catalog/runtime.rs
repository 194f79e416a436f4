//! Where the files of `runtime/` come from: inside the binary, or a folder beside the templates of `--templates`.

use std::collections::BTreeMap;
use std::path::Path;

use super::files::{Contents, collect_folder};
use crate::error::{Error, Result};
use crate::leftovers::is_leftover;

static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/runtime.rs"));

/// Checksums that the generator writes into packages, and no part of the sources.
const SUMS: &str = "SHA256SUMS";

/// The vendored runtime of every package: files by their paths below `runtime/`.
pub type Runtime = BTreeMap<String, Contents>;

pub fn embedded() -> Runtime {
    let file = |&(path, contents): &(&str, &'static [u8])| (path.to_owned(), contents.into());
    EMBEDDED.iter().map(file).collect()
}

/// Embedded files below a folder, by their paths in it.
pub fn embedded_below(folder: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let files = EMBEDDED.iter();
    files.filter_map(move |(path, contents)| Some((path.strip_prefix(folder)?, *contents)))
}

/// Of `runtime/` beside a folder of templates; the embedded one where there is none.
pub fn beside(templates: &Path) -> Result<Runtime> {
    let folder = templates.join("..").join("runtime");
    if !folder.is_dir() {
        return Ok(embedded());
    } else if folder.is_symlink() {
        return Err(Error::template("../runtime", "it is a link"));
    }
    let mut files = Runtime::new();
    collect_folder(&folder, "", &|name| !is_leftover(name), &mut files)?;
    files.remove(SUMS);
    Ok(files)
}
