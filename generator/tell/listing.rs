//! `--list`: what there is to choose, and what goes together.

use std::collections::BTreeMap;

use serde::Serialize;

use super::print::{BOLD, DIM, print, print_json, styled};
use crate::catalog::{Catalog, Kind, Layer};
use crate::error::Result;

/// The members of each kind that the user chooses.
///
/// With `--json`, fields under the names that the table of kinds gives; some may be added, none is renamed or removed.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct Listing<'a>(BTreeMap<&'static str, Vec<Choice<'a>>>);

#[derive(Debug, Serialize)]
pub struct Choice<'a> {
    pub name: &'a str,
    pub summary: &'a str,
    pub default: bool,
    /// Of a bridge its `kernels`, of a kernel kind its `bridges`, of others nothing.
    #[serde(flatten)]
    pub partners: BTreeMap<&'static str, Vec<&'a str>>,
}

/// The kind whose members go with some members of this one only.
fn other(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::Bridge => Some(Kind::Kernels),
        Kind::Kernels => Some(Kind::Bridge),
        _ => None,
    }
}

impl<'a> Choice<'a> {
    fn new(kind: Kind, layer: &'a Layer, catalog: &'a Catalog) -> Self {
        let names = || catalog.partners(layer).map(Layer::name).collect();
        let partners = other(kind).map(|other| (other.traits().listed, names()));
        Self {
            name: layer.name(),
            summary: &layer.manifest.summary,
            default: layer.manifest.default,
            partners: partners.into_iter().collect(),
        }
    }
}

impl<'a> Listing<'a> {
    pub fn new(catalog: &'a Catalog) -> Self {
        let choices = |kind| {
            let members = catalog.members(kind).iter();
            members.map(move |layer| Choice::new(kind, layer, catalog))
        };
        let kinds = Kind::chosen().map(|(kind, _)| (kind.traits().listed, choices(kind).collect()));
        Self(kinds.collect())
    }

    /// Without JSON only the kinds that depend on each other: `--help` has the names of all.
    pub fn print(&self, json: bool) -> Result<()> {
        if json {
            return print_json(self);
        }
        for (kind, _) in Kind::chosen().filter(|(kind, _)| other(*kind).is_some()) {
            print(styled(BOLD, kind.traits().plural))?;
            print_choices(&self.0[kind.traits().listed])?;
        }
        Ok(())
    }
}

/// A line for each choice, with the others it goes with.
fn print_choices(choices: &[Choice]) -> Result<()> {
    let names = choices.iter().map(|choice| choice.name.len());
    let width = names.max().unwrap_or_default();
    for choice in choices {
        let default = if choice.default { "; default" } else { "" };
        for (others, list) in &choice.partners {
            let list = styled(DIM, format!("({others}: {}{default})", list.join(" ")));
            print(format!(
                "  {:width$}  {} {list}",
                choice.name, choice.summary
            ))?;
        }
    }
    Ok(())
}
