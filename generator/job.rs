//! What a command line asks for.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};
use clap_complete::Shell;

use crate::add::AddRequest;
use crate::args::{Args, Command, Update};
use crate::catalog::Catalog;

/// One of the things the program can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job<'a> {
    /// Make a package.
    Make,
    /// Show what would be made.
    Preview,
    /// List what there is to choose.
    List,
    Completions(Shell),
    Man,
    Export(&'a Path),
    Update(&'a Update),
    Add(AddRequest<'a>),
    Doctor {
        path: &'a Path,
        json: bool,
    },
}

/// Options that mean something whatever is to be done.
const ALWAYS: [&str; 3] = ["templates", "color", "yes"];

impl Args {
    /// Parses the command line of the process; ends it for `--help`, `--version` and usage errors.
    ///
    /// The help lists what the catalog holds.
    pub fn parse_with(catalog: &Catalog) -> Self {
        let mut definition = Self::command_with(catalog);
        let matches = definition.get_matches_mut();
        let args = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        if let Some(other) = args.job().other(&definition, &matches) {
            args.job().refuse(&other, &mut definition).exit();
        }
        args
    }

    pub fn job(&self) -> Job<'_> {
        match (&self.command, self.completions) {
            (Some(Command::Export { folder, .. }), _) => Job::Export(folder),
            (Some(Command::Update(update)), _) => Job::Update(update),
            (
                Some(Command::Add {
                    function,
                    signature,
                    kernels,
                    dtypes,
                    package,
                    ..
                }),
                _,
            ) => Job::Add(AddRequest {
                function,
                signature: signature.as_deref(),
                kernels: kernels.as_deref(),
                dtypes: dtypes.as_deref(),
                package,
                quiet: self.quiet(),
            }),
            (Some(Command::Doctor { path, json }), _) => Job::Doctor { path, json: *json },
            (None, Some(shell)) => Job::Completions(shell),
            _ if self.man => Job::Man,
            _ if self.list => Job::List,
            _ if self.dry_run => Job::Preview,
            _ => Job::Make,
        }
    }

    /// Whether only failures are to be told.
    pub fn quiet(&self) -> bool {
        self.quiet || self.command.as_ref().is_some_and(Command::quiet)
    }
}

impl Job<'_> {
    /// The option that asks for it, unless none or a command does.
    fn option(self) -> Option<&'static str> {
        match self {
            Self::Make | Self::Export(_) | Self::Update(_) | Self::Add(_) | Self::Doctor { .. } => {
                None
            }
            Self::Preview => Some("dry_run"),
            Self::List => Some("list"),
            Self::Completions(_) => Some("completions"),
            Self::Man => Some("man"),
        }
    }

    /// Whether an option has a part in it.
    fn takes(self, option: &str) -> bool {
        if ALWAYS.contains(&option) || self.option() == Some(option) {
            return true;
        }
        match self {
            Self::Make => option != "json",
            Self::Preview => !["try", "quiet"].contains(&option),
            Self::List => option == "json",
            Self::Completions(_) | Self::Man => false,
            Self::Export(_) | Self::Update(_) | Self::Add(_) => option == "quiet",
            Self::Doctor { .. } => option == "json",
        }
    }

    /// An option of the command line that has no part in it.
    fn other(self, definition: &clap::Command, matches: &ArgMatches) -> Option<String> {
        let given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let mut arguments = definition.get_arguments();
        let other = arguments.find(|argument| {
            let id = argument.get_id().as_str();
            !self.takes(id) && given(id)
        });
        other.map(ToString::to_string)
    }

    /// The usage error for such an option.
    fn refuse(self, other: &str, definition: &mut clap::Command) -> clap::Error {
        let context = |text: &str| ContextValue::String(text.to_owned());
        let (kind, what) = match (self, self.option()) {
            (Self::Export(_), _) => (ContextKind::InvalidSubcommand, "export".to_owned()),
            (Self::Update(_), _) => (ContextKind::InvalidSubcommand, "update".to_owned()),
            (Self::Add(_), _) => (ContextKind::InvalidSubcommand, "add".to_owned()),
            (Self::Doctor { .. }, _) => (ContextKind::InvalidSubcommand, "doctor".to_owned()),
            (_, Some(option)) => {
                let mut arguments = definition.get_arguments();
                let argument = arguments.find(|it| it.get_id() == option);
                let shown = argument.map(ToString::to_string).unwrap_or_default();
                (ContextKind::InvalidArg, shown)
            }
            _ => {
                let message =
                    "`--json` is for `--list` and `--dry-run`: try `cuvec-new --list --json`";
                return definition.error(ErrorKind::MissingRequiredArgument, message);
            }
        };
        let mut error = clap::Error::new(ErrorKind::ArgumentConflict).with_cmd(definition);
        error.insert(kind, context(&what));
        error.insert(ContextKind::PriorArg, context(other));
        error
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn what_a_line_asks_for() {
        let update = Update {
            path: ".".into(),
            ..Update::default()
        };
        let cases = [
            (&["mypkg", "--try"][..], Job::Make),
            (&["mypkg", "--dry-run", "--json"], Job::Preview),
            (&["--list"], Job::List),
            (&["--completions", "fish"], Job::Completions(Shell::Fish)),
            (&["--man"], Job::Man),
            (&["export", "out"], Job::Export(Path::new("out"))),
            (&["update"], Job::Update(&update)),
            (
                &["doctor", "--json"],
                Job::Doctor {
                    path: Path::new("."),
                    json: true,
                },
            ),
        ];
        for (line, job) in cases {
            let args = Args::parse_from(["cuvec-new"].iter().chain(line));
            assert_eq!(args.job(), job, "{line:?}");
        }
    }
}
