//! Says below a line of text, while it is typed, what is wrong with it and what would be right.

use super::question::Refusal;
use crate::tell::{BAD, GOOD, styled};

#[derive(Clone)]
pub struct Live<'a> {
    check: &'a dyn Fn(&str) -> Result<(), Refusal>,
    color: bool,
}

impl<'a> Live<'a> {
    pub fn new(check: &'a dyn Fn(&str) -> Result<(), Refusal>, color: bool) -> Self {
        Self { check, color }
    }

    /// The rows below a line; none when it is good, or not begun.
    pub fn rows(&self, line: &str) -> Vec<String> {
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

    pub fn instead(&self, line: &str) -> Option<String> {
        (self.check)(line).err().and_then(|it| it.instead)
    }
}
