//! All layers found in the templates, and the runtime that packages are built with.

mod chosen;
mod files;
mod kind;
mod layer;
mod load;
mod path;
mod templates;

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::wording::{quoted_list, similar};
pub use chosen::Chosen;
use files::Contents;
use kind::Traits;
pub use kind::{Exported, Kind};
pub use layer::{Layer, is_of_git, text};
pub use templates::{Templates, embedded_files};

#[derive(Debug)]
pub struct Catalog {
    common: Layer,
    bases: Vec<Layer>,
    /// Members of each kind, the default first, then by name.
    members: BTreeMap<Kind, Vec<Layer>>,
    runtime: Contents,
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

    fn find(&self, kind: Kind, name: &str) -> Option<&Layer> {
        self.members(kind).iter().find(|layer| layer.name() == name)
    }

    /// The name of a member that a record has by a former one, which is among its aliases.
    pub fn renamed(&self, kind: Kind, name: &str) -> Option<&str> {
        let called = |it: &&Layer| it.manifest.aliases.iter().any(|alias| alias == name);
        self.members(kind).iter().find(called).map(Layer::name)
    }

    /// The member that was meant, most likely.
    fn similar(&self, kind: Kind, value: &str) -> Option<&str> {
        let value = value.to_lowercase();
        self.renamed(kind, &value)
            .or_else(|| similar(&value, self.names(kind)))
    }

    fn unknown(&self, kind: Kind, value: &str) -> Error {
        let Traits {
            plural, otherwise, ..
        } = kind.traits();
        let all = format!("{plural} are {}", quoted_list(self.names(kind)));
        let hint = match (self.similar(kind, value), otherwise) {
            (Some(name), _) => format!("did you mean `--{} {name}`? {all}", kind.folder()),
            (None, Some(otherwise)) => format!("{all}; {otherwise}"),
            (None, None) => all,
        };
        Error::usage(format!("unknown {kind} `{value}`"), hint)
    }
}
