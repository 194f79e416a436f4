//! From templates to a catalog without mistakes.

use std::collections::BTreeMap;

use super::Catalog;
use super::kind::Kind;
use super::layer::Layer;
use super::path::{Located, Place, locate};
use super::templates::Templates;
use crate::error::{Error, Result};

impl Catalog {
    pub fn load(templates: Templates) -> Result<Self> {
        let mut folders: BTreeMap<String, BTreeMap<String, _>> = BTreeMap::new();
        for (path, contents) in templates.layers {
            match locate(&path) {
                Located::In { id, file, .. } => {
                    let files = folders.entry(id.to_owned()).or_default();
                    files.insert(file.to_owned(), contents);
                }
                Located::Beside => {}
                Located::Unknown(folder) => {
                    return Err(Error::template(folder, "the folder is no kind of layer"));
                }
            }
        }
        let mut common = None;
        let mut members: BTreeMap<Kind, Vec<Layer>> = BTreeMap::new();
        for (id, files) in folders {
            let layer = Layer::new(id.clone(), files)?;
            match locate(&format!("{id}/")) {
                Located::In {
                    place: Place::Member(kind, _),
                    ..
                } => members.entry(kind).or_default().push(layer),
                _ => common = Some(layer),
            }
        }
        for members in members.values_mut() {
            members.sort_by_key(|layer| !layer.manifest.default);
        }
        let catalog = Self {
            common: common.ok_or_else(|| Error::template("common", "the layer is missing"))?,
            members,
            runtime: templates.runtime,
        };
        catalog.check()?;
        Ok(catalog)
    }

    /// Mistakes in manifests are reported for every layer, not only for those of the package at hand.
    fn check(&self) -> Result<()> {
        if self.common.manifest.default {
            // Whoever writes what means nothing expects that it does something.
            let file = format!("{}/layer.toml", self.common.id);
            return Err(Error::template(file, "`default` means nothing here"));
        }
        for (kind, members) in &self.members {
            let defaults = members.iter().filter(|layer| layer.manifest.default);
            if defaults.count() > 1 {
                return Err(Error::template(kind.folder(), "two layers are the default"));
            }
        }
        Ok(())
    }
}
