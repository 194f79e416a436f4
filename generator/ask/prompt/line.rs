//! A question for a line of text, on the screen.
//!
//! Not by `inquire::Text`: that types the letter of Ctrl-U, Ctrl-A and the like, and takes the end of a pasted line for Enter.

use std::io::{self, Write, stderr};

use crossterm::cursor::{MoveToColumn, MoveUp};
use crossterm::event::{
    self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyEventKind, KeyModifiers,
};
use crossterm::terminal::{Clear, ClearType, disable_raw_mode, enable_raw_mode};
use crossterm::{execute, queue};

use super::edit::Edit;
use super::look::{BACK, Colors};
use super::question::{Line, Refusal};
use super::screen::{place, rows};
use crate::tell::{BAD, GOOD};

pub enum End {
    Answer(String),
    Back,
    Interrupted,
}

pub struct LinePrompt<'a> {
    pub question: &'a Line<'a>,
    pub help: &'a str,
    /// Text to edit; the default is shown where there is none at first.
    pub start: &'a str,
    pub colors: Colors,
}

/// The terminal gives every key while this lives.
struct Raw;

impl Raw {
    fn enter() -> io::Result<Self> {
        enable_raw_mode()?;
        let raw = Self;
        execute!(stderr(), EnableBracketedPaste)?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // The terminal may be gone already.
        let _ = execute!(stderr(), DisableBracketedPaste);
        let _ = disable_raw_mode();
    }
}

/// State of the screen: the row of the cursor, counted from the row of the question.
#[derive(Default)]
struct Drawn {
    row: u16,
}

impl LinePrompt<'_> {
    /// Asks until a key ends it; what then stays is one line.
    pub fn ask(&self) -> io::Result<End> {
        let _raw = Raw::enter()?;
        let mut edit = Edit::new(self.start);
        let mut marked = None;
        let mut drawn = Drawn::default();
        loop {
            self.draw(&edit, marked, &mut drawn)?;
            let key = match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Press => key,
                Event::Paste(text) => {
                    edit.paste(&text);
                    marked = None;
                    continue;
                }
                _ => continue,
            };
            let last = self.rows(&edit.text()).len().checked_sub(1);
            let control = key.modifiers.contains(KeyModifiers::CONTROL);
            match key.code {
                KeyCode::Enter => {
                    let answer = self.answer(edit.text(), marked.is_some());
                    let [mark, message] = self.colors.question("✓", self.question.message);
                    let shown = self.colors.answer(&answer);
                    self.finish(&format!("{mark} {message} {shown}"), &mut drawn)?;
                    return Ok(End::Answer(answer));
                }
                KeyCode::Esc => {
                    let [mark, message] = self.colors.question("?", self.question.message);
                    self.finish(&format!("{mark} {message} {BACK}"), &mut drawn)?;
                    return Ok(End::Back);
                }
                KeyCode::Char('c') if control => {
                    self.finish(&self.line(&edit), &mut drawn)?;
                    return Ok(End::Interrupted);
                }
                KeyCode::Down => {
                    let next = marked.map_or(0, |at: usize| at + 1);
                    marked = last.map(|last| next.min(last));
                }
                KeyCode::Up => marked = marked.and_then(|at| at.checked_sub(1)),
                KeyCode::Tab => {
                    if let Some(instead) = self.instead(&edit.text()) {
                        edit = Edit::new(&instead);
                        marked = None;
                    }
                }
                _ => {
                    edit.press(key);
                    marked = None;
                }
            }
        }
    }

    /// The answer at Enter: the text, the default for none, or what is offered instead of a text that is marked.
    fn answer(&self, text: String, is_marked: bool) -> String {
        match is_marked {
            true => self.instead(&text).unwrap_or(text),
            false if text.is_empty() => self.question.default.to_owned(),
            false => text,
        }
    }

    /// The question with what was typed so far.
    fn line(&self, edit: &Edit) -> String {
        self.before() + &edit.text()
    }

    fn before(&self) -> String {
        let [mark, message] = self.colors.question("?", self.question.message);
        match self.start {
            "" => format!(
                "{mark} {message} {} ",
                self.colors.dim(&format!("({})", self.question.default))
            ),
            _ => format!("{mark} {message} "),
        }
    }

    /// The rows below a line: its fault, and what would be right; none when it is good, or not begun.
    fn rows(&self, line: &str) -> Vec<String> {
        let refusal = match line {
            "" => return Vec::new(),
            line => (self.question.check)(line).err(),
        };
        let Some(Refusal { problem, instead }) = refusal else {
            return Vec::new();
        };
        let problem = format!("{} {problem}", self.colors.style(BAD, "✗"));
        let instead = instead.map(|name| format!("{} {name}", self.colors.style(GOOD, "→ tab:")));
        [problem].into_iter().chain(instead).collect()
    }

    fn instead(&self, line: &str) -> Option<String> {
        (self.question.check)(line).err().and_then(|it| it.instead)
    }

    fn draw(&self, edit: &Edit, marked: Option<usize>, drawn: &mut Drawn) -> io::Result<()> {
        // A blank for the cursor.
        let mut lines = vec![self.line(edit) + " "];
        for (at, row) in self.rows(&edit.text()).iter().enumerate() {
            let mark = if marked == Some(at) { ">" } else { " " };
            lines.push(format!("{} {row}", self.colors.marked(mark)));
        }
        lines.push(self.colors.dim(&format!("[{}]", self.help)));
        let below: u16 = lines.iter().map(|line| rows(line)).sum();

        let mut out = stderr().lock();
        go_to_start(&mut out, drawn)?;
        write!(out, "{}", lines.join("\r\n"))?;
        let (row, column) = place(&(self.before() + &edit.before_cursor()), edit.at_cursor());
        drawn.row = row;
        queue!(out, MoveUp(below - 1 - row), MoveToColumn(column))?;
        out.flush()
    }

    fn finish(&self, line: &str, drawn: &mut Drawn) -> io::Result<()> {
        let mut out = stderr().lock();
        go_to_start(&mut out, drawn)?;
        write!(out, "{line}\r\n")?;
        out.flush()
    }
}

fn go_to_start(out: &mut impl Write, drawn: &Drawn) -> io::Result<()> {
    if drawn.row > 0 {
        // Terminals take 0 for 1.
        queue!(out, MoveUp(drawn.row))?;
    }
    queue!(out, MoveToColumn(0), Clear(ClearType::FromCursorDown))
}
