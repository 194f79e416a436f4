//! The prompt at a real terminal. It writes to stderr, so that stdout holds results only.

use std::io::stderr;
use std::process;

use anstream::{AutoStream, ColorChoice};
use crossterm::cursor::{MoveToNextLine, Show};
use crossterm::event::DisableBracketedPaste;
use crossterm::execute;
use crossterm::terminal::{Clear, ClearType, disable_raw_mode};
use inquire::list_option::ListOption;
use inquire::{InquireError, Select};
use unicode_width::UnicodeWidthStr;

use super::line::{End, LinePrompt};
use super::look::{BACK, Colors, look};
use super::question::{Choice, Choosable, Line, Reply};
use super::screen::{clear_below, erase, print, rows, shortened, size};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::tell::DIM;

pub struct Terminal {
    colors: Colors,
    /// Rows on the screen of every answered question, so that going back can remove them.
    answered: Vec<u16>,
    /// How many questions were answered before that, and stay where they are.
    scrolled: usize,
}

impl Terminal {
    pub fn new() -> Self {
        Self {
            colors: Colors(AutoStream::choice(&stderr()) != ColorChoice::Never),
            answered: Vec::new(),
            scrolled: 0,
        }
    }

    /// Runs a prompt; a signal meanwhile leaves the terminal as it was.
    fn ask<T>(&mut self, prompt: impl FnOnce() -> Result<T, InquireError>) -> Result<Reply<T>> {
        match interrupt::while_waiting(leave, prompt) {
            Ok(answer) => Ok(Reply::Answer(answer)),
            Err(InquireError::OperationCanceled) => Ok(Reply::Back),
            Err(InquireError::OperationInterrupted) => {
                // The line about the keys, where the cursor is now.
                clear_below()?;
                Err(Error::Interrupted { hint: None })
            }
            Err(error) => Err(Error::ask(error)),
        }
    }

    /// Removes a cancelled question, and the answered one before it, which is asked again.
    fn go_back(&mut self, message: &str, above: u16) -> Result<()> {
        let before = self.answered.pop().unwrap_or_else(|| {
            self.scrolled = self.scrolled.saturating_sub(1);
            0
        });
        erase(answered(message, BACK) + above + before)
    }

    fn help(&self, text: &str, keys: &str) -> String {
        let leave = match self.answered.is_empty() && self.scrolled == 0 {
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
}

fn answered(message: &str, answer: &str) -> u16 {
    rows(&format!("✓ {message} {answer}"))
}

/// Ends the process, and leaves a usable terminal.
fn leave() -> ! {
    // The terminal may be gone already.
    let _ = disable_raw_mode();
    let _ = execute!(
        stderr(),
        Show,
        DisableBracketedPaste,
        MoveToNextLine(1),
        Clear(ClearType::FromCursorDown)
    );
    let error = Error::Interrupted { hint: None };
    error.print();
    process::exit(error.exit_code().into())
}

impl Terminal {
    pub fn line(&mut self, question: &Line) -> Result<Reply<String>> {
        let mut start = question.start.clone();
        let help = self.help(question.help, "enter accepts");
        loop {
            let prompt = LinePrompt {
                question,
                help: &help,
                start: &start,
                colors: self.colors,
            };
            let end = interrupt::while_waiting(leave, || prompt.ask());
            let answer = match end.map_err(Error::ask)? {
                End::Answer(answer) => answer,
                End::Back => {
                    self.go_back(question.message, 0)?;
                    return Ok(Reply::Back);
                }
                End::Interrupted => return Err(Error::Interrupted { hint: None }),
            };
            let rows = answered(question.message, &answer);
            if (question.check)(&answer).is_ok() {
                self.answered.push(rows);
                return Ok(Reply::Answer(answer));
            }
            // Again, with what is wrong below it.
            erase(rows)?;
            start = answer;
        }
    }

    /// Asks for one of several options, and gives its index.
    pub fn choice(&mut self, question: &Choice) -> Result<Reply<usize>> {
        let help = self.help(question.help, "↑↓ move, enter accepts");
        let above = self.print_above(question.above)?;
        let name = |option: ListOption<&String>| question.options[option.index].name.to_owned();
        let select = Select::new(question.message, self.options(&question.options))
            .with_help_message(&help)
            .with_starting_cursor(question.start)
            .with_page_size(usize::from(size().1.saturating_sub(4).max(2)))
            .without_filtering()
            .with_formatter(&name)
            .with_render_config(look(self.colors.0));
        let reply = self.ask(|| select.raw_prompt())?;
        Ok(match reply {
            Reply::Answer(option) => {
                let name = question.options[option.index].name;
                self.answered.push(above + answered(question.message, name));
                Reply::Answer(option.index)
            }
            Reply::Back => {
                self.go_back(question.message, above)?;
                Reply::Back
            }
        })
    }

    /// Shows something that stays, and that going back does not remove.
    pub fn show(&mut self, text: &str) -> Result<()> {
        // The last one is asked again.
        self.scrolled += self.answered.len().saturating_sub(1);
        self.answered.clear();
        print(text)
    }

    /// Removes the answers that were given so far from sight: the first question comes next.
    pub fn restart(&mut self) -> Result<()> {
        self.scrolled = 0;
        erase(self.answered.drain(..).sum())
    }

    /// How many characters a line has room for.
    pub fn columns(&self) -> usize {
        size().0.into()
    }

    /// Prints text above a question, and gives the rows that it takes.
    fn print_above(&mut self, text: &str) -> Result<u16> {
        if text.is_empty() {
            return Ok(0);
        }
        print(text)?;
        Ok(text.lines().map(rows).sum())
    }

    /// A row for each option: its name and, as far as there is room, what it is.
    fn options(&self, options: &[Choosable]) -> Vec<String> {
        let width = options.iter().map(|it| it.name.width()).max().unwrap_or(0);
        // Before them a mark and a blank, between them two.
        let room = self.columns().saturating_sub(width + 4);
        let row = |option: &Choosable| {
            let summary = shortened(option.summary, room);
            let summary = self.colors.style(DIM, &summary);
            format!("{:width$}  {summary}", option.name)
        };
        options.iter().map(row).collect()
    }
}
