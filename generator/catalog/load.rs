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
        for (path, contents) in templates {
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
        let mut shared = BTreeMap::new();
        let mut members: BTreeMap<Kind, Vec<Layer>> = BTreeMap::new();
        for (id, files) in folders {
            let layer = Layer::new(id.clone(), files)?;
            match locate(&format!("{id}/")) {
                Located::In {
                    place: Place::Common,
                    ..
                } => common = Some(layer),
                Located::In {
                    place: Place::Member(kind, _),
                    ..
                } => members.entry(kind).or_default().push(layer),
                _ => drop(shared.insert(layer.name().to_owned(), layer)),
            }
        }
        for members in members.values_mut() {
            members.sort_by_key(|layer| !layer.manifest.default);
        }
        let catalog = Self {
            common: common.ok_or_else(|| Error::template("common", "the layer is missing"))?,
            shared,
            members,
        };
        catalog.check()?;
        Ok(catalog)
    }

    /// All layers; no kind for the common one and the shared ones.
    fn layers(&self) -> impl Iterator<Item = (Option<Kind>, &Layer)> {
        let members = self.members.iter();
        let members = members.flat_map(|(kind, layers)| layers.iter().map(|it| (Some(*kind), it)));
        let rest = [&self.common].into_iter().chain(self.shared.values());
        rest.map(|layer| (None, layer)).chain(members)
    }

    /// Whoever writes what means nothing expects that it does something.
    fn check_meaning(&self) -> Result<()> {
        for (kind, layer) in self.layers() {
            let manifest = &layer.manifest;
            let meaningless = [
                (
                    "default",
                    manifest.default && kind.is_none_or(|it| it.traits().choice.is_none()),
                ),
                (
                    "host",
                    manifest.host.is_some() && kind != Some(Kind::Bridge),
                ),
                (
                    "hosts",
                    !manifest.hosts.is_empty() && kind != Some(Kind::Kernels),
                ),
                ("includes", !manifest.includes.is_empty() && kind.is_none()),
            ];
            if let Some((key, _)) = meaningless.iter().find(|(_, it)| *it) {
                let file = format!("{}/layer.toml", layer.id);
                return Err(Error::template(file, format!("`{key}` means nothing here")));
            }
            if !layer.hosts.is_empty() && !kind.is_some_and(|kind| kind.traits().for_hosts) {
                let problem = "layers of this kind hold nothing for single hosts";
                return Err(Error::template(&layer.id, problem));
            }
        }
        Ok(())
    }

    /// Mistakes in manifests are reported for every layer, not only for those of the package at hand.
    fn check(&self) -> Result<()> {
        self.check_meaning()?;
        for bridge in self.members(Kind::Bridge) {
            self.host(bridge)?;
        }
        self.includes(self.members.values().flatten())?;
        self.check_hosts()?;
        for (kind, members) in &self.members {
            let defaults = members.iter().filter(|layer| layer.manifest.default);
            if defaults.count() > 1 {
                return Err(Error::template(kind.folder(), "two layers are the default"));
            }
        }
        Ok(())
    }

    /// Files for packages of one host belong to a kernel kind that goes with it, or to a CI provider.
    fn check_hosts(&self) -> Result<()> {
        for kernels in self.members(Kind::Kernels) {
            if kernels.manifest.hosts.is_empty() {
                return Err(Error::template(&kernels.id, "`hosts` names no host"));
            }
            for (host, layer) in &kernels.hosts {
                if !kernels.manifest.hosts.contains(host) {
                    return Err(Error::template(
                        &layer.id,
                        "`hosts` does not name this host",
                    ));
                }
            }
        }
        for (host, layer) in self.members.values().flatten().flat_map(|it| &it.hosts) {
            if self.find(Kind::Host, host).is_none() {
                return Err(Error::template(&layer.id, "there is no such host"));
            }
        }
        Ok(())
    }
}
