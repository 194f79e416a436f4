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
mod interrupt;
mod leftovers;
mod new;
mod package;
mod parse;
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
use args::Command;
pub use catalog::{Catalog, Templates};
pub use error::{Error, Result};
pub use new::files;

/// Does what the command line asks for.
pub fn run(args: &Args, catalog: &Catalog) -> Result<()> {
    let quiet = args.quiet();
    match &args.command {
        Some(Command::List { json }) => tell::Listing::new(catalog).print(*json),
        Some(Command::Completions { shell }) => shell_help::print_completions(*shell, catalog),
        Some(Command::Man) => shell_help::print_man(catalog),
        Some(Command::Add(request)) => add::run(request, catalog, quiet),
        Some(Command::Adopt(request)) => adopt::run(request, quiet),
        Some(Command::Doctor { path, json }) => doctor::run(path, *json),
        Some(Command::Export { folder, .. }) => export::run(folder, catalog, quiet),
        Some(Command::Update(update)) => update::run(update, catalog, quiet),
        Some(Command::New(_)) | None => match args.package() {
            new if new.dry_run => new::preview(new, catalog),
            new => new::make(new, catalog),
        },
    }
}
