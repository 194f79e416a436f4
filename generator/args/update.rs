//! The command line of `cuvec-new update`.

use std::path::PathBuf;

use clap::Args;

use crate::answers::{Choices, RawAnswers};
use crate::wording::quote_word;

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
    #[arg(short, long)]
    pub quiet: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,
}

impl Update {
    /// The answers that it changes.
    pub fn said(&self) -> RawAnswers {
        RawAnswers {
            layers: self.layers.clone(),
            python: self.python.clone(),
            ..RawAnswers::default()
        }
    }

    /// The options that change answers, each after a blank.
    pub fn changes(&self) -> String {
        let layers = self.layers.all().iter();
        let layers = layers.map(|(kind, name)| (kind.folder(), name));
        let python = self.python.iter().map(|version| ("python", version));
        let option =
            |(option, value): (&str, &String)| format!(" --{option} {}", quote_word(value));
        layers.chain(python).map(option).collect()
    }

    /// True if it only looks.
    pub fn only_looks(&self) -> bool {
        self.check || self.diff || self.dry_run
    }
}
