//! How names and paths are written in messages.

use std::fmt::Display;
use std::path::Path;

/// A path as one would type it in a shell.
pub fn quote(path: &Path) -> String {
    let path = path.to_string_lossy();
    shlex::try_quote(&path).map_or_else(|_| path.to_string(), |quoted| quoted.into_owned())
}

pub fn quoted_list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<_> = items.into_iter().map(|item| format!("`{item}`")).collect();
    items.join(", ")
}

/// The one that was meant, most likely.
pub fn similar<'a>(value: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let similarity = |name: &str| strsim::jaro_winkler(&value.to_lowercase(), &name.to_lowercase());
    let best = known.max_by(|a, b| similarity(a).total_cmp(&similarity(b)))?;
    (similarity(best) > 0.7).then_some(best)
}

/// A quoted TOML string, always in double quotes.
pub fn toml_string(text: &str) -> String {
    // JSON's escapes are a subset of TOML's, and answers hold no control characters.
    serde_json::Value::from(text).to_string()
}
