//! `cargo-generate.toml`: what `cargo generate` asks, fills in and leaves out.

use std::collections::BTreeSet;

use super::check;
use crate::answers::{DEFAULT_DESCRIPTION, PythonVersion};
use crate::catalog::{Catalog, Exported, Kind, Layer};
use crate::wording::toml_string;

pub const FILE: &str = "cargo-generate.toml";

/// Configures the folder that holds the templates: `cargo generate` asks which one.
pub fn index(folders: &[String]) -> String {
    format!("[template]\nsub_templates = {}\n", list(folders))
}

/// Configures a template. `include` is filled in, everything else copied.
pub fn template(
    catalog: &Catalog,
    include: &[String],
    ignored: &[(Kind, String, BTreeSet<String>)],
) -> String {
    let patterns: Vec<_> = include.iter().map(|path| pattern(path)).collect();
    let script = toml_string(check::FILE);
    let mut config = format!(
        "[template]\ncargo_generate_version = \">=0.23\"\ninclude = {}\n\n\
         [hooks]\ninit = [{script}]\npre = [{script}]\n\n[placeholders]\n",
        list(&patterns)
    );
    config += &line(
        "description",
        "One line for PyPI and the README",
        &format!(
            "default = {}, {}",
            toml_string(DEFAULT_DESCRIPTION),
            regex("", "*")
        ),
    );
    config += &line("author", "Author", &regex(",<>@", "+"));
    config += &line(
        "email",
        "Email address of the author, empty for none",
        &format!("default = \"\", {}", regex(r#" ()<>\[\]:;,\\""#, "*")),
    );
    for kind in Kind::exported(Exported::Question) {
        let names: Vec<_> = catalog.names(kind).map(str::to_owned).collect();
        config += &choice(
            kind.folder(),
            &capitalised(kind.traits().name),
            &names,
            catalog.default(kind).map(Layer::name),
        );
    }
    let versions: Vec<_> = PythonVersion::supported()
        .map(|it| it.to_string())
        .collect();
    config += &choice("python", "Lowest Python", &versions, Some(&versions[0]));
    for (kind, name, paths) in ignored.iter().filter(|(_, _, paths)| !paths.is_empty()) {
        let paths: Vec<_> = paths.iter().cloned().collect();
        let condition = format!("{} == {}", kind.folder(), toml_string(name));
        config += &format!("\n[conditional.'{condition}']\nignore = {}\n", list(&paths));
    }
    config
}

/// One line without what nobody sees and without these characters; the script checks the rest.
fn regex(without: &str, times: &str) -> String {
    let hidden = r"\p{Cc}\u{2028}\u{2029}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{FEFF}";
    let regex = format!("^[^{hidden}{without}]{times}$");
    format!("regex = {}", toml_string(&regex))
}

fn capitalised(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

fn line(key: &str, prompt: &str, more: &str) -> String {
    let prompt = toml_string(prompt);
    format!("{key} = {{ type = \"string\", prompt = {prompt}, {more} }}\n")
}

fn choice(key: &str, prompt: &str, names: &[String], default: Option<&str>) -> String {
    let names = names
        .iter()
        .map(|name| toml_string(name))
        .collect::<Vec<_>>();
    let mut more = format!("choices = [{}]", names.join(", "));
    if let Some(default) = default {
        more += &format!(", default = {}", toml_string(default));
    }
    line(key, prompt, &more)
}

/// A pattern as in .gitignore that matches this path only.
fn pattern(path: &str) -> String {
    let special = |letter: char| r"\*?[]{}!#".contains(letter);
    let escape = |letter| match special(letter) {
        true => format!("\\{letter}"),
        false => letter.to_string(),
    };
    format!("/{}", path.chars().map(escape).collect::<String>())
}

fn list(items: &[String]) -> String {
    let lines = items
        .iter()
        .map(|item| format!("  {},\n", toml_string(item)));
    format!("[\n{}]", lines.collect::<String>())
}
