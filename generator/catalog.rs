//! All layers found in the templates, and which of them go together.

mod chosen;
mod kind;
mod layer;
mod path;
mod templates;

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::wording::similar;
pub use chosen::Chosen;
pub use kind::{Exported, Kind};
pub use layer::{Layer, text};
use path::{Located, Place, locate};
pub use templates::Templates;

#[derive(Debug)]
pub struct Catalog {
    common: Layer,
    /// What several layers have in common, by name.
    shared: BTreeMap<String, Layer>,
    /// Members of each kind, the default first, then by name.
    members: BTreeMap<Kind, Vec<Layer>>,
}

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

    pub fn members(&self, kind: Kind) -> &[Layer] {
        self.members.get(&kind).map_or(&[], Vec::as_slice)
    }

    pub fn names(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.members(kind).iter().map(Layer::name)
    }

    /// The member that is used when the user asks for none.
    pub fn default(&self, kind: Kind) -> Option<&Layer> {
        let first = self.members(kind).first();
        first.filter(|layer| layer.manifest.default)
    }

    /// The member the user asked for, or the default of its kind.
    pub fn choose(&self, kind: Kind, asked: Option<&str>) -> Result<&Layer> {
        match asked {
            Some(name) => self
                .find(kind, name)
                .ok_or_else(|| self.unknown(kind, name)),
            None => self.default(kind).ok_or_else(|| {
                Error::template(kind.folder(), "no layer of this kind is the default")
            }),
        }
    }

    /// The kernel kinds that a bridge goes with, or the bridges that a kernel kind does.
    pub fn partners<'a>(&'a self, layer: &'a Layer) -> impl Iterator<Item = &'a Layer> {
        let others = match layer.manifest.host {
            Some(_) => Kind::Kernels,
            None => Kind::Bridge,
        };
        let others = self.members(others).iter();
        others.filter(|other| self.go_together(layer, other))
    }

    /// Whether the host of a bridge can launch kernels of a kind; bridge and kernels in any order.
    pub fn go_together(&self, one: &Layer, other: &Layer) -> bool {
        let goes = |bridge: &Layer, kernels: &Layer| {
            let host = bridge.manifest.host.as_ref();
            host.is_some_and(|host| kernels.manifest.hosts.contains(host))
        };
        goes(one, other) || goes(other, one)
    }

    /// The host a bridge is built on.
    fn host(&self, bridge: &Layer) -> Result<&Layer> {
        let host = bridge.manifest.host.as_deref().unwrap_or_default();
        self.find(Kind::Host, host).ok_or_else(|| {
            Error::template(
                &bridge.id,
                format!("`host = \"{host}\"` is no layer in `host/`"),
            )
        })
    }

    /// The shared layers that these are built on, each once.
    fn includes<'a>(&'a self, layers: impl Iterator<Item = &'a Layer>) -> Result<Vec<&'a Layer>> {
        let mut found = BTreeMap::new();
        for layer in layers {
            for name in &layer.manifest.includes {
                let shared = self.shared.get(name).ok_or_else(|| {
                    let problem = format!("`{name}` in `includes` is no layer in `shared/`");
                    Error::template(&layer.id, problem)
                })?;
                found.insert(name, shared);
            }
        }
        Ok(found.into_values().collect())
    }

    fn find(&self, kind: Kind, name: &str) -> Option<&Layer> {
        self.members(kind).iter().find(|layer| layer.name() == name)
    }

    fn unknown(&self, kind: Kind, value: &str) -> Error {
        Error::UnknownChoice {
            kind: kind.traits().name,
            plural: kind.traits().plural,
            option: kind.folder(),
            value: value.to_owned(),
            similar: similar(value, self.names(kind)).map(str::to_owned),
            known: self.names(kind).map(str::to_owned).collect(),
        }
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
