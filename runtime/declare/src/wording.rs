//! Names, and how messages show them.

use std::fmt::Display;

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

const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Checks whether something can have this name in Python.
pub fn is_identifier(name: &str) -> bool {
    let is_letter = |letter: char| letter == '_' || letter.is_alphabetic();
    name.starts_with(is_letter)
        && name
            .chars()
            .all(|letter| is_letter(letter) || letter.is_numeric())
        && !KEYWORDS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_that_python_does_not_use() {
        for name in ["x", "_", "T2", "match", "print", "largest_value", "ß"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["", "2x", "in", "None", "lambda", "r#type", "a b", "x-y"] {
            assert!(!is_identifier(name), "{name}");
        }
    }
}
