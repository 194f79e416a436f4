//! Printing: results to stdout, errors and notes to stderr, colour only where the terminal wants it.

use std::borrow::Borrow;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};
use clap::{ColorChoice, ValueEnum};
use colorchoice_clap::Color;
use crossterm::terminal;
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::error::{Error, Result};
use crate::wording::shown;

pub const BOLD: Style = Style::new().bold();
pub const DIM: Style = Style::new().dimmed();
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
pub const HINT: Style = AnsiColor::Cyan.on_default().bold();
pub const NOTE: Style = AnsiColor::Yellow.on_default().bold();

/// Settles when to use colour before anything is printed, usage errors included: `--color`, then `NO_COLOR`, then
/// `FORCE_COLOR`.
pub fn choose_color(line: &[OsString]) -> ColorChoice {
    let is_set = |key| std::env::var_os(key).is_some_and(|it| !it.is_empty() && it != "0");
    let choice = match asked_for(line) {
        Some(choice) => choice,
        None if is_set("FORCE_COLOR") && !is_set("NO_COLOR") => ColorChoice::Always,
        None => ColorChoice::Auto,
    };
    Color { color: choice }.write_global();
    choice
}

/// The value of `--color`; one that it does not take is refused later.
fn asked_for(line: &[OsString]) -> Option<ColorChoice> {
    let words = line.iter().map(|word| word.to_string_lossy());
    let words: Vec<_> = words.take_while(|word| word != "--").collect();
    let mut values =
        words
            .iter()
            .enumerate()
            .filter_map(|(at, word)| match word.strip_prefix("--color")? {
                "" => words.get(at + 1).map(AsRef::as_ref),
                value => value.strip_prefix('='),
            });
    let choice = values.next_back()?;
    ColorChoice::from_str(choice, false)
        .ok()
        .filter(|it| *it != ColorChoice::Auto)
}

/// Prints a result to stdout; an error is `Error::Print`.
pub fn print(text: impl Display) -> Result<()> {
    let mut stdout = anstream::stdout().lock();
    writeln!(stdout, "{text}")?;
    Ok(stdout.flush()?)
}

/// Prints a heading with a line for each item.
pub fn print_list(heading: &str, items: &[impl Borrow<str>]) -> Result<()> {
    print(format!(
        "{}:\n  {}",
        styled(BOLD, heading),
        items.join("\n  ")
    ))
}

pub fn print_json(value: &impl Serialize) -> Result<()> {
    let json = serde_json::to_string_pretty(value).map_err(std::io::Error::from)?;
    print(json)
}

/// Lines that are not longer than that and end between words; all but the first are indented.
pub fn wrapped(text: &str, columns: usize) -> String {
    let mut wrapped = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let word_width = strip_str(word).to_string().width();
        if width > 0 && width + 1 + word_width > columns {
            wrapped += "\n  ";
            width = 2;
        } else if !wrapped.is_empty() {
            wrapped.push(' ');
            width += 1;
        }
        wrapped += word;
        width += word_width;
    }
    wrapped
}

/// Prints a sentence: on a terminal, its lines end between words.
pub fn print_wrapped(text: &str) -> Result<()> {
    let size = io::stdout().is_terminal().then(terminal::size);
    match size {
        Some(Ok((columns @ 1.., _))) => print(wrapped(text, columns.into())),
        _ => print(text),
    }
}

/// Says that a report could not be printed, which is no failure: what it is about was made.
pub fn told(printed: Result<()>) -> Result<()> {
    match printed {
        Err(Error::Print(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
            note(format!("everything was made, but failed to print: {error}"));
            Ok(())
        }
        printed => printed,
    }
}

/// Prints to stderr something the user should know although all went well.
pub fn note(text: impl Display) {
    labelled(NOTE, "note", text);
}

/// Text in a style, which the streams above remove when it has no place there.
pub fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

pub fn plain(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Nothing can be done about a stderr that does not take the message.
pub fn labelled(style: Style, label: &str, text: impl Display) {
    let text = shown(&text.to_string());
    let _ = writeln!(anstream::stderr(), "{style}{label}:{style:#} {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words() {
        assert_eq!(wrapped("aaaa bbbb cccc", 9), "aaaa bbbb\n  cccc");
        assert_eq!(wrapped("aaaa bbbb cccc", 8), "aaaa\n  bbbb\n  cccc");
        assert_eq!(wrapped("aaaa bb cc dd", 7), "aaaa bb\n  cc dd");
        assert_eq!(wrapped("aaaaaaaaaa b", 4), "aaaaaaaaaa\n  b");
        assert_eq!(
            wrapped("\u{1b}[1maaaa\u{1b}[0m bbbb", 9),
            "\u{1b}[1maaaa\u{1b}[0m bbbb"
        );
    }
}
