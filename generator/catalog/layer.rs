//! One layer of templates: a folder with a `layer.toml`, partials and the files it gives to a package.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::files::Contents;
use crate::error::{Error, Result};
use crate::wording::hidden;

/// `layer.toml`; `templates/README.md` explains each key to the people who write one.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub summary: String,
    #[serde(default)]
    pub default: bool,
    /// Other names, among them former ones: offered to whoever types them, taken from records.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The layer in `base/` whose files a package has as well.
    pub base: Option<String>,
    /// True if a package carries the sdist of the runtime.
    #[serde(default)]
    pub bundled: bool,
    /// Plain values for the templates of all layers.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
}

#[derive(Debug)]
pub struct Layer {
    /// Its folder below `templates/`: `common`, `bridge/pyo3`, …
    pub id: String,
    pub manifest: Manifest,
    /// Handlebars partials by the name templates call them.
    pub partials: BTreeMap<String, String>,
    /// Files of the package by their path below the layer's folder.
    pub files: BTreeMap<String, Contents>,
}

impl Layer {
    /// Sorts the files of a layer's folder into manifest, partials and files of the package.
    pub fn new(id: String, mut files: BTreeMap<String, Contents>) -> Result<Self> {
        let manifest = files
            .remove("layer.toml")
            .ok_or_else(|| Error::template(&id, "the layer has no `layer.toml`"))?;
        let file = format!("{id}/layer.toml");
        let manifest: Manifest = toml::from_str(text(&file, &manifest)?)
            .map_err(|error| Error::template(&file, error.to_string().trim_end()))?;
        if manifest.summary.contains(hidden) {
            let problem = "`summary` is no line of plain text";
            return Err(Error::template(file, problem));
        }
        let mut partials = BTreeMap::new();
        let mut outputs = BTreeMap::new();
        for (path, contents) in files {
            let file = format!("{id}/{path}");
            if let Some(partial) = path.strip_prefix("partials/") {
                let contents = text(&file, &contents)?.to_owned();
                partials.insert(partial_name(partial).to_owned(), contents);
            } else if is_of_git(&path) {
                return Err(Error::template(file, "git would take it for its own"));
            } else {
                outputs.insert(path, contents);
            }
        }
        Ok(Self {
            id,
            manifest,
            partials,
            files: outputs,
        })
    }

    /// Returns its name for the user: the last part of its folder.
    pub fn name(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or(&self.id)
    }
}

/// The text of a template file, which must be UTF-8.
pub fn text<'a>(file: &str, contents: &'a [u8]) -> Result<&'a str> {
    std::str::from_utf8(contents).map_err(|_| Error::template(file, "the file is not UTF-8"))
}

/// Checks whether a part of the path is `.git`, as any file system spells it: adding the files
/// would run its commands.
pub fn is_of_git(path: &str) -> bool {
    let path = path.strip_suffix(".hbs").unwrap_or(path).to_lowercase();
    let mut parts = path.split('/');
    parts.any(|part| [".git", "git~1"].contains(&part.trim_end_matches(['.', ' '])))
}

/// `limits-kernels.md` is called `limits-kernels`.
fn partial_name(file: &str) -> &str {
    file.split_once('.').map_or(file, |(stem, _)| stem)
}
