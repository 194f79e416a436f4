//! `cuvec-new list`: what there is to choose.

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
}

impl<'a> Choice<'a> {
    fn new(layer: &'a Layer) -> Self {
        Self {
            name: layer.name(),
            summary: &layer.manifest.summary,
            default: layer.manifest.default,
        }
    }
}

impl<'a> Listing<'a> {
    pub fn new(catalog: &'a Catalog) -> Self {
        let choices = |kind| catalog.members(kind).iter().map(Choice::new).collect();
        let kinds = Kind::ALL.map(|kind| (kind.traits().listed, choices(kind)));
        Self(kinds.into())
    }

    pub fn print(&self, json: bool) -> Result<()> {
        if json {
            return print_json(self);
        }
        for kind in Kind::ALL {
            print(styled(BOLD, kind.traits().plural))?;
            print_choices(&self.0[kind.traits().listed])?;
        }
        Ok(())
    }
}

fn print_choices(choices: &[Choice]) -> Result<()> {
    let names = choices.iter().map(|choice| choice.name.len());
    let width = names.max().unwrap_or_default();
    for choice in choices {
        let default = if choice.default { " (default)" } else { "" };
        print(format!(
            "  {:width$}  {}{}",
            choice.name,
            choice.summary,
            styled(DIM, default)
        ))?;
    }
    Ok(())
}
