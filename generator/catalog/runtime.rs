//! The sdist of the runtime: inside the binary, or packed of a folder beside the templates of `--templates`.

use std::collections::BTreeMap;
use std::path::Path;

use super::files::{Contents, collect_folder};
use crate::error::{Error, Result};
use crate::leftovers::is_leftover;
use crate::sdist;

static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.tar.gz"));

pub fn embedded() -> Contents {
    EMBEDDED.into()
}

/// Files of the embedded one, by their paths in `runtime/`.
pub fn embedded_files() -> BTreeMap<String, Vec<u8>> {
    sdist::unpack(EMBEDDED).expect("build.rs has packed it")
}

/// Packs `runtime/` beside a folder of templates; returns the embedded one where there is none.
pub fn beside(templates: &Path) -> Result<Contents> {
    let folder = templates.join("..").join("runtime");
    if !folder.is_dir() {
        return Ok(embedded());
    } else if folder.is_symlink() {
        return Err(Error::template("../runtime", "it is a link"));
    }
    let mut files = BTreeMap::new();
    collect_folder(&folder, "", &|name| !is_leftover(name), &mut files)?;
    let packed = sdist::pack(&files).map_err(|error| Error::io("pack", &folder, error))?;
    Ok(packed.into())
}
