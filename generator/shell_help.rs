//! Help for shells and `man` about the command line: made from the same definition that parses it.

mod subcommands;

use std::io::{self, Write};

use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use crate::args::{Args, has};
use crate::catalog::{Catalog, Kind};
use crate::error::Result;

/// Prints a completion script, which completes the names of layers too.
pub fn print_completions(shell: Shell, catalog: &Catalog) -> Result<()> {
    let with_names = |command| with_names(command, catalog);
    let mut command = with_names(Args::command_with(catalog)).mut_subcommands(with_names);
    // In memory first: the generator panics when its reader goes away.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "cuvec-new", &mut script);
    let names: Vec<_> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    let script = subcommands::only(&names, shell, &String::from_utf8_lossy(&script));
    Ok(io::stdout().write_all(script.as_bytes())?)
}

/// Only here: while parsing, the catalog has better messages for unknown names.
fn with_names(command: clap::Command, catalog: &Catalog) -> clap::Command {
    let kinds = Kind::ALL
        .into_iter()
        .filter(|kind| has(&command, kind.folder()));
    kinds
        .collect::<Vec<_>>()
        .into_iter()
        .fold(command, |command, kind| {
            let names: Vec<_> = catalog.names(kind).map(str::to_owned).collect();
            command.mut_arg(kind.folder(), |arg| {
                arg.value_parser(PossibleValuesParser::new(names))
            })
        })
}

pub fn print_man(catalog: &Catalog) -> Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Args::command_with(catalog)).render(&mut page)?;
    Ok(io::stdout().write_all(&page)?)
}
