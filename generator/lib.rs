//! The generator behind the `cuvec-new` command: answers, plan, rendered files, a folder on disk.

mod answers;
mod args;
mod catalog;
mod command;
mod context;
mod destination;
mod error;
mod export;
mod git;
mod interrupt;
mod interview;
mod kind;
mod layer;
mod listing;
mod lock;
mod merge;
mod name;
mod outline;
mod parents;
mod plan;
mod preview;
mod process;
mod prompt;
mod python;
mod render;
mod report;
mod shell;
mod shell_help;
mod templates;
mod trial;
mod write;

use std::collections::BTreeMap;

use answers::Answers;
pub use args::Args;
pub use catalog::Catalog;
use command::Command;
pub use error::{Error, Result};
use listing::Listing;
use plan::Plan;
use preview::Preview;
use render::render;
use report::Report;
pub use templates::Templates;
use trial::Trial;
use write::write;

/// The files of a package by their paths, in memory; nobody is asked.
pub fn files(args: &Args, catalog: &Catalog) -> Result<BTreeMap<String, Vec<u8>>> {
    let answers = Answers::new(args, catalog)?;
    let rendered = render(&Plan::new(&answers)?, &answers)?;
    let file = |it: render::Rendered| (it.path, it.contents.into_owned());
    Ok(rendered.into_iter().map(file).collect())
}

/// Does what the command line asks for.
pub fn run(args: &Args, catalog: &Catalog) -> Result<()> {
    if let Some(Command::Export { folder, quiet }) = &args.command {
        let templates = export::export(folder, catalog)?;
        if !(*quiet || args.quiet) {
            report::exported(folder, &templates)?;
        }
        return Ok(());
    }
    if args.list {
        return Listing::new(catalog).print(args.json);
    }
    if let Some(shell) = args.completions {
        return shell_help::print_completions(shell, catalog);
    }
    if args.man {
        return shell_help::print_man(catalog);
    }
    let prompt = prompt::for_terminal(args)?;
    let answers = Answers::resolve(args, catalog, prompt)?;
    let plan = Plan::new(&answers)?;
    let rendered = render(&plan, &answers)?;
    if args.dry_run {
        return Preview::new(&answers, &rendered)?.print(args.json);
    }

    // Before anything is written: no Python means no package either.
    let trial = args
        .r#try
        .then(|| Trial::prepare(&answers, args.quiet))
        .transpose()?;
    let written = write(&rendered, &answers)?;
    let tests = trial.map(|trial| trial.run()).transpose()?;
    if args.quiet {
        return Ok(());
    }
    Report::new(&answers, &rendered, &written, tests).print()
}
