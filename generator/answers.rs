//! Everything a package depends on: valid and complete, whatever the user left out.

mod choices;
mod config;
mod identity;
mod name;
mod python;
mod raw;
mod record;
mod text;

use crate::catalog::{Catalog, Chosen};
use crate::error::{Error, Result};
use crate::wording::quoted_list;
pub use choices::Choices;
pub use config::config;
pub use identity::Identity;
pub use name::{COMMANDS, MAX_LENGTH as MAX_NAME, Name, keyword, reserved_words};
pub use python::PythonVersion;
pub use raw::RawAnswers;
pub use record::Record;
pub use text::{ADDRESS as MAX_ADDRESS, SUMMARY as MAX_TEXT, description as parse_description};

pub const DEFAULT_DESCRIPTION: &str = "Python package with GPU kernels";

#[derive(Debug)]
pub struct Answers<'a> {
    pub name: Name,
    pub description: String,
    pub author: String,
    /// Empty when the author gives none.
    pub email: String,
    pub year: i32,
    pub python: PythonVersion,
    pub layers: Chosen<'a>,
}

impl<'a> Answers<'a> {
    /// Takes the user's answers, and defaults for everything else.
    pub fn new(said: &RawAnswers, catalog: &'a Catalog) -> Result<Self> {
        let name = named(said)?;
        Self::of_package(name, said, catalog)
    }

    /// Takes the answers of a record, and newer ones.
    pub fn of_record(record: &Record, since: &RawAnswers, catalog: &'a Catalog) -> Result<Self> {
        let mut recorded = record.said.clone();
        for (kind, name) in record.said.layers.all() {
            if let Some(name) = catalog.renamed(*kind, name) {
                recorded.layers.set(*kind, name);
            }
        }
        let said = recorded.overridden_by(since);
        let answers = Self::of_package(named(&said)?, &said, catalog)?;
        Ok(Self {
            year: record.year.unwrap_or(answers.year),
            ..answers
        })
    }

    fn of_package(name: Name, said: &RawAnswers, catalog: &'a Catalog) -> Result<Self> {
        let layers = Chosen::new(catalog, said.layers.all())?;
        let Identity { author, email } = Identity::resolve(said, &name)?;
        Ok(Self {
            description: match &said.description {
                Some(text) => parse_description(text)?,
                None => DEFAULT_DESCRIPTION.to_owned(),
            },
            author,
            email,
            year: time::OffsetDateTime::now_utc().year(),
            python: match &said.python {
                Some(version) => python(version)?,
                None => PythonVersion::LOWEST,
            },
            layers,
            name,
        })
    }

    /// Returns the options for the same answers again.
    pub fn said(&self) -> RawAnswers {
        let mut layers = Choices::default();
        for (kind, name) in self.layers.names() {
            layers.set(kind, name);
        }
        RawAnswers {
            name: Some(self.name.to_string()),
            layers,
            description: Some(self.description.clone()),
            author: Some(self.author.clone()),
            email: Some(self.email.clone()),
            python: Some(self.python.to_string()),
        }
    }
}

fn named(said: &RawAnswers) -> Result<Name> {
    Ok(Name::parse(said.name.as_deref().ok_or(Error::NoName)?)?)
}

fn python(version: &str) -> Result<PythonVersion> {
    version.parse().map_err(|()| {
        let supported = quoted_list(PythonVersion::supported());
        let problem = format!("unsupported Python version `{version}`");
        Error::usage(problem, format!("`--python` takes {supported}"))
    })
}
