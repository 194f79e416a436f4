//! Any name and any text: the command line is refused, or the package says what was said.
//!
//! `cargo +nightly fuzz run answers`
#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use clap::Parser;
use cuvec_new::{Args, Catalog, Templates, files};
use libfuzzer_sys::fuzz_target;

static CATALOG: LazyLock<Catalog> =
    LazyLock::new(|| Catalog::load(Templates::embedded()).expect("built-in templates are right"));

#[derive(Debug, Arbitrary)]
struct RawAnswers<'a> {
    name: &'a str,
    description: &'a str,
    author: &'a str,
    email: &'a str,
    bridge: Bridge,
}

/// One in Rust and one in C++.
#[derive(Debug, Arbitrary)]
enum Bridge {
    Pyo3,
    Nanobind,
}

fuzz_target!(|said: RawAnswers| {
    let bridge = match said.bridge {
        Bridge::Pyo3 => "pyo3",
        Bridge::Nanobind => "nanobind",
    };
    let line = [
        "cuvec-new".to_owned(),
        format!("--bridge={bridge}"),
        format!("--description={}", said.description),
        format!("--author={}", said.author),
        format!("--email={}", said.email),
        "--".to_owned(),
        said.name.to_owned(),
    ];
    let Ok(args) = Args::try_parse_from(line) else {
        return;
    };
    let Ok(files) = files(&args, &CATALOG) else {
        return;
    };
    let pyproject = String::from_utf8(files["pyproject.toml"].clone()).expect("UTF-8");
    let pyproject: toml::Table = pyproject.parse().expect("TOML");
    let project = &pyproject["project"];
    assert_eq!(project["name"].as_str(), Some(said.name));
    assert_eq!(
        project["description"].as_str(),
        Some(said.description.trim())
    );
    let author = project["authors"][0].as_table().expect("an author");
    assert_eq!(author["name"].as_str(), Some(said.author.trim()));
    let email = author
        .get("email")
        .map_or("", |email| email.as_str().expect("text"));
    assert_eq!(email, said.email.trim());
    let module = said.name.replace('-', "_");
    assert!(files.contains_key(&format!("python/{module}/__init__.py")));
});
