//! Documentation as it is written: text, with lines such as `x: samples in volts` for arguments and results.

use crate::derivative::{Fault, Written};

/// The documentation of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Doc {
    /// Description of the whole function.
    pub text: String,
    /// Description of each argument and result; empty for those without a line.
    pub of: Vec<String>,
}

/// Takes the documentation of a function apart, whose arguments and results have these names. A line for a name may go on
/// in lines that are indented.
///
/// # Errors
/// For a name that is no argument or result, and for one that is there twice; with the byte where it is.
pub fn read(written: &str, function: &str, declared: &[&str]) -> Result<Doc, Fault> {
    let mut doc = Doc {
        text: String::new(),
        of: vec![String::new(); declared.len()],
    };
    let margin = margin(written);
    let mut about = Vec::new(); // the names that the line before is about
    for line in written.lines() {
        let own = line.trim_start();
        let indent = (line.len() - own.len()).saturating_sub(margin);
        match named(own).filter(|(names, _)| indent == 0 && !is_text(function, declared, names)) {
            Some((names, text)) => {
                let of_name = |name| of_name(written, declared, &doc, name);
                about = names.split(", ").map(of_name).collect::<Result<_, _>>()?;
                about.iter().for_each(|it| doc.of[*it].push_str(text));
            }
            None if indent > 0 && !about.is_empty() => {
                let add = |it: &usize| doc.of[*it].extend(["\n", own.trim_end()]);
                about.iter().for_each(add);
            }
            None if own.is_empty() && (doc.text.is_empty() || doc.text.ends_with("\n\n")) => {
                about.clear(); // the blank line before is that behind, too
            }
            None => {
                about.clear();
                doc.text.extend([&" ".repeat(indent), own, "\n"]);
            }
        }
    }
    doc.text.truncate(doc.text.trim_end().len());
    Ok(doc)
}

/// By how much all lines but the first are indented, as where a text is within a struct.
fn margin(text: &str) -> usize {
    let lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let indents = lines.map(|line| line.len() - line.trim_start().len());
    indents.min().unwrap_or(0)
}

/// The names, and what is said of them, in `x: text` and `x, y: text`.
fn named(line: &str) -> Option<(&str, &str)> {
    let (names, text) = line.split_once(": ")?;
    let names = names.trim_end();
    let are_names = names.split(", ").all(is_identifier);
    are_names.then(|| (names, text.trim()))
}

/// Checks whether it is a word of a text: the function itself, or a capitalized one as in `Note: …`
/// that names no argument.
fn is_text(function: &str, declared: &[&str], word: &str) -> bool {
    let is_capital = |name: &str| name.starts_with(char::is_uppercase);
    let mut names = declared.iter();
    word == function
        || is_capital(word) && !names.any(|it| is_capital(it) || it.eq_ignore_ascii_case(word))
}

/// The argument or result of this name, which is a part of the documentation.
fn of_name(written: &str, declared: &[&str], doc: &Doc, name: &str) -> Result<usize, Fault> {
    let names = declared
        .iter()
        .map(|it| if it.is_empty() { "out" } else { it });
    let mut found = names.clone().enumerate().filter(|(_, it)| *it == name);
    let fault = match (found.next(), found.next()) {
        (Some((index, _)), None) if doc.of[index].is_empty() => return Ok(index),
        (Some(_), None) => format!("`{name}` is described twice"),
        (Some(_), Some(_)) => "`out` is several results, which have no names".to_owned(),
        (None, _) => {
            let known: Vec<_> = names.map(|it| format!("`{it}`")).collect();
            let known = known.join(", ");
            format!("`{name}` is no argument or result; those are {known}")
        }
    };
    let at = name.as_ptr().addr() - written.as_ptr().addr();
    Err(Written(fault, at))
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
    fn doc(written: &str) -> Result<Doc, Fault> {
        read(written, "f", &["x", "scale", ""])
    }

    #[test]
    fn lines_of_names_are_lines_of_arguments() {
        let read =
            doc("What it does.\n\nx: samples,\n   in volts\nout : the sum\n\nMore, at `a::b`.");
        let read = read.unwrap();
        assert_eq!(read.text, "What it does.\n\nMore, at `a::b`.");
        assert_eq!(read.of, ["samples,\nin volts", "", "the sum"]);
        let read = doc(
            "f: what it does.\n\n    Note: no line of a name.\n      x: an example\n    x, scale: both",
        );
        let read = read.unwrap();
        assert_eq!(
            read.text,
            "f: what it does.\n\nNote: no line of a name.\n  x: an example"
        );
        assert_eq!(read.of, ["both", "both", ""]);
        assert_eq!(doc("").unwrap().text, "");
    }

    #[test]
    fn other_names_are_faults_with_a_place() {
        let known = "is no argument or result; those are `x`, `scale`, `out`";
        let fault = |name: &str, at| Err(Written(format!("`{name}` {known}"), at));
        assert_eq!(doc("Sum.\n\nx: it\nscal: by it"), fault("scal", 12));
        assert_eq!(doc("Sum.\n\nx, y: it"), fault("y", 9));
        assert_eq!(doc("Sum.\n\nScale: by it"), fault("Scale", 6));
        let twice = Written("`x` is described twice".to_owned(), 12);
        assert_eq!(doc("Sum.\n\nx: it\nx: by it"), Err(twice));
        assert!(read("Sum.\n\nY: it", "f", &["X"]).is_err());
        assert!(read("out: both", "f", &["", ""]).is_err());
    }

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
