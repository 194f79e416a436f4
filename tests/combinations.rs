//! Every combination of the real layers gives a package with nothing left to fill in.

use std::fs;

use serde_json::Value;

use crate::project::{Project, files};

/// How what is in braces begins, if it is ours.
const PLACEHOLDERS: [&str; 9] = [
    "name",
    "module",
    "description",
    "author",
    "email",
    "year",
    "python",
    "toml ",
    ">", // a partial
];

/// The choices there are, as `--list --json` tells them.
pub fn listing() -> Value {
    let outcome = Project::bare().args(["--list", "--json"]).run().success();
    serde_json::from_str(&outcome.stdout).unwrap()
}

pub fn names(choices: &Value) -> Vec<&str> {
    let choices = choices.as_array().unwrap();
    choices
        .iter()
        .map(|choice| choice["name"].as_str().unwrap())
        .collect()
}

#[test]
fn every_combination_renders() {
    let listing = listing();
    let mut rendered = 0;
    for bridge in listing["bridges"].as_array().unwrap() {
        for kernels in bridge["kernels"].as_array().unwrap() {
            for license in names(&listing["licenses"]) {
                for ci in names(&listing["ci"]) {
                    let (bridge, kernels) = (bridge["name"].as_str(), kernels.as_str());
                    check(bridge.unwrap(), kernels.unwrap(), license, ci);
                    rendered += 1;
                }
            }
        }
    }
    assert!(rendered >= 12, "only {rendered} combinations");
}

fn check(bridge: &str, kernels: &str, license: &str, ci: &str) {
    let project = Project::new("my-pkg")
        .bridge(bridge)
        .kernels(kernels)
        .arg("--no-git");
    let outcome = project
        .args(["--license", license, "--ci", ci])
        .run()
        .success();
    let folder = outcome.path("my-pkg");
    for file in files(&folder) {
        let bytes = fs::read(folder.join(&file)).unwrap();
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        let what = format!("`{file}` of {bridge} {kernels} {license} {ci}");
        for after in text.split("{{").skip(1) {
            let word = after.trim_start_matches('{');
            let left = PLACEHOLDERS.iter().find(|key| word.starts_with(**key));
            assert_eq!(left, None, "{what} holds it in braces");
        }
        assert!(!text.contains('\r'), "{what} has Windows line ends");
        assert!(
            !file.ends_with(".hbs") && !file.contains("{{"),
            "{what} keeps its template's name"
        );
        if file.ends_with(".toml") || file.ends_with("Cargo.lock") {
            let table: Result<toml::Table, _> = text.parse();
            table.unwrap_or_else(|error| panic!("{what}: {error}"));
        }
        let cache = ["__pycache__", "_cache/", "/target/", ".venv/"];
        assert!(
            !cache.iter().any(|it| file.contains(it)),
            "{what} is no template"
        );
    }
    let license_text = fs::read_to_string(folder.join("LICENSE")).unwrap();
    assert!(!license_text.is_empty());
}

#[test]
fn the_lowest_python_is_everywhere() {
    for (python, count) in [("3.11", 5), ("3.15", 1)] {
        let outcome = Project::new("mypkg")
            .args(["--python", python])
            .run()
            .success();
        let pyproject: toml::Table = outcome.read("mypkg/pyproject.toml").parse().unwrap();
        let project = &pyproject["project"];
        assert_eq!(
            project["requires-python"].as_str().unwrap(),
            format!(">={python}")
        );
        let classifiers = project["classifiers"].as_array().unwrap().iter();
        let versions = classifiers.filter(|it| it.as_str().unwrap().contains("Python :: 3."));
        assert_eq!(versions.count(), count);
    }
}
