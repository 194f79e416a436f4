//! The command line as it is parsed, and refused.

use std::env;
use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};

use crate::args::{Args, Command};
use crate::catalog::Catalog;
use crate::error::{Error, Result};
use crate::refused::{inside_package, is_command, no_help, not_a_command, refused};
use crate::tell::choose_color;

/// Options that mean something whatever is to be done, and whether or not a command follows.
const ALWAYS: [&str; 3] = ["templates", "color", "yes"];

/// Options that were there before the commands of these names.
const FORMER: [&str; 3] = ["--list", "--completions", "--man"];

impl Args {
    /// Parses the command line of the process; ends it for `--help` and `--version`.
    ///
    /// The help lists what the catalog holds.
    pub fn parse_with(catalog: &Catalog) -> Result<Self> {
        let line = with_commands(env::args_os().collect());
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

/// The line with the command in the place of an option that was there before it.
fn with_commands(mut line: Vec<OsString>) -> Vec<OsString> {
    let former = |word: &OsString| {
        let word = word.to_str()?;
        let (option, value) = word
            .split_once('=')
            .map_or((word, None), |(it, value)| (it, Some(value)));
        let option = FORMER
            .contains(&option)
            .then(|| option.trim_start_matches('-'))?;
        Some(
            [Some(option), value]
                .into_iter()
                .flatten()
                .map(OsString::from)
                .collect::<Vec<_>>(),
        )
    };
    let options = line
        .iter()
        .position(|word| word == "--")
        .unwrap_or(line.len());
    let begins_with_command = line
        .get(1)
        .and_then(|it| it.to_str())
        .is_some_and(is_command);
    let found = line[..options]
        .iter()
        .position(|word| former(word).is_some());
    if let (Some(at), false) = (found, begins_with_command) {
        let command = former(&line.remove(at)).unwrap_or_default();
        line.splice(1..1, command);
    }
    line
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_became_commands() {
        for (line, meant) in [
            ("--list", "list"),
            ("--list --json", "list --json"),
            ("--json --list", "list --json"),
            ("--man", "man"),
            ("--completions fish", "completions fish"),
            ("--completions=fish", "completions fish"),
            (
                "--color never --completions fish",
                "completions --color never fish",
            ),
            ("mypkg --list", "list mypkg"),
            ("update --list", "update --list"),
            ("-- --list", "-- --list"),
            ("mypkg --dry-run", "mypkg --dry-run"),
        ] {
            let words = |line: &str| {
                let words = ["cuvec-new"].into_iter().chain(line.split(' '));
                words.map(OsString::from).collect::<Vec<_>>()
            };
            assert_eq!(with_commands(words(line)), words(meant), "{line}");
        }
    }
}
