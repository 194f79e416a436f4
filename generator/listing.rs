//! `--list`: the bridges and kernel kinds there are, and which go together.

use serde::Serialize;

use crate::catalog::Catalog;
use crate::error::Result;
use crate::kind::Kind;
use crate::layer::Layer;
use crate::shell::{self, BOLD, DIM, styled};

/// With `--json`, these fields under these names; fields may be added, none is renamed or removed.
#[derive(Debug, Serialize)]
pub struct Listing<'a> {
    pub bridges: Vec<Bridge<'a>>,
    pub kernels: Vec<Kernels<'a>>,
    /// In the JSON only: `--help` has their names.
    pub licenses: Vec<Choice<'a>>,
    pub ci: Vec<Choice<'a>>,
}

#[derive(Debug, Serialize)]
pub struct Bridge<'a> {
    #[serde(flatten)]
    pub choice: Choice<'a>,
    /// Kernel kinds it goes with.
    pub kernels: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
pub struct Kernels<'a> {
    #[serde(flatten)]
    pub choice: Choice<'a>,
    /// Bridges it goes with.
    pub bridges: Vec<&'a str>,
}

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
        let bridges = catalog.members(Kind::Bridge).iter().map(|layer| Bridge {
            choice: Choice::new(layer),
            kernels: catalog.kernels_for(layer).map(Layer::name).collect(),
        });
        let kernels = catalog.members(Kind::Kernels).iter().map(|layer| Kernels {
            choice: Choice::new(layer),
            bridges: catalog.bridges_for(layer).map(Layer::name).collect(),
        });
        Self {
            bridges: bridges.collect(),
            kernels: kernels.collect(),
            licenses: catalog
                .members(Kind::License)
                .iter()
                .map(Choice::new)
                .collect(),
            ci: catalog.members(Kind::Ci).iter().map(Choice::new).collect(),
        }
    }

    pub fn print(&self, json: bool) -> Result<()> {
        if json {
            return shell::print_json(self);
        }
        let bridges = self
            .bridges
            .iter()
            .map(|it| (&it.choice, it.kernels.join(" ")));
        let kernels = self
            .kernels
            .iter()
            .map(|it| (&it.choice, it.bridges.join(" ")));
        shell::print(styled(BOLD, "bridges"))?;
        print_choices(bridges, "kernels")?;
        shell::print(styled(BOLD, "kernel kinds"))?;
        print_choices(kernels, "bridges")
    }
}

/// A line for each choice, with the `others` it goes with.
fn print_choices<'a>(
    choices: impl Iterator<Item = (&'a Choice<'a>, String)> + Clone,
    others: &str,
) -> Result<()> {
    let names = choices.clone().map(|(choice, _)| choice.name.len());
    let width = names.max().unwrap_or_default();
    for (choice, list) in choices {
        let default = if choice.default { "; default" } else { "" };
        let list = styled(DIM, format!("({others}: {list}{default})"));
        shell::print(format!(
            "  {:width$}  {} {list}",
            choice.name, choice.summary
        ))?;
    }
    Ok(())
}
