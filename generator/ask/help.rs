//! Topics of questions.

use clap::CommandFactory;

use crate::args::Args;

/// The beginning of what `--help` says about an option.
pub fn help(option: &str) -> String {
    let command = Args::command();
    let arg = command.get_arguments().find(|arg| arg.get_id() == option);
    let text = arg.and_then(|arg| arg.get_help()).map(ToString::to_string);
    let text = text.unwrap_or_default();
    let end = text.find([';', '[']).unwrap_or(text.len());
    text[..end].trim_end().to_owned()
}
