//! The layers of one package: the common one, one of each kind, and the bases that these name.

use std::collections::BTreeMap;

use super::Catalog;
use super::kind::Kind;
use super::layer::Layer;
use crate::error::Result;

#[derive(Debug)]
pub struct Chosen<'a> {
    catalog: &'a Catalog,
    members: BTreeMap<Kind, &'a Layer>,
}

impl<'a> Chosen<'a> {
    /// The members that are asked for by name, and the defaults of the other kinds.
    pub fn new(catalog: &'a Catalog, asked: &BTreeMap<Kind, String>) -> Result<Self> {
        let member = |kind: Kind| {
            let name = asked.get(&kind).map(String::as_str);
            Ok((kind, catalog.choose(kind, name)?))
        };
        let members = Kind::ALL.into_iter().map(member).collect::<Result<_>>()?;
        Ok(Self::of(catalog, members))
    }

    /// These members, one of each kind.
    pub fn of(catalog: &'a Catalog, members: BTreeMap<Kind, &'a Layer>) -> Self {
        Self { catalog, members }
    }

    pub fn get(&self, kind: Kind) -> &'a Layer {
        self.members[&kind]
    }

    pub fn names(&self) -> impl Iterator<Item = (Kind, &'a str)> {
        self.members
            .iter()
            .map(|(kind, layer)| (*kind, layer.name()))
    }

    /// All layers, from the most general to the most special.
    pub fn iter(&self) -> impl Iterator<Item = &'a Layer> {
        let members = || self.members.values().copied();
        let is_named = move |base: &&Layer| {
            members().any(|it| it.manifest.base.as_deref() == Some(base.name()))
        };
        let bases = self.catalog.bases.iter().filter(is_named);
        [&self.catalog.common]
            .into_iter()
            .chain(bases)
            .chain(members())
    }

    /// The sdist of the runtime, if a layer is to carry it.
    pub fn runtime(&self) -> Option<&'a [u8]> {
        let bundled = self.iter().any(|layer| layer.manifest.bundled);
        bundled.then_some(self.catalog.runtime.as_ref())
    }
}
