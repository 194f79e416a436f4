//! The command line of `cuvec-new update`.

use std::path::PathBuf;

use clap::Args;

use crate::answers::{Choices, Said};

#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct Update {
    /// Folder of the package
    #[arg(value_name = "PATH", default_value = ".")]
    pub path: PathBuf,

    #[command(flatten)]
    pub layers: Choices,

    /// Lowest Python the package supports
    #[arg(long, value_name = "VERSION")]
    pub python: Option<String>,

    /// Write nothing, and fail if the package is not up to date
    #[arg(long)]
    pub check: bool,

    /// Write nothing, and print what would change, as a patch
    #[arg(long, conflicts_with = "json")]
    pub diff: bool,

    /// Write nothing, and list the files that would change
    #[arg(long)]
    pub dry_run: bool,

    /// Print nothing unless something fails
    #[arg(long)]
    pub quiet: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,
}

impl Update {
    /// The answers that it changes.
    pub fn said(&self) -> Said {
        Said {
            layers: self.layers.clone(),
            python: self.python.clone(),
            ..Said::default()
        }
    }

    /// Whether only to look.
    pub fn only_looks(&self) -> bool {
        self.check || self.diff || self.dry_run
    }
}
