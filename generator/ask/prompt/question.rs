//! Questions, and those who answer them.

use crate::error::Result;

/// Someone who answers questions: a person at a terminal, or a test.
pub trait Prompt {
    /// Asks for a line of text.
    fn line(&mut self, question: &Line) -> Result<Reply<String>>;

    /// Asks for one of several options, and gives its index.
    fn choice(&mut self, question: &Choice) -> Result<Reply<usize>>;

    /// Shows something that stays, and that going back does not remove.
    fn show(&mut self, text: &str) -> Result<()>;

    /// Removes the answers that were given so far from sight: the first question comes next.
    fn restart(&mut self) -> Result<()>;

    /// How many characters a line has room for.
    fn columns(&self) -> usize;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<T> {
    Answer(T),
    /// To the question before.
    Back,
}

/// A question that is answered with a line of text.
pub struct Line<'a> {
    pub message: &'a str,
    /// Topic of the question; the prompt itself says which keys there are.
    pub help: &'a str,
    /// The answer to an empty line.
    pub default: String,
    /// Text to edit: the answer that was given before.
    pub start: String,
    /// Checks an answer. Called while the user types.
    pub check: &'a dyn Fn(&str) -> Result<(), Refusal>,
}

/// Why an answer is not good, and what would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub problem: String,
    pub instead: Option<String>,
}

/// A question that is answered by choosing.
pub struct Choice<'a> {
    /// Shown above the question for as long as it is asked.
    pub above: &'a str,
    pub message: &'a str,
    pub help: &'a str,
    pub options: Vec<Choosable<'a>>,
    /// Index of the option that is marked at first.
    pub start: usize,
}

pub struct Choosable<'a> {
    pub name: &'a str,
    /// One line about it, or nothing.
    pub summary: &'a str,
}
