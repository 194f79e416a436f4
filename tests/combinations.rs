//! Every combination of the real layers, documentation and versions of CUDA with one license, gives a package with nothing left to fill in.

use clap::Parser;
use cuvec_new::{Args, Catalog, Templates};
use serde_json::Value;

use crate::project::Project;

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
    let outcome = Project::bare().args(["list", "--json"]).run().success();
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
    let catalog = Catalog::load(Templates::embedded()).unwrap();
    let mut rendered = 0;
    for bridge in names(&listing["bridges"]) {
        for kernels in names(&listing["kernels"]) {
            for license in names(&listing["licenses"]) {
                for ci in names(&listing["ci"]) {
                    // A license decides about nothing that these decide about.
                    let [docs, cuda] = ["docs", "cuda"].map(|it| names(&listing[it]));
                    let several = license == names(&listing["licenses"])[0];
                    let upto = |all: usize| if several { all } else { 1 };
                    for docs in &docs[..upto(docs.len())] {
                        for cuda in &cuda[..upto(cuda.len())] {
                            check(&catalog, [bridge, kernels, cuda, license, ci, docs]);
                            rendered += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(rendered >= 200, "only {rendered} combinations");
}

fn check(catalog: &Catalog, choices: [&str; 6]) {
    let options = [
        "--bridge",
        "--kernels",
        "--cuda",
        "--license",
        "--ci",
        "--docs",
    ];
    let options = options.into_iter().zip(choices);
    let options = options.flat_map(|(option, choice)| [option, choice]);
    let line = ["cuvec-new", "my-pkg"].into_iter().chain(options);
    let made = cuvec_new::files(&Args::parse_from(line), catalog).unwrap();
    for (file, bytes) in &made {
        let Ok(text) = std::str::from_utf8(bytes) else {
            continue;
        };
        let what = format!("`{file}` of {choices:?}");
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
    assert!(!made["LICENSE"].is_empty());
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
