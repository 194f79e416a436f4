//! Rows and columns of the terminal, and what is on them.

use std::io::{Write, stderr};

use crossterm::cursor::MoveToPreviousLine;
use crossterm::execute;
use crossterm::terminal::{self, Clear, ClearType};
use unicode_width::UnicodeWidthStr;

use crate::error::{Error, Result};

/// Of a terminal that does not say.
const COLUMNS: u16 = 80;
const ROWS: u16 = 24;

/// Columns and rows, at least one of each.
pub fn size() -> (u16, u16) {
    let (columns, rows) = terminal::size().unwrap_or((COLUMNS, ROWS));
    (columns.max(1), rows.max(1))
}

/// The beginning of a line, with `…` where something was left out.
pub fn shortened(line: &str, room: usize) -> String {
    if line.width() <= room {
        return line.to_owned();
    }
    let mut short = String::new();
    for c in line.chars() {
        if short.width() + 2 > room {
            break;
        }
        short.push(c);
    }
    format!("{}…", short.trim_end())
}

/// Rows that `✓ message answer` takes on the screen.
pub fn rows(message: &str, answer: &str) -> u16 {
    line_rows(2 + message.width() + 1 + answer.width())
}

/// Rows that a line of this width takes.
pub fn line_rows(width: usize) -> u16 {
    let (columns, _) = size();
    u16::try_from(width.div_ceil(usize::from(columns)).max(1)).unwrap_or(u16::MAX)
}

pub fn print(text: &str) -> Result<()> {
    writeln!(anstream::stderr(), "{text}").map_err(ask_error)
}

/// Removes the last rows above the cursor.
pub fn erase(rows: u16) -> Result<()> {
    if rows == 0 {
        // Terminals take 0 for 1.
        return Ok(());
    }
    execute!(stderr(), MoveToPreviousLine(rows)).map_err(ask_error)?;
    clear_below()
}

/// Removes everything from the cursor on.
pub fn clear_below() -> Result<()> {
    execute!(stderr(), Clear(ClearType::FromCursorDown)).map_err(ask_error)
}

fn ask_error(error: std::io::Error) -> Error {
    Error::Ask(error.to_string())
}
