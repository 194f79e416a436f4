//! What the program does besides making a package.
//!
//! A package may have the name of a command: it is made by `cuvec-new -- NAME`.

use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, Subcommand};

use crate::args::Args;

#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Write template folders for `cargo generate`, one for each bridge and kernel kind
    ///
    /// `cargo generate --path DIR --name mypkg` then asks for the rest, and makes the same package as `cuvec-new mypkg`.
    #[command(
        override_usage = "cuvec-new export [OPTIONS] <DIR>\n       cuvec-new [OPTIONS] -- export  (makes a package of this name)"
    )]
    Export {
        /// Folder to create
        #[arg(value_name = "DIR")]
        folder: PathBuf,

        /// Print nothing unless something fails
        #[arg(long)]
        quiet: bool,
    },
}

/// Ends the process if a command is given together with what is said of a package.
pub fn refuse_options_of_packages(definition: &mut clap::Command, matches: &ArgMatches) {
    let name = matches.subcommand_name().unwrap_or_default();
    let Some(command) = definition.find_subcommand(name) else {
        return;
    };
    let given = definition.get_arguments().find(|argument| {
        let id = argument.get_id();
        let known = command.get_arguments().any(|it| it.get_id() == id);
        !known && matches.value_source(id.as_str()) == Some(ValueSource::CommandLine)
    });
    if let Some(given) = given.map(ToString::to_string) {
        let tip = format!("`cuvec-new [OPTIONS] -- {name}` makes a package of this name");
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        let mut error = clap::Error::new(ErrorKind::ArgumentConflict).with_cmd(definition);
        error.insert(
            ContextKind::InvalidSubcommand,
            ContextValue::String(name.to_owned()),
        );
        error.insert(ContextKind::PriorArg, ContextValue::String(given));
        error.insert(ContextKind::Suggested, tip);
        error.exit();
    }
}

/// The command line for a package of this name.
pub fn line(name: &str, options: &str) -> String {
    let words = match Args::command().find_subcommand(name) {
        Some(_) => ["cuvec-new", options, "--", name],
        None => ["cuvec-new", name, options, ""],
    };
    let words: Vec<_> = words.into_iter().filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
