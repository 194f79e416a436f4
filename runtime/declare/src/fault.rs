//! Errors in signatures.

/// A problem at a place of a signature, and the fix.
pub struct Fault {
    /// Letters before it.
    pub at: usize,
    pub problem: String,
    pub hint: String,
}

impl Fault {
    pub fn new(at: usize, problem: impl Into<String>, hint: impl Into<String>) -> Self {
        let (problem, hint) = (problem.into(), hint.into());
        Self { at, problem, hint }
    }
}
