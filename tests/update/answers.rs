//! An update changes answers, and keeps all others.

use std::collections::{BTreeMap, BTreeSet};

use super::{contents, layers, made, replace, update};
use crate::combinations::{listing, names};
use crate::project::{Project, write};

#[test]
fn other_bindings_make_the_package_that_it_would_have_been() {
    let outcome = made();
    let outcome = update(outcome)
        .args(["--bridge", "pybind11"])
        .run()
        .success();
    let fresh = layers(Project::new("mypkg")).bridge("pybind11");
    let fresh = fresh.arg("--no-git").run().success();
    assert_eq!(
        contents(&outcome.path("mypkg")),
        contents(&fresh.path("mypkg"))
    );
}

/// From the archive in the package to an installed runtime, and back.
#[test]
fn another_runtime_makes_the_package_that_it_would_have_been() {
    let fresh = |runtime: &str| {
        let project = Project::new("mypkg").args(["--no-git", "--runtime", runtime]);
        contents(&project.run().success().path("mypkg"))
    };
    let mut outcome = Project::new("mypkg").arg("--no-git").run().success();
    for runtime in ["pypi", "bundled"] {
        let update = outcome.again("update");
        outcome = update.args(["mypkg", "--runtime", runtime]).run().success();
        assert_eq!(
            contents(&outcome.path("mypkg")),
            fresh(runtime),
            "{runtime}"
        );
    }
}

/// With the real templates, these change: `src/`, the lines that build it, and how the
/// package was made.
#[test]
fn other_bindings_change_src_and_its_build_lines_alone() {
    let listing = listing();
    let mut outcome = Project::new("mypkg").arg("--no-git").run().success();
    for bridge in names(&listing["bridges"]).into_iter().rev() {
        let before = contents(&outcome.path("mypkg"));
        outcome = outcome
            .again("update")
            .args(["mypkg", "--bridge", bridge])
            .run()
            .success();
        let after = contents(&outcome.path("mypkg"));
        let paths: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        for path in paths
            .into_iter()
            .filter(|it| before.get(*it) != after.get(*it))
        {
            let may = path.starts_with("src/")
                || [
                    ".cuvec-new.lock",
                    ".cuvec-new.toml",
                    "Cargo.lock",
                    "Cargo.toml",
                    "pyproject.toml",
                ]
                .contains(&&**path);
            assert!(may, "{bridge}: {path}");
        }
        let lines = |files: &BTreeMap<String, Vec<u8>>| -> BTreeSet<String> {
            let text = String::from_utf8(files["pyproject.toml"].clone()).unwrap();
            text.lines().map(str::to_owned).collect()
        };
        for line in lines(&before).symmetric_difference(&lines(&after)) {
            let build = [
                "requires = [",
                "build = [",
                "wheel.py-api",
                "Cargo.lock needs to be updated",
            ];
            assert!(build.iter().any(|it| line.contains(it)), "{bridge}: {line}");
        }
        assert!(before["src/test_ext.py"] == after["src/test_ext.py"]);
    }
}

#[test]
fn license_python_and_kernels() {
    let options = [
        "--license",
        "0BSD",
        "--python",
        "3.13",
        "--kernels",
        "rust",
        "--ci",
        "none",
    ];
    let outcome = update(made()).args(options).run().success();
    let fresh = layers(Project::new("mypkg"))
        .arg("--no-git")
        .args(options)
        .run()
        .success();
    assert_eq!(
        contents(&outcome.path("mypkg")),
        contents(&fresh.path("mypkg"))
    );
    let outcome = update(outcome).run().success();
    assert_eq!(outcome.stdout, "`mypkg` in `mypkg` is up to date\n");
}

/// A package of last year is not outdated because it is new year.
#[test]
fn the_year_stays() {
    let outcome = made();
    let year = outcome.read("mypkg/LICENSE")[..14].to_owned();
    let record = outcome.path("mypkg/.cuvec-new.toml");
    let number = &year["Copyright ".len()..];
    replace(&record, number, "1999");
    for path in ["mypkg/LICENSE", "mypkg/.cuvec-new.lock"] {
        replace(&outcome.path(path), &year, "Copyright 1999");
    }
    let outcome = update(outcome).arg("--check").run().success();
    assert_eq!(outcome.stdout, "`mypkg` in `mypkg` is up to date\n");
}

/// Names and texts are answers of the record, which may be edited.
#[test]
fn an_edit_of_the_record_is_an_answer() {
    let outcome = made();
    let record = outcome.path("mypkg/.cuvec-new.toml");
    replace(&record, "Python package with GPU kernels", "Sums");
    let outcome = update(outcome).run().success();
    let about = outcome.read("mypkg/about.txt");
    assert!(about.contains("description = \"Sums\"\n"), "{about}");
}

#[test]
fn the_folder_is_the_current_one_unless_another_is_said() {
    let outcome = made();
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "six",
        "sechs",
    );
    let layers = outcome.path("layers/templates");
    let project = outcome.again("update").inside("mypkg");
    let outcome = project.arg("--templates").arg(layers).run().success();
    assert!(outcome.read("mypkg/text.txt").contains("sechs"));
    write(&outcome.path("home/done"), "");
}
