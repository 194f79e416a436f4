//! Text of the user that ends up in TOML, Python, Rust, Markdown and license files.

use crate::error::{Error, Result};

/// PyPI takes no longer summaries.
const MAX_LENGTH: usize = 512;

/// A single line of printable text, without blanks around it.
pub fn one_line(option: &'static str, text: &str) -> Result<String> {
    let text = text.trim();
    if let Some(c) = text.chars().find(|&c| unprintable(c)) {
        return Err(Error::option(
            option,
            format!("holds the character `{}`", c.escape_unicode()),
            "give it as one line of plain text",
        ));
    }
    let length = text.chars().count();
    if length > MAX_LENGTH {
        return Err(Error::option(
            option,
            format!("has {length} characters"),
            format!("{MAX_LENGTH} are allowed"),
        ));
    }
    Ok(text.to_owned())
}

/// What PyPI and the README say of the package.
pub fn description(text: &str) -> Result<String> {
    one_line("--description", text)
}

/// The name of a person or group, as the metadata of Python packages allows it.
pub fn author(text: &str) -> Result<String> {
    let text = one_line("--author", text)?;
    let problem = match text.as_str() {
        "" => "is empty",
        text if text.contains(',') => "holds a comma, which would separate two authors",
        text if text.contains(['<', '>', '@']) => "holds an email address",
        _ => return Ok(text),
    };
    Err(Error::option(
        "--author",
        problem,
        "such as `--author 'Ada Lovelace' --email ada@example.org`",
    ))
}

/// Control characters, line and paragraph separators, and those that reorder text: rustc refuses the latter in
/// comments, since they can make code look like something else.
fn unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}
