//! From templates to a catalog without mistakes.

use std::collections::BTreeMap;

use super::Catalog;
use super::kind::Kind;
use super::layer::{Layer, Manifest};
use super::path::{Located, Place, locate};
use super::templates::Templates;
use crate::error::{Error, Result};

impl Catalog {
    pub fn load(templates: Templates) -> Result<Self> {
        let mut folders: BTreeMap<(Place, String), BTreeMap<String, _>> = BTreeMap::new();
        for (path, contents) in templates.layers {
            let unknown = |folder| Error::template(folder, "the folder is no kind of layer");
            if let Some(Located { place, id, file }) = locate(&path).map_err(unknown)? {
                let files = folders.entry((place, id.to_owned())).or_default();
                files.insert(file.to_owned(), contents);
            }
        }
        let mut common = None;
        let mut bases = Vec::new();
        let mut members: BTreeMap<Kind, Vec<Layer>> = BTreeMap::new();
        for ((place, id), files) in folders {
            let layer = Layer::new(id, files)?;
            match place {
                Place::Common => common = Some(layer),
                Place::Base => bases.push(layer),
                Place::Member(kind) => members.entry(kind).or_default().push(layer),
            }
        }
        for members in members.values_mut() {
            members.sort_by_key(|layer| !layer.manifest.default);
        }
        let catalog = Self {
            common: common.ok_or_else(|| Error::template("common", "the layer is missing"))?,
            bases,
            members,
            runtime: templates.runtime,
        };
        catalog.check()?;
        Ok(catalog)
    }

    /// Mistakes in manifests are reported for every layer, not only for the layers of the package at hand.
    fn check(&self) -> Result<()> {
        let manifest = |layer: &Layer| format!("{}/layer.toml", layer.id);
        for layer in [&self.common].into_iter().chain(&self.bases) {
            // Whoever writes what means nothing expects that it does something.
            let Manifest { default, base, .. } = &layer.manifest;
            for (key, is_there) in [("default", *default), ("base", base.is_some())] {
                if is_there {
                    let problem = format!("`{key}` means nothing here");
                    return Err(Error::template(manifest(layer), problem));
                }
            }
        }
        let names =
            |layer: &Layer, base: &Layer| layer.manifest.base.as_deref() == Some(base.name());
        for layer in self.members.values().flatten() {
            if let Some(name) = &layer.manifest.base
                && !self.bases.iter().any(|base| names(layer, base))
            {
                let problem = format!("there is no layer `base/{name}`");
                return Err(Error::template(manifest(layer), problem));
            }
        }
        for base in &self.bases {
            let mut members = self.members.values().flatten();
            if !members.any(|layer| names(layer, base)) {
                return Err(Error::template(&base.id, "no layer names this base"));
            }
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
