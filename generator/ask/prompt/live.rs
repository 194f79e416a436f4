//! Says below a line of text, while it is typed, what is wrong with it and what would be right.

use std::cell::RefCell;
use std::rc::Rc;

use inquire::CustomUserError;
use inquire::autocompletion::{Autocomplete, Replacement};

use super::question::Refusal;
use crate::error::Result;
use crate::tell::{BAD, GOOD, styled};

/// The rows below the line are suggestions to `inquire`: Tab takes the one that would be right.
#[derive(Clone)]
pub struct Live<'a> {
    check: &'a dyn Fn(&str) -> Result<(), Refusal>,
    color: bool,
    /// What was typed last; `inquire` takes a clone of this value away.
    line: Rc<RefCell<String>>,
}

impl<'a> Live<'a> {
    pub fn new(check: &'a dyn Fn(&str) -> Result<(), Refusal>, color: bool) -> Self {
        let line = Rc::default();
        Self { check, color, line }
    }

    /// The rows below a line; none when it is good, or not begun.
    fn rows(&self, line: &str) -> Vec<String> {
        let refusal = match line {
            "" => return Vec::new(),
            line => (self.check)(line).err(),
        };
        let Some(Refusal { problem, instead }) = refusal else {
            return Vec::new();
        };
        let mark = |style, mark: &str| match self.color {
            true => styled(style, mark),
            false => mark.to_owned(),
        };
        let problem = format!("{} {problem}", mark(BAD, "✗"));
        let instead = instead.map(|name| format!("{} {name}", mark(GOOD, "→ tab:")));
        [problem].into_iter().chain(instead).collect()
    }

    /// What an answer stands for: choosing a row says that it should be what would be right.
    pub fn meaning(&self, answer: &str) -> String {
        let line = self.line.borrow();
        match self.rows(&line).iter().any(|row| row == answer) {
            true => self.instead(&line).unwrap_or_else(|| line.clone()),
            false => answer.to_owned(),
        }
    }

    fn instead(&self, line: &str) -> Option<String> {
        (self.check)(line).err().and_then(|it| it.instead)
    }
}

impl Autocomplete for Live<'_> {
    fn get_suggestions(&mut self, line: &str) -> Result<Vec<String>, CustomUserError> {
        *self.line.borrow_mut() = line.to_owned();
        Ok(self.rows(line))
    }

    fn get_completion(
        &mut self,
        line: &str,
        _: Option<String>,
    ) -> Result<Replacement, CustomUserError> {
        Ok(self.instead(line))
    }
}
