//! The command line of `cuvec-new adopt`.

use std::path::PathBuf;

use clap::Args;

#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct Adopt {
    /// Sources and headers in the package
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Folder of headers that they include
    #[arg(long, value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Functions to declare, by their names in the files [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,

    /// Write declarations anew that are there
    #[arg(long)]
    pub force: bool,

    /// Write nothing, and list what would be declared
    #[arg(long, conflicts_with = "quiet")]
    pub dry_run: bool,

    /// Folder of the package
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub package: PathBuf,

    /// Print nothing unless something fails
    #[arg(short, long)]
    pub quiet: bool,
}
