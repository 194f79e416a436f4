//! One layer of templates: a folder with a `layer.toml`, partials and the files it gives to a package.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::templates::Contents;
use crate::error::{Error, Result};
use crate::wording::hidden;

/// `layer.toml`; `templates/README.md` explains each key to the people who write one.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub summary: String,
    #[serde(default)]
    pub default: bool,
    /// Bridges: the host layer they are built on.
    pub host: Option<String>,
    /// Kernel kinds: the hosts that can launch them.
    #[serde(default)]
    pub hosts: Vec<String>,
    /// Layers in `shared/` that it is built on.
    #[serde(default)]
    pub includes: Vec<String>,
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
    /// What it gives to packages of one host only, by the name of the host.
    pub hosts: BTreeMap<String, Layer>,
}

impl Layer {
    /// Sorts the files of a layer's folder into manifest, partials and files of the package.
    pub fn new(id: String, mut files: BTreeMap<String, Contents>) -> Result<Self> {
        let manifest = files
            .remove("layer.toml")
            .ok_or_else(|| Error::template(&id, "the layer has no `layer.toml`"))?;
        let file = format!("{id}/layer.toml");
        let manifest = toml::from_str(text(&file, &manifest)?)
            .map_err(|error| Error::template(&file, error.to_string().trim_end()))?;
        let layer = Self::with_manifest(id, manifest, files)?;
        if layer.manifest.summary.contains(hidden) {
            let problem = "`summary` is no line of plain text";
            return Err(Error::template(file, problem));
        }
        Ok(layer)
    }

    fn with_manifest(
        id: String,
        manifest: Manifest,
        files: BTreeMap<String, Contents>,
    ) -> Result<Self> {
        let mut partials = BTreeMap::new();
        let mut outputs = BTreeMap::new();
        let mut hosts: BTreeMap<String, BTreeMap<_, _>> = BTreeMap::new();
        for (path, contents) in files {
            if let Some((host, file)) = host_and_file(&path) {
                let files = hosts.entry(host.to_owned()).or_default();
                files.insert(file.to_owned(), contents);
            } else if let Some(file) = path.strip_prefix("partials/") {
                let contents = text(&format!("{id}/{path}"), &contents)?.to_owned();
                partials.insert(partial_name(file).to_owned(), contents);
            } else if is_of_git(&path) {
                let problem = "git would take it for its own";
                return Err(Error::template(format!("{id}/{path}"), problem));
            } else {
                outputs.insert(path, contents);
            }
        }
        let hosts = hosts.into_iter().map(|(host, files)| {
            let id = format!("{id}/hosts/{host}");
            Ok((host, Self::with_manifest(id, Manifest::default(), files)?))
        });
        Ok(Self {
            hosts: hosts.collect::<Result<_>>()?,
            id,
            manifest,
            partials,
            files: outputs,
        })
    }

    /// What the user calls it: the last part of its folder.
    pub fn name(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or(&self.id)
    }
}

/// The text of a template file, which must be UTF-8.
pub fn text<'a>(file: &str, contents: &'a [u8]) -> Result<&'a str> {
    std::str::from_utf8(contents).map_err(|_| Error::template(file, "the file is not UTF-8"))
}

/// Whether a part of the path is `.git`, as any file system spells it: adding the files would run what it says.
pub fn is_of_git(path: &str) -> bool {
    let path = path.strip_suffix(".hbs").unwrap_or(path).to_lowercase();
    let mut parts = path.split('/');
    parts.any(|part| [".git", "git~1"].contains(&part.trim_end_matches(['.', ' '])))
}

/// `hosts/rust/src/lib.rs` is `src/lib.rs` for packages of the host `rust`.
fn host_and_file(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix("hosts/")?.split_once('/')
}

/// `add-a-kernel.md` is called `add-a-kernel`.
fn partial_name(file: &str) -> &str {
    file.split_once('.').map_or(file, |(stem, _)| stem)
}
