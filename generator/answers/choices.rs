//! The options that choose a layer, one for each kind.

use std::collections::BTreeMap;

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::catalog::Kind;

/// Names of layers, valid or not, by their kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices(BTreeMap<Kind, String>);

impl Choices {
    pub fn get(&self, kind: Kind) -> Option<&str> {
        self.0.get(&kind).map(String::as_str)
    }

    pub fn set(&mut self, kind: Kind, name: &str) {
        self.0.insert(kind, name.to_owned());
    }

    pub fn all(&self) -> &BTreeMap<Kind, String> {
        &self.0
    }
}

impl Args for Choices {
    fn augment_args(command: Command) -> Command {
        Kind::ALL.into_iter().fold(command, |command, kind| {
            let traits = kind.traits();
            command.arg(
                Arg::new(kind.folder())
                    .long(kind.folder())
                    .value_name(traits.placeholder)
                    .help(traits.help),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Choices {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut choices = Self::default();
        choices.update_from_arg_matches(matches)?;
        Ok(choices)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for kind in Kind::ALL {
            if let Some(name) = matches.get_one::<String>(kind.folder()) {
                self.set(kind, name);
            }
        }
        Ok(())
    }
}
