//! Errors in signatures, and names in their messages.

use std::fmt::Display;

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

pub fn quoted_list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<_> = items.into_iter().map(|item| format!("`{item}`")).collect();
    items.join(", ")
}

/// The one that was meant, most likely: with a slip or two in it, or its end missing.
pub fn similar<'a>(value: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let value = value.to_lowercase();
    // Another digit is another version, not a slip; 12.4 is of 12.
    if value.starts_with(|c: char| c.is_ascii_digit()) {
        let major = value.split('.').next();
        return { known }.find(|name| major == Some(name));
    }
    let slips = |name: &str| {
        let name = name.to_lowercase();
        // The first letter is seldom wrong, and tells GPL and MPL apart.
        if name.chars().next() != value.chars().next() {
            return None;
        }
        let begun = value.len() > 1 && name.starts_with(&value);
        let slips = strsim::damerau_levenshtein(&name, &value);
        (begun || slips <= 1 + value.len() / 6).then_some(slips)
    };
    let near = known.filter_map(|name| Some((slips(name)?, name)));
    near.min_by_key(|(slips, _)| *slips).map(|(_, name)| name)
}
