//! Email addresses, strict enough for the metadata of a Python package.

use super::text;
use crate::error::{Error, Result};

/// Mail servers take no longer ones.
pub const LONGEST: usize = 254;

/// An address of the form `name@domain`, or nothing.
pub fn parse(text: &str) -> Result<String> {
    let text = text::one_line("--email", text, LONGEST)?;
    let text = text.as_str();
    if text.is_empty() || is_address(text) {
        return Ok(text.to_owned());
    }
    Err(Error::option(
        "--email",
        format!("`{}` is not an address", text.escape_debug()),
        "such as `--email ada@example.org`, or `--email \"\"` for none",
    ))
}

fn is_address(text: &str) -> bool {
    let Some((name, domain)) = text.rsplit_once('@') else {
        return false;
    };
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !r#"()<>[]:;,\"@"#.contains(c);
    let label = |label: &str| {
        let inner = |c: char| c.is_alphanumeric() || c == '-';
        !label.is_empty() && label.chars().all(inner)
    };
    let name_ok = name
        .split('.')
        .all(|part| !part.is_empty() && part.chars().all(plain));
    name_ok && domain.split('.').all(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for address in [
            "a@b",
            "ada.l+x@example.org",
            "ü@bücher.example",
            "o'neil@x-y.org",
        ] {
            assert_eq!(parse(address).unwrap(), address);
        }
        assert_eq!(parse("").unwrap(), "");
    }

    #[test]
    fn no_addresses() {
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
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
