//! Where template files and the runtime come from: inside the binary, or folders on disk given with `--templates`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use include_dir::{Dir, include_dir};

use super::files::{Contents, collect_folder};
use crate::error::{Error, Result};
use crate::leftovers::is_leftover;
use crate::sdist;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The sdist of the runtime.
static RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.tar.gz"));

#[derive(Debug)]
pub struct Templates {
    /// Every template file by its path below `templates/`, with `/` between the parts on all systems.
    pub layers: BTreeMap<String, Contents>,
    pub runtime: Contents,
}

impl Templates {
    pub fn embedded() -> Self {
        let mut layers = BTreeMap::new();
        collect_embedded(&EMBEDDED, &mut layers);
        let runtime = RUNTIME.into();
        Self { layers, runtime }
    }

    /// Reads a folder laid out as `templates/` of this repository, and `runtime/` beside it if it is there.
    pub fn from_folder(folder: &Path) -> Result<Self> {
        let mut layers = BTreeMap::new();
        collect_folder(folder, "", &|_| true, &mut layers)?;
        let runtime = runtime_beside(folder)?;
        Ok(Self { layers, runtime })
    }
}

fn collect_embedded(folder: &'static Dir<'static>, files: &mut BTreeMap<String, Contents>) {
    for file in folder.files() {
        let path = file.path().to_string_lossy().replace('\\', "/");
        files.insert(path, Cow::Borrowed(file.contents()));
    }
    for child in folder.dirs() {
        collect_embedded(child, files);
    }
}

/// Files of the embedded one, by their paths in `runtime/`.
pub fn embedded_files() -> BTreeMap<String, Vec<u8>> {
    sdist::unpack(RUNTIME).expect("build.rs has packed it")
}

/// Packs `runtime/` beside a folder of templates; returns the embedded one where there is none.
fn runtime_beside(templates: &Path) -> Result<Contents> {
    let folder = templates.join("..").join("runtime");
    if !folder.is_dir() {
        return Ok(RUNTIME.into());
    } else if folder.is_symlink() {
        return Err(Error::template("../runtime", "it is a link"));
    }
    let mut files = BTreeMap::new();
    collect_folder(&folder, "", &|name| !is_leftover(name), &mut files)?;
    let packed = sdist::pack(&files).map_err(|error| Error::io("pack", &folder, error))?;
    Ok(packed.into())
}
