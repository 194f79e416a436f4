//! Names in Python.

const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Checks whether something can have this name in Python.
#[must_use]
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
