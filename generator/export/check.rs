//! A script that `cargo generate` runs before it makes anything: it refuses what `cuvec-new` refuses.
//!
//! The lists are the generator's own. Rhai has no regular expressions.

use crate::answers::{MAX_ADDRESS, MAX_NAME, MAX_TEXT, reserved_words};

/// A file of each template folder, which no package has.
pub const FILE: &str = "cargo-generate.rhai";

pub fn script() -> String {
    let words: Vec<_> = reserved_words().collect();
    SCRIPT
        .replace("RESERVED", &words.join(" "))
        .replace("MAX_NAME", &MAX_NAME.to_string())
        .replace("MAX_TEXT", &MAX_TEXT.to_string())
        .replace("MAX_ADDRESS", &MAX_ADDRESS.to_string())
}

const SCRIPT: &str = r#"// Refuses what `cuvec-new` refuses. Run twice: when only the name may be known, and when all is.

fn hidden(c) {
    c < ' ' || (c >= '\u007f' && c <= '\u009f') || c == '\u2028' || c == '\u2029' || c == '\ufeff'
        || (c >= '\u202a' && c <= '\u202e') || (c >= '\u2066' && c <= '\u2069')
}

fn line(key, longest) {
    let text = variable::get(key);
    for c in text {
        if hidden(c) {
            abort(`${key} is no line of plain text`);
        }
    }
    if text.len > longest {
        abort(`${key} has ${text.len} characters, ${longest} are allowed`);
    }
    text
}

fn has(list, word) {
    (" " + list + " ").contains(" " + word + " ")
}

fn check_name(name) {
    if name.len > MAX_NAME {
        abort(`the name has ${name.len} characters, MAX_NAME are allowed`);
    }
    let before = '-';
    for c in name {
        let letter = c >= 'a' && c <= 'z';
        let digit = c >= '0' && c <= '9';
        let separator = c == '-' || c == '_';
        if !(letter || digit || separator) {
            abort(`the name ${name} holds more than lowercase ASCII letters, digits, - and _`);
        }
        if separator && (before == '-' || before == '_') {
            abort(`the name ${name} begins with a - or _, or has two in a row`);
        }
        before = c;
    }
    if before == '-' || before == '_' {
        abort(`the name ${name} ends in a - or _`);
    }
    if name[0] >= '0' && name[0] <= '9' {
        abort(`the name ${name} begins with a digit, so Python could not import it`);
    }
    let word = name;
    word.replace("-", "_");
    if has("RESERVED", word) {
        abort(`the name ${name} means something else already: to Python, Rust, Cargo, Windows or cuvec-new`);
    }
}

fn check_description(text) {
    if text.starts_with("```") || text.starts_with("~~~") {
        abort("description would hide the rest of a README");
    }
    let small = text.to_lower();
    for word in ["!", "?", "details", "iframe", "noembed", "noframes", "plaintext", "pre", "script", "style", "template",
                 "textarea", "title", "xmp"] {
        for part in small.split("<" + word).extract(1) {
            let next = if part.len > 0 { part[0] } else { ' ' };
            let longer = (next >= 'a' && next <= 'z') || (next >= '0' && next <= '9');
            if !longer || word == "!" || word == "?" {
                abort(`description holds <${word}, which would hide the rest of a README`);
            }
        }
    }
}

fn check_author(text) {
    for c in text {
        if c == ',' || c == '<' || c == '>' || c == '@' {
            abort("author is more than one name, or holds an email address");
        }
    }
    let trimmed = text;
    trimmed.trim();
    if trimmed == "" {
        abort("author is empty");
    }
}

fn check_email(text) {
    if text == "" {
        return;
    }
    let parts = text.split("@");
    let wrong = parts.len != 2;
    for part in parts {
        for piece in part.split(".") {
            wrong = wrong || piece == "";
        }
    }
    for c in text {
        wrong = wrong || " ()<>[]:;,\\\"".contains(c);
    }
    if wrong {
        abort("email is not an address");
    }
}

let name = variable::get("project-name");
if name != "" {
    check_name(name);
}
if variable::is_set("crate_name") {
    check_description(line("description", MAX_TEXT));
    check_author(line("author", MAX_TEXT));
    check_email(line("email", MAX_ADDRESS));
}
"#;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Name;

    #[test]
    fn names_that_are_reserved_are_in_the_script() {
        let script = script();
        let (_, list) = script.split_once("if has(\"").unwrap();
        let (list, _) = list.split_once('"').unwrap();
        let words: Vec<_> = list.split(' ').collect();
        for word in [
            "update",
            "lazy",
            "json",
            "print",
            "scikit_build_core",
            "tests",
            "proc_macro",
            "fn",
            "nul",
        ] {
            assert!(words.contains(&word), "{word}");
        }
        let accepted: Vec<_> = words.iter().filter(|it| Name::parse(it).is_ok()).collect();
        assert!(accepted.is_empty(), "{accepted:?}");
    }
}
