//! Text of the user that ends up in TOML, Python, Rust, Markdown and license files.

use crate::error::{Error, Result};
use crate::wording::hidden;

/// PyPI takes no longer summaries.
pub const SUMMARY: usize = 512;

/// A single line of printable text, without blanks around it.
pub fn one_line(option: &'static str, text: &str, longest: usize) -> Result<String> {
    let text = text.trim();
    if let Some(c) = text.chars().find(|&c| hidden(c)) {
        return Err(Error::option(
            option,
            format!("holds the character `{}`", c.escape_unicode()),
            "give it as one line of plain text",
        ));
    }
    let length = text.chars().count();
    if length > longest {
        return Err(Error::option(
            option,
            format!("has {length} characters"),
            format!("{longest} are allowed"),
        ));
    }
    Ok(text.to_owned())
}

pub fn description(text: &str) -> Result<String> {
    let text = one_line("--description", text, SUMMARY)?;
    match hiding(&text) {
        None => Ok(text),
        Some(what) => Err(Error::option(
            "--description",
            format!("holds `{what}`, which would hide the rest of a README"),
            "leave it out",
        )),
    }
}

/// Elements of HTML whose contents Markdown does not show as they are.
const HIDING: [&str; 12] = [
    "details",
    "iframe",
    "noembed",
    "noframes",
    "plaintext",
    "pre",
    "script",
    "style",
    "template",
    "textarea",
    "title",
    "xmp",
];

/// Returns a part by which Markdown begins a comment, code or such an element.
fn hiding(text: &str) -> Option<&str> {
    let fence = ["```", "~~~"]
        .into_iter()
        .find(|fence| text.starts_with(fence));
    let open = |(at, _): (usize, &str)| {
        let rest = &text[at + 1..];
        let word = |rest: &str| {
            rest.find(|c: char| !c.is_ascii_alphanumeric())
                .unwrap_or(rest.len())
        };
        let length = match rest.chars().next()? {
            '?' => 1,
            '!' if rest.starts_with("!--") => 3,
            '!' => 1 + word(&rest[1..]),
            _ => word(rest),
        };
        let name = rest[..length].to_ascii_lowercase();
        let hides = name.starts_with(['!', '?']) || HIDING.contains(&name.as_str());
        hides.then_some(&text[at..=at + length])
    };
    fence.or_else(|| text.match_indices('<').find_map(open))
}

/// Mail servers take no longer addresses.
pub const ADDRESS: usize = 254;

/// An address of the form `name@domain`, or nothing: enough for the metadata of Python packages.
pub fn email(text: &str) -> Result<String> {
    let text = one_line("--email", text, ADDRESS)?;
    let is_mark = |c: char| c.is_whitespace() || "()<>[]:;,\\\"".contains(c);
    let is_one = text.matches('@').count() == 1 && !text.contains(is_mark);
    if text.is_empty() || is_one && !text.split(['@', '.']).any(str::is_empty) {
        return Ok(text);
    }
    Err(Error::option(
        "--email",
        format!("`{}` is not an address", text.escape_debug()),
        "such as `--email ada@example.org`, or `--email \"\"` for none",
    ))
}

/// The name of a person or group, as the metadata of Python packages allows it.
pub fn author(text: &str) -> Result<String> {
    let text = one_line("--author", text, SUMMARY)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_nobody_sees() {
        for c in [
            '\n', '\u{7f}', '\u{85}', '\u{2028}', '\u{2029}', '\u{202a}', '\u{202e}', '\u{2066}',
            '\u{2067}', '\u{2068}', '\u{2069}', '\u{feff}',
        ] {
            assert!(
                one_line("--author", &format!("a{c}b"), 512).is_err(),
                "{c:?}"
            );
        }
        for c in ['\u{2027}', '\u{202f}', '\u{2065}', '\u{206a}', 'é', '🚀'] {
            assert!(
                one_line("--author", &format!("a{c}b"), 512).is_ok(),
                "{c:?}"
            );
        }
    }

    #[test]
    fn addresses() {
        for text in [
            "",
            "a@b",
            "ada.l+x@example.org",
            "ü@bücher.example",
            "o'neil@x-y.org",
        ] {
            assert_eq!(email(text).unwrap(), text);
        }
        for text in [
            "a",
            "@b",
            "a@",
            "a b@c",
            "root@(none)",
            "<a@b>",
            "a@b..c",
            "a..b@c",
            "a\"@b",
        ] {
            assert!(email(text).is_err(), "{text}");
        }
    }

    #[test]
    fn as_long_as_pypi_takes_it() {
        assert!(description(&"é".repeat(512)).is_ok());
        assert!(description(&"é".repeat(513)).is_err());
    }
}
