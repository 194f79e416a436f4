//! The user's answers, as close to the options as possible: typed, asked for, or from a record.

use std::collections::BTreeMap;

use clap::Args;

use super::choices::Choices;
use crate::catalog::Kind;
use crate::wording::{similar, toml_string};

#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct RawAnswers {
    /// Name of the package, such as `my-pkg`; its module is then `my_pkg`
    ///
    /// On a terminal, `cuvec-new` without it asks for the name and, where no option gives them, for description, bindings,
    /// kernel language, license, CI provider, documentation and author.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    #[command(flatten)]
    pub layers: Choices,

    /// One line for PyPI and the README
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,

    /// Author of the package [default: `user.name` of git]
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,

    /// Email address of the author, "" for none [default: `user.email` of git]
    #[arg(long, value_name = "ADDRESS")]
    pub email: Option<String>,

    /// Lowest Python the package supports
    #[arg(long, value_name = "VERSION")]
    pub python: Option<String>,
}

/// Where the answer to a key is kept.
type Field = fn(&mut RawAnswers) -> &mut Option<String>;

/// The keys of a record that are no kind of layer.
const FIELDS: [(&str, Field); 5] = [
    ("name", |said| &mut said.name),
    ("description", |said| &mut said.description),
    ("author", |said| &mut said.author),
    ("email", |said| &mut said.email),
    ("python", |said| &mut said.python),
];

impl RawAnswers {
    /// Keys and values of the table `[answers]` of a record, as lines of TOML.
    pub fn to_toml(&self) -> String {
        let mut said = self.clone();
        let mut lines = Vec::new();
        let mut line =
            |key: &str, value: &str| lines.push(format!("{key} = {}", toml_string(value)));
        for (key, field) in FIELDS {
            if let Some(value) = field(&mut said) {
                line(key, value);
            }
        }
        for kind in Kind::ALL {
            if let Some(name) = said.layers.get(kind) {
                line(kind.folder(), name);
            }
        }
        lines.join("\n")
    }

    /// These answers, but for those that were given since.
    pub fn overridden_by(&self, since: &Self) -> Self {
        let (mut said, mut since) = (self.clone(), since.clone());
        for (_, field) in FIELDS {
            if let Some(value) = field(&mut since).take() {
                *field(&mut said) = Some(value);
            }
        }
        for (kind, name) in since.layers.all() {
            said.layers.set(*kind, name);
        }
        said
    }

    /// Reads them again. The error is what is wrong with them.
    pub fn from_record(answers: BTreeMap<String, String>) -> Result<Self, String> {
        let mut said = Self::default();
        for (key, value) in answers {
            let field = FIELDS.iter().find(|(name, _)| *name == key);
            match (field, Kind::from_folder(&key)) {
                (Some((_, field)), _) => *field(&mut said) = Some(value),
                (None, Some(kind)) => said.layers.set(kind, &value),
                (None, None) => return Err(unknown(&key)),
            }
        }
        Ok(said)
    }
}

fn unknown(key: &str) -> String {
    let fields = FIELDS.iter().map(|(name, _)| *name);
    match similar(key, fields.chain(Kind::ALL.map(Kind::folder))) {
        Some(meant) => format!("unknown key `{key}`, did you mean `{meant}`?"),
        None => format!("unknown key `{key}`"),
    }
}
