//! The command line, as close to the options as possible; `job.rs` says what to do, `answers.rs` with which answers.

mod update;

use std::path::PathBuf;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use colorchoice_clap::Color;

use crate::answers::{PythonVersion, RawAnswers};
use crate::catalog::{Catalog, Kind, Layer};
use crate::error::{Error, Result};
pub use update::Update;

/// Scaffold a pip-installable Python package with GPU kernels
///
/// The package builds with `pip install` on machines without a CUDA toolkit, and runs on machines with and without a
/// GPU. Nothing outside its folder is touched; if anything is in the way, nothing is written at all.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "cuvec-new",
    version,
    after_help = EXAMPLES,
    max_term_width = 100,
    override_usage = "cuvec-new [OPTIONS] [NAME]\n       cuvec-new <COMMAND>",
    disable_help_subcommand = true
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    #[command(flatten)]
    pub said: RawAnswers,

    /// Folder to create [default: ./NAME]
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Do not make a git repository with a first commit
    ///
    /// Inside an existing repository none is made anyway.
    #[arg(long)]
    pub no_git: bool,

    /// Write into a folder that is not empty, and overwrite files of the package there
    #[arg(long)]
    pub force: bool,

    /// Ask for what no option gives, even if the name is given
    #[arg(short, long, conflicts_with_all = ["yes", "quiet", "json"])]
    pub interactive: bool,

    /// Never ask: what no option gives is the default
    #[arg(short, long, alias = "no-input")]
    pub yes: bool,

    /// Print the tree of files and write nothing
    #[arg(long)]
    pub dry_run: bool,

    /// List binding tools, kernel languages, licenses and CI providers
    #[arg(long)]
    pub list: bool,

    /// Print a script that completes this command line in a shell
    #[arg(long, value_name = "SHELL")]
    pub completions: Option<Shell>,

    /// Print the manual page
    #[arg(long)]
    pub man: bool,

    /// Install the package into a `.venv` in its folder and run its tests
    #[arg(long)]
    pub r#try: bool,

    /// Print nothing unless something fails
    #[arg(long)]
    pub quiet: bool,

    /// Print JSON (with --list or --dry-run)
    #[arg(long)]
    pub json: bool,

    /// Take templates from a folder instead of the built-in ones (for authors of templates)
    #[arg(long, value_name = "DIR", hide_short_help = true, global = true)]
    pub templates: Option<PathBuf>,

    #[command(flatten)]
    pub color: Color,
}

/// What the program does besides making a package. No package may have the name of a command.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Write template folders for `cargo generate`, one for each binding tool and kernel language
    ///
    /// `cargo generate --path DIR --name mypkg` then asks for the rest, and makes the same package as `cuvec-new mypkg`.
    #[command(override_usage = "cuvec-new export [OPTIONS] <DIR>")]
    Export {
        /// Folder to create
        #[arg(value_name = "DIR")]
        folder: PathBuf,

        /// Print nothing unless something fails
        #[arg(long)]
        quiet: bool,
    },

    /// Bring a package up to this version, or change its bindings, kernels, license, CI or Python
    ///
    /// `runtime/` is replaced. The other files that came from the templates are replaced if nobody edited them, and merged
    /// with the edits if somebody did; what cannot be merged is marked as git marks conflicts. All or nothing is written,
    /// and nothing is committed. In git, there must be no uncommitted changes.
    #[command(
        override_usage = "cuvec-new update [OPTIONS] [PATH]",
        after_help = "Exit codes: 0 up to date, 1 failed, with conflicts, or (--check) not up to date, 2 wrong command \
                      line, 130 interrupted."
    )]
    Update(Update),

    /// Add a function to a package: its kernel, in a first form that builds, and a test against NumPy
    ///
    /// SIGNATURE is `(m,n),(n)->(m)`, in the words of NumPy's generalized functions, and `(...)` is any shape. Or NAME is the
    /// whole declaration, such as `gemv<T: float32, float64>(a: T(m,n), x: T(n)) -> y: T(m)`; the package's
    /// runtime/README.md says what it may hold.
    #[command(
        override_usage = "cuvec-new add [OPTIONS] <NAME> <SIGNATURE>\n       cuvec-new add [OPTIONS] <DECLARATION>"
    )]
    Add {
        /// Name of the function, or its whole declaration
        #[arg(value_name = "NAME")]
        function: String,

        /// Shapes of arguments and results
        #[arg(value_name = "SIGNATURE")]
        signature: Option<String>,

        /// Language of the kernel [default: the one that the package was made with]
        ///
        /// A package may have kernels of both.
        #[arg(long, value_name = "LANGUAGE", value_parser = ["cu", "rust"])]
        kernels: Option<String>,

        /// Dtypes that it is for, of a signature that has none [default: float32,float64]
        #[arg(long, value_name = "DTYPES")]
        dtypes: Option<String>,

        /// Folder of the package
        #[arg(long, value_name = "DIR", default_value = ".")]
        package: PathBuf,

        /// Print nothing unless something fails
        #[arg(long)]
        quiet: bool,
    },

    /// Say what keeps a package from being built and used here, and what fixes it
    ///
    /// Nothing is built or changed. Of a wheel it says what is in it. The exit code is 1 if there is a problem. After a
    /// build, `python -m mypkg.doctor` looks at what is installed.
    #[command(override_usage = "cuvec-new doctor [OPTIONS] [PATH]")]
    Doctor {
        /// Folder of the package, or a wheel
        #[arg(value_name = "PATH", default_value = ".")]
        path: PathBuf,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

impl Command {
    /// Whether only failures are to be told.
    pub fn quiet(&self) -> bool {
        match self {
            Self::Add { quiet, .. }
            | Self::Export { quiet, .. }
            | Self::Update(Update { quiet, .. }) => *quiet,
            Self::Doctor { .. } => false,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  cuvec-new                            ask for everything, show the files, then make them
  cuvec-new mypkg                      make ./mypkg with the default bindings and kernels
  cuvec-new mypkg --try                make it, install it into mypkg/.venv, run its tests
  cuvec-new mypkg --dry-run            show what would be made, and what is in the way
  cuvec-new --list                     what there is to choose
  cuvec-new update                     bring the package in this folder up to this version
  cuvec-new add gemv '(m,n),(n)->(m)'  a new function of the package here
  cuvec-new doctor                     what keeps the package here from being built
  cuvec-new export templates           the same as templates for `cargo generate`

Then `pip install .` in the folder of the package; its README says how to add a kernel.

Exit codes: 0 done, 1 failed or not wanted, 2 wrong command line, 130 interrupted. Whenever it is not 0, \
nothing was written, except that a failed --try leaves the package, and `update` leaves conflicts.";

impl Args {
    /// Refuses a name that most likely is a mistyped command: it would make a package.
    ///
    /// `--output` says that a package is meant.
    pub fn check_command(&self) -> Result<()> {
        let name = self.said.name.as_deref().unwrap_or_default();
        match near_command(name) {
            Some(command) if self.output.is_none() => Err(Error::Usage {
                problem: format!("unknown command `{name}`"),
                hint: format!(
                    "did you mean `cuvec-new {command}`? For a package of this name: \
                     `cuvec-new {name} --output {name}`"
                ),
            }),
            _ => Ok(()),
        }
    }

    /// The definition of the command line, with what the catalog holds in its help.
    pub(crate) fn command_with(catalog: &Catalog) -> clap::Command {
        let update = |command| with_choices(command, catalog, false);
        with_choices(Self::command(), catalog, true).mut_subcommand("update", update)
    }
}

/// Adds what an option takes to its help, and what it is by default where it has one.
fn with_choices(
    mut command: clap::Command,
    catalog: &Catalog,
    has_defaults: bool,
) -> clap::Command {
    let mut add = |option: &'static str, names: Vec<&str>, default: Option<&str>| {
        let choices = choices(names.into_iter(), default.filter(|_| has_defaults));
        command = std::mem::take(&mut command).mut_arg(option, |arg| {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            arg.help(help + &choices)
        });
    };
    for kind in Kind::ALL {
        let default = catalog.default(kind).map(Layer::name);
        add(kind.folder(), catalog.names(kind).collect(), default);
    }
    let versions: Vec<_> = PythonVersion::supported()
        .map(|it| it.to_string())
        .collect();
    let lowest = PythonVersion::LOWEST.to_string();
    let versions = versions.iter().map(String::as_str).collect();
    add("python", versions, Some(&lowest));
    command
}

/// The command that a word is a slip of: a letter wrong, missing or too many, two in wrong order, or the end missing.
fn near_command(word: &str) -> Option<String> {
    let is_near = |command: &str| {
        let begun = word.len() > 3 && command.starts_with(word);
        let first = command.chars().next() == word.chars().next();
        first && *command != *word && (begun || strsim::damerau_levenshtein(command, word) == 1)
    };
    let definition = Args::command();
    let mut names = definition.get_subcommands().map(clap::Command::get_name);
    names.find(|name| is_near(name)).map(str::to_owned)
}

fn choices<'a>(names: impl Iterator<Item = &'a str>, default: Option<&str>) -> String {
    let names: Vec<_> = names.collect();
    let mut text = format!(" [possible values: {}]", names.join(", "));
    if let Some(default) = default {
        text += &format!(" [default: {default}]");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Name;

    #[test]
    fn slips_of_commands() {
        for (word, command) in [
            ("ad", "add"),
            ("addd", "add"),
            ("updte", "update"),
            ("updat", "update"),
            ("upda", "update"),
            ("udpate", "update"),
            ("doctr", "doctor"),
            ("exprot", "export"),
        ] {
            assert_eq!(near_command(word).as_deref(), Some(command), "{word}");
        }
        for word in [
            "", "a", "d", "mypkg", "doc", "exp", "odd", "report", "update",
        ] {
            assert_eq!(near_command(word), None, "{word}");
        }
    }

    #[test]
    fn no_package_has_the_name_of_a_command() {
        for command in Args::command().get_subcommands() {
            let name = command.get_name();
            assert!(Name::parse(name).is_err(), "{name}");
        }
    }
}
