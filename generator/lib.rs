//! The generator behind the `cuvec-new` command: args, answers, plan, rendered files, a folder on disk, a report.
//!
//! Modules form layers: none uses one that uses it. `tests/modules.rs` checks that.

mod add;
mod adopt;
mod answers;
mod args;
mod ask;
mod catalog;
mod disk;
mod doctor;
mod error;
mod export;
mod home;
mod interrupt;
mod job;
mod leftovers;
mod new;
mod package;
mod previous;
mod process;
mod read;
mod refused;
mod sdist;
mod shell_help;
mod tell;
mod text;
mod trial;
mod update;
mod wording;
mod workspaces;

pub use args::Args;
pub use catalog::{Catalog, Templates};
pub use error::{Error, Result};
use job::Job;
pub use new::files;

/// Does what the command line asks for.
pub fn run(args: &Args, catalog: &Catalog) -> Result<()> {
    match args.job() {
        Job::Make(args) => new::make(args, catalog),
        Job::Preview(args) => new::preview(args, catalog),
        Job::List { json } => tell::Listing::new(catalog).print(json),
        Job::Completions(shell) => shell_help::print_completions(shell, catalog),
        Job::Man => shell_help::print_man(catalog),
        Job::Add(request) => add::run(request, catalog, args.quiet()),
        Job::Adopt(request) => adopt::run(request, args.quiet()),
        Job::Doctor { path, json } => doctor::run(path, json),
        Job::Export(folder) => export::run(folder, catalog, args.quiet()),
        Job::Update(update) => update::run(update, catalog, args.quiet()),
    }
}
