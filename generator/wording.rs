//! How names and paths are written in messages.

use std::borrow::Cow;
use std::path::Path;

pub use cuvec_declare::fault::{quoted_list, similar};

/// Beginning of each comment of `adopt` on something that is not known.
pub const MARK: &str = "// adopt: ";

/// A path as one would type it in a shell.
pub fn quote(path: &Path) -> String {
    let path = path.to_string_lossy();
    // A path that begins with `-` would be an option.
    let path = match path.starts_with('-') {
        true => Cow::Owned(format!("./{path}")),
        false => path,
    };
    quote_word(&path)
}

/// A word as one would type it in a shell.
pub fn quote_word(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}

/// Control characters, line and paragraph separators, and those that reorder text. rustc refuses the latter in
/// comments, since they can make code look like something else.
pub fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// Text of others for the terminal: its lines, and nothing that moves the cursor or reorders letters.
pub fn shown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            '\n' => shown.push(c),
            '\t' => shown.push(' '),
            c if hidden(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

/// A quoted TOML string, always in double quotes.
pub fn toml_string(text: &str) -> String {
    // JSON's escapes are a subset of TOML's, and answers hold no control characters.
    serde_json::Value::from(text).to_string()
}
