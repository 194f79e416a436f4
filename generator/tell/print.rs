//! Printing: results to stdout, errors and notes to stderr, colour only where the terminal wants it.

use std::fmt::Display;
use std::io::Write;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::error::Result;
use crate::wording::shown;

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
pub const HINT: Style = AnsiColor::Cyan.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default().bold();

/// Prints a result to stdout; an error is `Error::Print`.
pub fn print(text: impl Display) -> Result<()> {
    let mut stdout = anstream::stdout().lock();
    writeln!(stdout, "{text}")?;
    Ok(stdout.flush()?)
}

/// Prints a value as indented JSON.
pub fn print_json(value: &impl Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(value).map_err(std::io::Error::from)?;
    print(json)
}

/// Prints to stderr something the user should know although all went well.
pub fn note(text: impl Display) {
    labelled(NOTE, "note", text);
}

/// Text in a style, which the streams above remove when it has no place there.
pub fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Nothing can be done about a stderr that does not take the message.
pub fn labelled(style: Style, label: &str, text: impl Display) {
    let text = shown(&text.to_string());
    let _ = writeln!(anstream::stderr(), "{style}{label}:{style:#} {text}");
}
