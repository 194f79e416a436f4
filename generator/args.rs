//! The command line, as close to the options as possible; `answers.rs` gives it a meaning.

use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser};
use clap_complete::Shell;
use colorchoice_clap::Color;

use crate::catalog::Catalog;
use crate::command::{self, Command};
use crate::kind::Kind;
use crate::layer::Layer;
use crate::python::PythonVersion;

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

    /// Name of the package, such as `my-pkg`; its module is then `my_pkg`
    ///
    /// On a terminal, `cuvec-new` without it asks for the name and for all that no option gives.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    /// What connects Python and the kernels
    #[arg(long, value_name = "BRIDGE")]
    pub bridge: Option<String>,

    /// What the kernels are written in
    #[arg(long, value_name = "KIND")]
    pub kernels: Option<String>,

    /// Folder to create [default: ./NAME]
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// One line for PyPI and the README
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,

    /// Author of the package [default: `user.name` of git]
    #[arg(long, value_name = "NAME")]
    pub author: Option<String>,

    /// Email address of the author, "" for none [default: `user.email` of git]
    #[arg(long, value_name = "ADDRESS")]
    pub email: Option<String>,

    /// License of the package
    #[arg(long, value_name = "SPDX")]
    pub license: Option<String>,

    /// Lowest Python the package supports
    #[arg(long, value_name = "VERSION")]
    pub python: Option<String>,

    /// CI provider to write workflows for
    #[arg(long, value_name = "PROVIDER")]
    pub ci: Option<String>,

    /// Do not make a git repository with a first commit
    ///
    /// Inside an existing repository none is made anyway.
    #[arg(long)]
    pub no_git: bool,

    /// Write into a folder that is not empty, and overwrite files of the package there
    #[arg(long)]
    pub force: bool,

    /// Ask for what no option gives, even if the name is given
    #[arg(short, long, conflicts_with_all = ["yes", "quiet", "json", "list", "completions", "man"])]
    pub interactive: bool,

    /// Never ask: what no option gives is the default
    #[arg(short, long, alias = "no-input")]
    pub yes: bool,

    /// Print the tree of files and write nothing
    #[arg(long, group = "printing")]
    pub dry_run: bool,

    /// List bridges and kernel kinds
    #[arg(long, group = "printing", conflicts_with_all = ["name", "force", "try"])]
    pub list: bool,

    /// Print a script that completes this command line in a shell
    #[arg(long, value_name = "SHELL", group = "printing", conflicts_with_all = ["name", "force", "try", "json"])]
    pub completions: Option<Shell>,

    /// Print the manual page
    #[arg(long, group = "printing", conflicts_with_all = ["name", "force", "try", "json"])]
    pub man: bool,

    /// Install the package into a `.venv` in its folder and run its tests
    #[arg(long, conflicts_with = "dry_run")]
    pub r#try: bool,

    /// Print nothing unless something fails
    #[arg(long, conflicts_with = "printing")]
    pub quiet: bool,

    /// Print JSON (with --list or --dry-run)
    #[arg(long, requires = "printing")]
    pub json: bool,

    /// Take templates from a folder instead of the built-in ones (for authors of templates)
    #[arg(long, value_name = "DIR", hide_short_help = true, global = true)]
    pub templates: Option<PathBuf>,

    #[command(flatten)]
    pub color: Color,
}

const EXAMPLES: &str = "\
Examples:
  cuvec-new                            ask for everything, show the files, then make them
  cuvec-new mypkg                      make ./mypkg with the default bridge and kernels
  cuvec-new mypkg --try                make it, install it into mypkg/.venv, run its tests
  cuvec-new mypkg --dry-run            show what would be made, and what is in the way
  cuvec-new --list                     bridges and kernel kinds, and which go together
  cuvec-new export templates           the same as templates for `cargo generate`

Then `pip install .` in the folder of the package; its README says how to add a kernel.

Exit codes: 0 done, 1 failed, 2 wrong command line, 130 interrupted. Whenever it is not 0, \
nothing was written, except that a failed --try leaves the package.";

impl Args {
    /// Parses the command line of the process; ends it for `--help`, `--version` and usage errors.
    ///
    /// The help lists what the catalog holds.
    pub fn parse_with(catalog: &Catalog) -> Self {
        let mut command = Self::command_with(catalog);
        let matches = command.get_matches_mut();
        command::refuse_options_of_packages(&mut command, &matches);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// The definition of the command line, with what the catalog holds in its help.
    pub(crate) fn command_with(catalog: &Catalog) -> clap::Command {
        let mut command = Self::command();
        for kind in [Kind::Bridge, Kind::Kernels, Kind::License, Kind::Ci] {
            command = command.mut_arg(kind.folder(), |arg| {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                arg.help(
                    help + &choices(catalog.names(kind), catalog.default(kind).map(Layer::name)),
                )
            });
        }
        command.mut_arg("python", |arg| {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let versions: Vec<_> = PythonVersion::supported()
                .map(|it| it.to_string())
                .collect();
            let names = versions.iter().map(String::as_str);
            arg.help(help + &choices(names, Some(&PythonVersion::LOWEST.to_string())))
        })
    }
}

fn choices<'a>(names: impl Iterator<Item = &'a str>, default: Option<&str>) -> String {
    let names: Vec<_> = names.collect();
    let mut text = format!(" [possible values: {}]", names.join(", "));
    if let Some(default) = default {
        text += &format!(" [default: {default}]");
    }
    text
}
