//! Where template files come from: the folder inside the binary, or one on disk given with `--templates`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use include_dir::{Dir, include_dir};

use super::files::{Contents, collect_folder};
use super::runtime;
use crate::error::Result;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

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
        let runtime = runtime::embedded();
        Self { layers, runtime }
    }

    /// Reads a folder laid out as `templates/` of this repository, and `runtime/` beside it if it is there.
    pub fn from_folder(folder: &Path) -> Result<Self> {
        let mut layers = BTreeMap::new();
        collect_folder(folder, "", &|_| true, &mut layers)?;
        let runtime = runtime::beside(folder)?;
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
