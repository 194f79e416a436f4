//! The command line as it is parsed, and refused.

use std::env;
use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};

use crate::args::{Args, Command};
use crate::catalog::Catalog;
use crate::error::{Error, Result};
use crate::refused::{inside_package, no_help, not_a_command, refused};
use crate::tell::choose_color;

/// Options that mean something whatever is to be done, and whether or not a command follows.
const ALWAYS: [&str; 3] = ["templates", "color", "yes"];

impl Args {
    /// Parses the command line of the process; ends it for `--help` and `--version`.
    ///
    /// The help lists what the catalog holds.
    pub fn parse_with(catalog: &Catalog) -> Result<Self> {
        let line: Vec<OsString> = env::args_os().collect();
        let color = choose_color(&line);
        let mut definition = Self::command_with(catalog).color(color);
        let matches = definition.try_get_matches_from_mut(&line);
        let matches = matches.map_err(|error| match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => error.exit(),
            _ => mistyped(&line).unwrap_or_else(|| refused(&error, &line)),
        })?;
        let args = Self::from_arg_matches(&matches).map_err(|error| refused(&error, &line))?;
        let checked = args.check(&definition, &matches);
        checked.map_err(|error| mistyped(&line).unwrap_or(error))?;
        Ok(args)
    }

    /// True if only failures are to be told.
    pub fn quiet(&self) -> bool {
        self.new.quiet || self.command.as_ref().is_some_and(Command::quiet)
    }

    /// Refuses options that have no part in what is asked for.
    fn check(&self, definition: &clap::Command, matches: &ArgMatches) -> Result<()> {
        let given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        if let Some(command) = &self.command {
            let takes = |id: &str| ALWAYS.contains(&id) || (id == "quiet" && command.tells());
            let ids = |it: &&clap::Arg| it.get_id().as_str().to_owned();
            let mut arguments = definition.get_arguments();
            if let Some(other) = arguments.find(|it| !takes(&ids(it)) && given(&ids(it))) {
                let command = matches.subcommand_name().unwrap_or_default();
                return Err(Error::usage(
                    format!("`{other}` cannot be used with the command `{command}`"),
                    format!(
                        "options of a command follow it; `cuvec-new {command} --help` lists them"
                    ),
                ));
            }
        } else {
            self.check_name()?;
        }
        let new = self.package();
        match new.json && !new.dry_run {
            true => Err(Error::usage(
                "`--json` is for `--dry-run` and for the command `list`",
                "try `cuvec-new mypkg --dry-run --json`, or `cuvec-new list --json`",
            )),
            false => Ok(()),
        }
    }

    /// Refuses a name that most likely is a mistyped command; `new` and `--output` say that a package is meant.
    fn check_name(&self) -> Result<()> {
        let Some(name) = self
            .new
            .said
            .name
            .as_deref()
            .filter(|_| self.new.output.is_none())
        else {
            return Ok(());
        };
        match not_a_command(name).or_else(|| inside_package(name)) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// The better message for a line that cannot be parsed, if it begins with no command.
fn mistyped(line: &[OsString]) -> Option<Error> {
    let elsewhere = line
        .iter()
        .any(|word| word.to_string_lossy().starts_with("--output"));
    let first = line.get(1)?.to_str()?;
    if first == "help" {
        return line.get(2)?.to_str().and_then(no_help);
    }
    (!elsewhere).then(|| not_a_command(first)).flatten()
}
