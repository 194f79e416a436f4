//! Questions, and what is answered.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<T> {
    Answer(T),
    /// To the question before.
    Back,
}

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
