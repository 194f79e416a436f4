//! The command line, as close to the options as possible; `answers.rs` validates what it says.

mod add;
mod adopt;
mod new;
mod update;

use std::path::PathBuf;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use colorchoice_clap::Color;

use crate::answers::PythonVersion;
use crate::catalog::{Catalog, Kind, Layer};
pub use add::Add;
pub use adopt::Adopt;
pub use new::New;
pub use update::Update;

/// Scaffold a pip-installable Python package with GPU kernels
///
/// The package builds with `pip install` on machines without a CUDA toolkit, which only `--cuda 12` needs for `.cu` files,
/// and runs on machines with and without a GPU. Nothing outside its folder is touched, except that `--try` fills the caches
/// of builds; if anything is in the way, nothing is written at all.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "cuvec-new",
    version = env!("CUVEC_NEW_VERSION"),
    after_help = EXAMPLES,
    max_term_width = 100,
    override_usage = "cuvec-new [OPTIONS] [NAME]\n       cuvec-new <COMMAND>"
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    #[command(flatten)]
    pub new: New,

    /// Take templates from a folder instead of the built-in ones (for authors of templates)
    #[arg(long, value_name = "DIR", hide_short_help = true, global = true)]
    pub templates: Option<PathBuf>,

    #[command(flatten)]
    pub color: Color,
}

/// Commands of the program besides making a package. No package may have the name of a command.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Make a package, as `cuvec-new NAME` does
    #[command(override_usage = "cuvec-new new [OPTIONS] [NAME]")]
    New(Box<New>),

    /// Add a function to a package: a kernel stub that builds, and its test against NumPy
    ///
    /// SIGNATURE is `(m,n),(n)->(m)`, as for NumPy's generalized functions; `(...)` is any shape, and `()` an array without
    /// dimensions. For scalars, defaults and the like NAME is the whole declaration, such as
    /// `gemv<T: float32, float64>(a: T(m,n), x: T(n), *, beta: T = 0) -> y: T(m)`, or as in Rust,
    /// `gemv<T: f32 | f64>(a: &T[m, n], x: &T[n], *, beta: T = 0.0) -> y: T[m]`; the README of the package's runtime says what it
    /// may hold.
    #[command(
        override_usage = "cuvec-new add [OPTIONS] <NAME> <SIGNATURE>\n       cuvec-new add [OPTIONS] <DECLARATION>"
    )]
    Add(Add),

    /// Declare functions that existing sources in C, C++ and CUDA define
    ///
    /// Reads the kernels and the functions of the host in each FILE, a source or a header in the folder of the package, and
    /// writes a declaration for each into kernels/. The files stay as they are and where they are: CMakeLists.txt gets a line
    /// that builds them. What a file does not tell is marked by a comment, `// adopt: …`, and listed; the package builds before
    /// any of them is settled. So is what cannot be declared, with the reason.
    #[command(override_usage = "cuvec-new adopt [OPTIONS] <FILE>...")]
    Adopt(Adopt),

    /// Bring a package up to this version, or to other choices, such as other bindings
    ///
    /// The archive of the runtime and its backend are replaced, or restored. The other files that came from the templates
    /// are replaced if nobody edited them, and merged with the edits if somebody did; what cannot be merged is marked as
    /// git marks conflicts. All or nothing is written, and nothing is committed. In git, there must be no uncommitted
    /// changes.
    #[command(
        override_usage = "cuvec-new update [OPTIONS] [PATH]",
        after_help = "Exit codes: 0 up to date, 1 failed, with conflicts, or (--check) not up to date, 2 wrong command \
                      line, 130 interrupted."
    )]
    Update(Update),

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

    /// List bindings, kernel languages, CUDA versions, licenses, CI providers, documentation tools, containers,
    /// instructions for agents and runtimes
    #[command(override_usage = "cuvec-new list [OPTIONS]")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },

    /// Write template folders for `cargo generate`, one for each binding tool and kernel language
    ///
    /// `cargo generate --path DIR --name mypkg` then asks for the rest, and makes the same package as `cuvec-new mypkg`.
    /// Container, instructions for agents and runtime are the default ones.
    #[command(override_usage = "cuvec-new export [OPTIONS] <DIR>")]
    Export {
        /// Folder to create
        #[arg(value_name = "DIR")]
        folder: PathBuf,

        /// Print nothing unless something fails
        #[arg(short, long)]
        quiet: bool,
    },

    /// Print a script that completes this command line in a shell
    #[command(override_usage = "cuvec-new completions <SHELL>")]
    Completions { shell: Shell },

    /// Print the manual page
    #[command(override_usage = "cuvec-new man")]
    Man,
}

impl Command {
    /// `--quiet`, of a command that takes it.
    fn silence(&self) -> Option<bool> {
        match self {
            Self::Add(Add { quiet, .. })
            | Self::Adopt(Adopt { quiet, .. })
            | Self::Export { quiet, .. }
            | Self::Update(Update { quiet, .. }) => Some(*quiet),
            Self::New(new) => Some(new.quiet),
            Self::Doctor { .. } | Self::List { .. } | Self::Completions { .. } | Self::Man => None,
        }
    }

    pub fn quiet(&self) -> bool {
        self.silence() == Some(true)
    }

    /// True if it takes `--quiet`.
    pub fn tells(&self) -> bool {
        self.silence().is_some()
    }
}

const EXAMPLES: &str = "\
Examples:
  cuvec-new                            ask for the name and choices, show the files, then make them
  cuvec-new mypkg                      make ./mypkg with the default bindings and kernels
  cuvec-new mypkg --try                make it, install it into mypkg/.venv, run its tests
  cuvec-new mypkg --dry-run            show what would be made, and what is in the way
  cuvec-new list                       what there is to choose
  cuvec-new update                     bring the package in this folder up to this version
  cuvec-new add gemv '(m,n),(n)->(m)'  a new function of the package here
  cuvec-new adopt lib/blur.cu          functions that sources of yours define
  cuvec-new doctor                     what keeps the package here from being built
  cuvec-new export templates           the same as templates for `cargo generate`

Then `pip install .` in the folder of the package; its README says how to use it.

Exit codes: 0 done, 1 failed or not wanted, 2 wrong command line, 130 interrupted. Whenever it is not 0, \
nothing was written, except that a failed --try leaves the package, and `update` leaves conflicts.";

impl Args {
    /// The package to make.
    pub fn package(&self) -> &New {
        match &self.command {
            Some(Command::New(new)) => new,
            _ => &self.new,
        }
    }

    /// The definition of the command line, with what the catalog holds in its help.
    pub(crate) fn command_with(catalog: &Catalog) -> clap::Command {
        let new = |command| with_choices(command, catalog, true);
        let changed = |command| with_choices(command, catalog, false);
        new(Self::command())
            .mut_subcommand("new", new)
            .mut_subcommand("update", changed)
            .mut_subcommand("add", changed)
    }
}

/// Adds what an option takes to its help, and what it is by default where it has one.
fn with_choices(
    mut command: clap::Command,
    catalog: &Catalog,
    has_defaults: bool,
) -> clap::Command {
    let mut add = |option: &'static str, names: Vec<&str>, default: Option<&str>| {
        if !has(&command, option) {
            return;
        }
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

/// Checks whether a command takes an option.
pub(crate) fn has(command: &clap::Command, option: &str) -> bool {
    command.get_arguments().any(|it| it.get_id() == option)
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
    fn no_package_has_the_name_of_a_command() {
        for command in Args::command().get_subcommands() {
            let name = command.get_name();
            assert!(Name::parse(name).is_err(), "{name}");
        }
    }

    #[test]
    fn the_help_of_list_names_all_that_it_lists() {
        let command = Args::command();
        let list = command.find_subcommand("list").unwrap();
        let about = list.get_about().unwrap().to_string();
        for kind in Kind::ALL {
            assert!(about.contains(kind.traits().plural), "{kind}: {about}");
        }
    }
}
