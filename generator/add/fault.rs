//! Errors in signatures.

use crate::error::Error;

/// A place in a signature, and what is wrong there.
pub struct Fault {
    pub at: usize,
    pub problem: String,
    pub hint: String,
}

impl Fault {
    pub fn new(at: usize, problem: impl Into<String>, hint: impl Into<String>) -> Self {
        let (problem, hint) = (problem.into(), hint.into());
        Self { at, problem, hint }
    }

    /// The error, with a mark under the place.
    pub fn of(self, text: &str) -> Error {
        Error::Signature {
            text: text.to_owned(),
            at: self.at,
            problem: self.problem,
            hint: self.hint,
        }
    }
}
