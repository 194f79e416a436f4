//! The layers of one package: one of each kind, and what they are built on.

use std::collections::BTreeMap;

use super::Catalog;
use super::kind::Kind;
use super::layer::Layer;
use crate::error::{Error, Result};

#[derive(Debug)]
pub struct Chosen<'a> {
    common: &'a Layer,
    /// What the chosen layers have in common with others.
    shared: Vec<&'a Layer>,
    members: BTreeMap<Kind, &'a Layer>,
}

impl<'a> Chosen<'a> {
    /// The members that are asked for by name, and the defaults of the other kinds.
    ///
    /// `command` begins the command lines that an error offers, such as `cuvec-new mypkg`.
    pub fn new(
        catalog: &'a Catalog,
        asked: &BTreeMap<Kind, String>,
        command: &str,
    ) -> Result<Self> {
        let mut members = BTreeMap::new();
        for (kind, _) in Kind::chosen() {
            let name = asked.get(&kind).map(String::as_str);
            members.insert(kind, catalog.choose(kind, name)?);
        }
        let (bridge, kernels) = (members[&Kind::Bridge], members[&Kind::Kernels]);
        if !catalog.go_together(bridge, kernels) {
            return Err(combination(bridge, kernels, catalog, command));
        }
        Self::of(catalog, members)
    }

    /// These members, and the host that their bridge names.
    pub fn of(catalog: &'a Catalog, mut members: BTreeMap<Kind, &'a Layer>) -> Result<Self> {
        members.insert(Kind::Host, catalog.host(members[&Kind::Bridge])?);
        Ok(Self {
            common: &catalog.common,
            shared: catalog.includes(members.values().copied())?,
            members,
        })
    }

    /// The member of a kind.
    pub fn get(&self, kind: Kind) -> &'a Layer {
        self.members[&kind]
    }

    /// The name of each member.
    pub fn names(&self) -> impl Iterator<Item = (Kind, &'a str)> {
        self.members
            .iter()
            .map(|(kind, layer)| (*kind, layer.name()))
    }

    /// All layers, from the most general to the most special.
    pub fn iter(&self) -> impl Iterator<Item = &'a Layer> {
        let shared = self.shared.iter().copied();
        let members = self.members.values().copied();
        let host = self.get(Kind::Host).name();
        let for_host = members.clone().filter_map(|layer| layer.hosts.get(host));
        [self.common]
            .into_iter()
            .chain(shared)
            .chain(members)
            .chain(for_host)
    }
}

/// Says which command lines work: another kernel kind for this bridge, another bridge for these kernels.
fn combination(bridge: &Layer, kernels: &Layer, catalog: &Catalog, command: &str) -> Error {
    let line = |bridge: &Layer, kernels: &Layer| {
        let (bridge, kernels) = (bridge.name(), kernels.name());
        format!("{command} --bridge {bridge} --kernels {kernels}")
    };
    let kernels_for = catalog.partners(bridge).map(|it| line(bridge, it));
    let bridges_for = catalog.partners(kernels).map(|it| line(it, kernels));
    Error::Combination {
        bridge: bridge.name().to_owned(),
        kernels: kernels.name().to_owned(),
        commands: kernels_for.chain(bridges_for).collect(),
    }
}
