//! Rows and columns of the terminal, and what is on them.

use std::io::{Write, stderr};

use anstream::adapter::strip_str;
use crossterm::cursor::MoveToPreviousLine;
use crossterm::execute;
use crossterm::terminal::{self, Clear, ClearType};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::error::{Error, Result};

/// Size of a terminal that does not say.
const COLUMNS: u16 = 80;
const ROWS: u16 = 24;

/// Columns and rows, at least one of each.
pub fn size() -> (u16, u16) {
    let (columns, rows) = terminal::size().unwrap_or_default();
    let or = |said, usual| if said == 0 { usual } else { said };
    (or(columns, COLUMNS), or(rows, ROWS))
}

/// The beginning of a line, with `…` where something was left out.
pub fn shortened(line: &str, room: usize) -> String {
    if line.width() <= room {
        return line.to_owned();
    }
    let mut short = String::new();
    for c in line.chars() {
        short.push(c);
        if short.width() + 1 > room {
            short.pop();
            break;
        }
    }
    format!("{}…", short.trim_end())
}

pub fn rows(line: &str) -> u16 {
    let (row, _) = end(&strip_str(line).to_string(), columns());
    count(row + 1)
}

/// The row and the column, counted from the start of a line, of a character after what is before it.
pub fn place(before: &str, character: char) -> (u16, u16) {
    let line = format!("{}{character}", strip_str(before));
    let (row, end) = end(&line, columns());
    let width = character.width().unwrap_or_default();
    (count(row), count(end.saturating_sub(width)))
}

/// The row that a line ends in, and how much of that it takes.
///
/// Anything wider than the rest of a row begins the next one.
fn end(line: &str, columns: usize) -> (usize, usize) {
    let (mut row, mut shown) = (0, String::new());
    for c in line.chars() {
        shown.push(c);
        if shown.width() > columns {
            row += 1;
            shown = c.to_string();
        }
    }
    (row, shown.width())
}

fn columns() -> usize {
    size().0.into()
}

fn count(rows: usize) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX)
}

pub fn print(text: &str) -> Result<()> {
    writeln!(anstream::stderr(), "{text}").map_err(Error::ask)
}

/// Removes the last rows above the cursor, one at least: terminals take 0 for 1.
pub fn erase(rows: u16) -> Result<()> {
    execute!(stderr(), MoveToPreviousLine(rows)).map_err(Error::ask)?;
    clear_below()
}

pub fn clear_below() -> Result<()> {
    execute!(stderr(), Clear(ClearType::FromCursorDown)).map_err(Error::ask)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_a_terminal_ends_them() {
        let cases = [
            ("", (0, 0)),
            ("1234", (0, 4)),
            ("12345", (0, 5)),
            ("123456", (1, 1)),
            ("1234512345", (1, 5)),
            ("12345123451", (2, 1)),
            ("123中", (0, 5)),
            ("1234中", (1, 2)),
            ("中中中", (1, 2)),
            ("中中1中", (1, 2)),
            ("中中中中中", (2, 2)),
            ("1234e\u{301}", (0, 5)),
        ];
        for (line, expected) in cases {
            assert_eq!(end(line, 5), expected, "{line}");
        }
    }

    #[test]
    fn what_is_left_of_long_lines() {
        let cases = [
            ("12345", "12345"),
            ("123456", "1234…"),
            ("123 456", "123…"),
            ("中中1", "中中1"),
            ("中中中", "中中…"),
            ("123中中", "123…"),
        ];
        for (line, expected) in cases {
            assert_eq!(shortened(line, 5), expected, "{line}");
        }
    }
}
