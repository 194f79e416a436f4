//! From text with tokens to Liquid, the template language of `cargo generate`.

use std::borrow::Cow;

use super::placeholders::{END, START};
use crate::answers::PythonVersion;

/// Checks whether `cargo generate` has something to fill in.
pub fn is_template(text: &str) -> bool {
    text.contains(START)
}

/// Replaces every token by an expression, and keeps everything else from being one.
pub fn template(text: &str) -> String {
    let text = literal(text);
    let mut parts = text.split(START);
    let mut template = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (token, rest) = part.split_once(END).unwrap_or((part, ""));
        template += &match token.strip_prefix(r#"\""#) {
            Some(key) => escaped(key),
            None => plain(token.trim_start_matches('"')),
        };
        template += rest;
    }
    template
}

/// Liquid that prints the text as it is.
fn literal(text: &str) -> Cow<'_, str> {
    if !text.contains("{{") && !text.contains("{%") {
        return Cow::Borrowed(text);
    }
    // A string of one brace: Liquid looks for the two.
    let text = text.replace("{{", "\u{E002}{").replace("{%", "\u{E002}%");
    Cow::Owned(text.replace('\u{E002}', r#"{{"{"}}"#))
}

fn plain(key: &str) -> String {
    match key {
        "name" => "{{project-name}}".to_owned(),
        "module" => "{{crate_name}}".to_owned(),
        "year" => r#"{{"now" | date: "%Y"}}"#.to_owned(),
        "python_tag" => r#"{{python | remove: "."}}"#.to_owned(),
        "python_classifiers" => classifiers(),
        "authors" => authors(),
        key => format!("{{{{{key}}}}}"),
    }
}

/// Text inside double quotes, of TOML or of Python.
fn escaped(key: &str) -> String {
    let key = match key {
        "name" => "project-name",
        "module" => "crate_name",
        key => key,
    };
    // Liquid's strings know no escapes: what is between the quotes is meant.
    format!(r#"{{{{{key} | replace: '\', '\\' | replace: '"', '\"'}}}}"#)
}

fn authors() -> String {
    let (author, email) = (escaped("author"), escaped("email"));
    let email = format!(r#"{{% if email != "" %}}, email = "{email}"{{% endif %}}"#);
    // Apart from the braces of the condition: Liquid would take them for its own.
    format!(r#"{{ name = "{author}"{email} }}"#)
}

fn classifiers() -> String {
    let versions = PythonVersion::supported();
    choice(
        "python",
        versions.map(|it| (it.to_string(), it.classifiers())),
    )
}

/// Liquid that prints the text of the value that was chosen for `key`.
pub fn choice(key: &str, texts: impl Iterator<Item = (String, String)>) -> String {
    let mut template = String::new();
    for (value, text) in texts {
        let word = if template.is_empty() { "if" } else { "elsif" };
        template += &format!(r#"{{% {word} {key} == "{value}" %}}{text}"#);
    }
    template + "{% endif %}"
}

#[cfg(test)]
mod tests {
    use super::super::placeholders::token;
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(literal("a { b % c } }}"), "a { b % c } }}");
        assert_eq!(literal("a {{ b"), r#"a {{"{"}}{ b"#);
        assert_eq!(literal("a {% b"), r#"a {{"{"}}% b"#);
    }

    #[test]
    fn each_python_has_its_classifiers() {
        let classifiers = classifiers();
        for version in PythonVersion::supported() {
            let line = format!("Programming Language :: Python :: {version}");
            assert!(classifiers.contains(&line), "{classifiers}");
        }
    }

    #[test]
    fn what_looks_like_liquid_is_kept() {
        assert_eq!(
            template("${{ x }} {% y %} { z }"),
            r#"${{"{"}}{ x }} {{"{"}}% y %} { z }"#
        );
    }

    #[test]
    fn tokens_become_expressions() {
        assert_eq!(template(&token("name")), "{{project-name}}");
        let quoted = token("author").replace('"', r#"\""#);
        assert_eq!(
            template(&format!("\"{quoted}\"")),
            r#""{{author | replace: '\', '\\' | replace: '"', '\"'}}""#
        );
    }
}
