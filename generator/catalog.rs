//! All layers found in the templates, and which of them go together.

mod chosen;
mod kind;
mod layer;
mod load;
mod path;
mod templates;

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::wording::similar;
pub use chosen::Chosen;
pub use kind::{Exported, Kind};
pub use layer::{Layer, is_of_git, text};
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
}
