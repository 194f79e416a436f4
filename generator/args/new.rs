//! The command line of `cuvec-new NAME`, which `cuvec-new new NAME` has too.

use std::path::PathBuf;

use clap::Args;

use crate::answers::RawAnswers;

#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct New {
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

    /// Write into a folder that is not empty, and overwrite files of the package there that a commit has
    #[arg(long)]
    pub force: bool,

    /// Prompt as without a name, for what was not passed, even if the name is given
    #[arg(short, long, conflicts_with_all = ["yes", "quiet", "json"])]
    pub interactive: bool,

    /// Never prompt: options that were not passed have their defaults
    #[arg(short, long, alias = "no-input")]
    pub yes: bool,

    /// Print the tree of files, with those that are in the way, and write nothing
    #[arg(long, conflicts_with_all = ["try", "quiet"])]
    pub dry_run: bool,

    /// Install the package into a `.venv` in its folder and run its tests
    #[arg(long)]
    pub r#try: bool,

    /// Print nothing unless something fails
    #[arg(short, long)]
    pub quiet: bool,

    /// Name every file that is made, overwritten or removed
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,

    /// Print JSON (with --dry-run)
    #[arg(long)]
    pub json: bool,
}
