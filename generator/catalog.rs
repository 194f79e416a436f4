//! All layers found in the templates, and which of them go together.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::kind::Kind;
use crate::layer::Layer;
use crate::templates::Templates;

#[derive(Debug)]
pub struct Catalog {
    pub common: Layer,
    /// What several layers have in common, by name.
    shared: BTreeMap<String, Layer>,
    /// Members of each kind, the default first, then by name.
    members: BTreeMap<Kind, Vec<Layer>>,
}

impl Catalog {
    pub fn load(templates: Templates) -> Result<Self> {
        let mut folders: BTreeMap<String, BTreeMap<String, _>> = BTreeMap::new();
        for (path, contents) in templates {
            if let Some((layer, file)) = split_layer(&path)? {
                let files = folders.entry(layer.to_owned()).or_default();
                files.insert(file.to_owned(), contents);
            }
        }

        let common = folders
            .remove("common")
            .ok_or_else(|| Error::template("common", "the layer is missing"))?;
        let mut catalog = Self {
            common: Layer::new("common".to_owned(), common)?,
            shared: BTreeMap::new(),
            members: BTreeMap::new(),
        };
        for (id, files) in folders {
            if let Some(name) = id.strip_prefix("shared/") {
                let name = name.to_owned();
                catalog.shared.insert(name, Layer::new(id, files)?);
                continue;
            }
            let kind = id
                .split_once('/')
                .and_then(|(folder, _)| Kind::from_folder(folder));
            let kind =
                kind.ok_or_else(|| Error::template(&id, "the folder is no kind of layer"))?;
            let members = catalog.members.entry(kind).or_default();
            members.push(Layer::new(id, files)?);
        }
        for members in catalog.members.values_mut() {
            members.sort_by_key(|layer| !layer.manifest.default);
        }
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
                .ok_or_else(|| Error::unknown_choice(kind, name, self.names(kind))),
            None => self.default(kind).ok_or_else(|| {
                Error::template(kind.folder(), "no layer of this kind is the default")
            }),
        }
    }

    /// The host a bridge is built on.
    pub fn host(&self, bridge: &Layer) -> Result<&Layer> {
        let host = bridge.manifest.host.as_deref().unwrap_or_default();
        self.find(Kind::Host, host).ok_or_else(|| {
            Error::template(
                &bridge.id,
                format!("`host = \"{host}\"` is no layer in `host/`"),
            )
        })
    }

    /// The shared layers that these are built on, each once.
    pub fn includes(&self, layers: &[&Layer]) -> Result<Vec<&Layer>> {
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

    pub fn kernels_for<'a>(&'a self, bridge: &'a Layer) -> impl Iterator<Item = &'a Layer> {
        let kernels = self.members(Kind::Kernels).iter();
        kernels.filter(|kernels| goes_with(bridge, kernels))
    }

    pub fn bridges_for<'a>(&'a self, kernels: &'a Layer) -> impl Iterator<Item = &'a Layer> {
        let bridges = self.members(Kind::Bridge).iter();
        bridges.filter(|bridge| goes_with(bridge, kernels))
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
        for (host, layer) in self.members(Kind::Ci).iter().flat_map(|ci| &ci.hosts) {
            if self.find(Kind::Host, host).is_none() {
                return Err(Error::template(&layer.id, "there is no such host"));
            }
        }
        Ok(())
    }

    fn find(&self, kind: Kind, name: &str) -> Option<&Layer> {
        self.members(kind).iter().find(|layer| layer.name() == name)
    }

    /// Mistakes in manifests are reported for every layer, not only for those of the package at hand.
    fn check(&self) -> Result<()> {
        for bridge in self.members(Kind::Bridge) {
            self.host(bridge)?;
        }
        for layer in self.members.values().flatten() {
            self.includes(&[layer])?;
        }
        if let Some(layer) = self
            .shared
            .values()
            .find(|it| !it.manifest.includes.is_empty())
        {
            return Err(Error::template(
                &layer.id,
                "a shared layer includes no other",
            ));
        }
        self.check_hosts()?;
        for (kind, members) in &self.members {
            if members
                .iter()
                .filter(|layer| layer.manifest.default)
                .count()
                > 1
            {
                return Err(Error::template(kind.folder(), "two layers are the default"));
            }
        }
        Ok(())
    }
}

/// Whether the host of a bridge can launch kernels of this kind.
pub fn goes_with(bridge: &Layer, kernels: &Layer) -> bool {
    let host = bridge.manifest.host.as_ref();
    host.is_some_and(|host| kernels.manifest.hosts.contains(host))
}

/// Splits `bridge/pyo3/src/lib.rs` into layer and file. Files that lie beside layers (a README) are in none.
fn split_layer(path: &str) -> Result<Option<(&str, &str)>> {
    let Some((top, rest)) = path.split_once('/') else {
        return Ok(None);
    };
    if top == "common" {
        return Ok(Some((top, rest)));
    }
    if top != "shared" && Kind::from_folder(top).is_none() {
        return Err(Error::template(top, "the folder is no kind of layer"));
    }
    Ok(rest
        .split_once('/')
        .map(|(name, file)| (&path[..top.len() + 1 + name.len()], file)))
}
