//! The prompt at a real terminal. It writes to stderr, so that stdout holds results only.

use std::io::{Write, stderr};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use crossterm::cursor::MoveToPreviousLine;
use crossterm::execute;
use crossterm::terminal::{self, Clear, ClearType};
use inquire::list_option::ListOption;
use inquire::ui::{Attributes, Color, RenderConfig, StyleSheet, Styled};
use inquire::{InquireError, Select, Text};
use unicode_width::UnicodeWidthStr;

use super::live::Live;
use super::{Choice, Choosable, Line, Prompt, Reply};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::shell::{DIM, styled};

const BACK: &str = "back";
/// Columns of a terminal that does not say how many it has.
const COLUMNS: u16 = 80;
const ROWS: u16 = 24;

pub struct Terminal {
    color: bool,
    /// Rows on the screen of every answered question, so that going back can remove them.
    answered: Vec<u16>,
}

impl Terminal {
    pub fn new() -> Self {
        Self {
            color: AutoStream::choice(&stderr()) != ColorChoice::Never,
            answered: Vec::new(),
        }
    }

    /// Runs a prompt; a signal meanwhile leaves the terminal as it was.
    fn ask<T>(&mut self, prompt: impl FnOnce() -> Result<T, InquireError>) -> Result<Reply<T>> {
        match interrupt::at_prompt(prompt) {
            Ok(answer) => Ok(Reply::Answer(answer)),
            Err(InquireError::OperationCanceled) => Ok(Reply::Back),
            Err(InquireError::OperationInterrupted) => {
                // The line about the keys, where the cursor is now.
                execute!(stderr(), Clear(ClearType::FromCursorDown)).map_err(ask_error)?;
                Err(Error::Interrupted { hint: None })
            }
            Err(error) => Err(Error::Ask(error.to_string())),
        }
    }

    /// Removes a cancelled question, and the answered one before it, which is asked again.
    fn go_back(&mut self, message: &str, above: u16) -> Result<()> {
        let before = self.answered.pop().unwrap_or_default();
        erase(rows(message, BACK) + above + before)
    }

    /// What a question is about, and the keys.
    fn help(&self, text: &str, keys: &str) -> String {
        let leave = match self.answered.is_empty() {
            true => "ctrl-c quits",
            false => "esc goes back",
        };
        let keys = format!("{keys}, {leave}");
        // In brackets.
        let room = self.columns().saturating_sub(2);
        match format!("{text}; {keys}") {
            both if !text.is_empty() && both.width() <= room => both,
            _ => shortened(&keys, room),
        }
    }

    fn look(&self) -> RenderConfig<'static> {
        let config = match self.color {
            true => RenderConfig::default_colored()
                .with_help_message(StyleSheet::new().with_fg(Color::DarkGrey))
                .with_default_value(StyleSheet::new().with_fg(Color::DarkGrey)),
            false => RenderConfig::empty(),
        };
        let bold = match self.color {
            true => StyleSheet::new().with_attr(Attributes::BOLD),
            false => StyleSheet::empty(),
        };
        RenderConfig {
            prompt: bold,
            answered_prompt_prefix: Styled::new("✓").with_style_sheet(config.prompt_prefix.style),
            canceled_prompt_indicator: Styled::new(BACK),
            ..config
        }
    }
}

impl Prompt for Terminal {
    fn line(&mut self, question: &Line) -> Result<Reply<String>> {
        let mut start = question.start.clone();
        let help = self.help(question.help, "enter accepts");
        loop {
            let live = Live::new(question.check, self.color);
            let meaning = |answer: &str| match answer {
                "" => question.default.clone(),
                answer => live.meaning(answer),
            };
            let text = Text::new(question.message)
                .with_help_message(&help)
                .with_autocomplete(live.clone())
                .with_formatter(&meaning)
                .with_render_config(self.look());
            let text = match start.as_str() {
                "" => text.with_default(&question.default),
                start => text.with_initial_value(start),
            };
            let Reply::Answer(answer) = self.ask(|| text.prompt())? else {
                self.go_back(question.message, 0)?;
                return Ok(Reply::Back);
            };
            let answer = meaning(&answer);
            let rows = rows(question.message, &answer);
            if (question.check)(&answer).is_ok() {
                self.answered.push(rows);
                return Ok(Reply::Answer(answer));
            }
            // Again, with what is wrong below it.
            erase(rows)?;
            start = answer;
        }
    }

    fn choice(&mut self, question: &Choice) -> Result<Reply<usize>> {
        let help = self.help(question.help, "↑↓ move, enter accepts");
        let above = self.print_above(question.above)?;
        let lines = terminal::size().map_or(ROWS, |(_, lines)| lines);
        let name = |option: ListOption<&String>| question.options[option.index].name.to_owned();
        let select = Select::new(question.message, self.options(&question.options))
            .with_help_message(&help)
            .with_starting_cursor(question.start)
            .with_page_size(usize::from(lines.saturating_sub(4).max(2)))
            .without_filtering()
            .with_formatter(&name)
            .with_render_config(self.look());
        let reply = self.ask(|| select.raw_prompt())?;
        Ok(match reply {
            Reply::Answer(option) => {
                let name = question.options[option.index].name;
                self.answered.push(above + rows(question.message, name));
                Reply::Answer(option.index)
            }
            Reply::Back => {
                self.go_back(question.message, above)?;
                Reply::Back
            }
        })
    }

    fn show(&mut self, text: &str) -> Result<()> {
        self.answered.clear();
        print(text)
    }

    fn restart(&mut self) -> Result<()> {
        erase(self.answered.drain(..).sum())
    }

    fn columns(&self) -> usize {
        terminal::size()
            .map_or(COLUMNS, |(columns, _)| columns.max(1))
            .into()
    }
}

impl Terminal {
    /// Prints text above a question, and gives the rows that it takes.
    fn print_above(&mut self, text: &str) -> Result<u16> {
        if text.is_empty() {
            return Ok(0);
        }
        print(text)?;
        let text = strip_str(text).to_string();
        Ok(text.lines().map(|line| line_rows(line.width())).sum())
    }

    /// A row for each option: its name and, as far as there is room, what it is.
    fn options(&self, options: &[Choosable]) -> Vec<String> {
        let width = options.iter().map(|it| it.name.width()).max().unwrap_or(0);
        // Before them a mark and a blank, between them two.
        let room = self.columns().saturating_sub(width + 4);
        let row = |option: &Choosable| {
            let summary = shortened(option.summary, room);
            let summary = match self.color {
                true => styled(DIM, summary),
                false => summary,
            };
            format!("{:width$}  {summary}", option.name)
        };
        options.iter().map(row).collect()
    }
}

/// The beginning of a line, with `…` where something was left out.
fn shortened(line: &str, room: usize) -> String {
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
fn rows(message: &str, answer: &str) -> u16 {
    line_rows(2 + message.width() + 1 + answer.width())
}

fn line_rows(width: usize) -> u16 {
    let columns = terminal::size().map_or(COLUMNS, |(columns, _)| columns.max(1));
    u16::try_from(width.div_ceil(usize::from(columns)).max(1)).unwrap_or(u16::MAX)
}

fn print(text: &str) -> Result<()> {
    writeln!(anstream::stderr(), "{text}").map_err(ask_error)
}

/// Removes the last rows above the cursor.
fn erase(rows: u16) -> Result<()> {
    if rows == 0 {
        // Terminals take 0 for 1.
        return Ok(());
    }
    execute!(
        stderr(),
        MoveToPreviousLine(rows),
        Clear(ClearType::FromCursorDown)
    )
    .map_err(ask_error)
}

fn ask_error(error: std::io::Error) -> Error {
    Error::Ask(error.to_string())
}
