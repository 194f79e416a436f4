//! `--force` over a package that was made in another way.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use snapbox::str;

use crate::project::{Outcome, Project, entries, files, write};

/// Record as in the real packages.
const RECORD: &str = "version = {{toml version}}\n\n[answers]\n{{answers}}\n";

/// The layers of the tests, whose packages have a record, and bridges with files of their own.
fn project(project: Project) -> Project {
    project
        .with_layers()
        .arg("--no-git")
        .layer("common/.cuvec-new.toml.hbs", RECORD)
        .layer("bridge/pyo3/src/deep/only.rs", "// of pyo3\n")
        .layer("bridge/pyo3/tests/test_{{module}}.py", "# of pyo3\n")
        .layer("bridge/pybind11/src/module.cpp", "// of pybind11\n")
}

fn made() -> Outcome {
    project(Project::new("mypkg")).run().success()
}

/// The same package with other bindings.
fn again(outcome: Outcome) -> Project {
    let layers = outcome.path("layers/templates");
    let project = outcome.again("mypkg").arg("--force").arg("--no-git");
    project.arg("--templates").arg(layers).bridge("pybind11")
}

#[test]
fn nothing_of_the_old_one_is_left() {
    let outcome = made();
    write(&outcome.path("mypkg/src/mine.txt"), "mine");
    let outcome = again(outcome).run().success();
    let fresh = project(Project::new("mypkg").bridge("pybind11"))
        .run()
        .success();
    let mut expected = files(&fresh.path("mypkg"));
    expected.push("src/mine.txt".to_owned());
    expected.sort();
    assert_eq!(files(&outcome.path("mypkg")), expected);
    assert!(!outcome.path("mypkg/src/deep").exists());
    let report = outcome.stdout.split("removed:\n").nth(1).unwrap();
    let removed: Vec<_> = report
        .lines()
        .take_while(|it| it.starts_with("  "))
        .collect();
    assert_eq!(
        removed,
        [
            "  Cargo.lock",
            "  src/deep/only.rs",
            "  src/lib.rs",
            "  tests/test_mypkg.py"
        ]
    );
}

#[test]
fn the_real_bridges_leave_nothing_to_each_other() {
    let outcome = Project::new("mypkg")
        .bridge("ctypes")
        .arg("--no-git")
        .run()
        .success();
    let project = outcome.again("mypkg").bridge("nanobind");
    let outcome = project.args(["--force", "--no-git"]).run().success();
    let fresh = Project::new("mypkg")
        .bridge("nanobind")
        .arg("--no-git")
        .run()
        .success();
    assert_eq!(files(&outcome.path("mypkg")), files(&fresh.path("mypkg")));
}

#[test]
fn changed_files_are_named_and_nothing_is_written() {
    let outcome = made();
    write(&outcome.path("mypkg/src/lib.rs"), "// mine\n");
    fs::remove_file(outcome.path("mypkg/tests/test_mypkg.py")).unwrap();
    write(&outcome.path("home/elsewhere/only.rs"), "// of pyo3\n");
    fs::remove_dir_all(outcome.path("mypkg/src/deep")).unwrap();
    symlink("../../home/elsewhere", outcome.path("mypkg/src/deep")).unwrap();
    let before = files(&outcome.path("mypkg"));
    let outcome = again(outcome).run().failure(
        1,
        str![[r#"
error: destination `mypkg` holds a package that was made with bindings `pyo3` and kernels `cu`, with files that the new one has not and that were changed since:
  src/deep/only.rs
  src/lib.rs
hint: `cuvec-new update mypkg --bridge pybind11` keeps them; or make the package elsewhere with `--output DIR`

"#]],
    );
    assert_eq!(files(&outcome.path("mypkg")), before);
    assert!(outcome.path("home/elsewhere/only.rs").exists());
}

#[test]
fn without_force_an_update_is_offered() {
    let outcome = made();
    let layers = outcome.path("layers/templates");
    let outcome = outcome.again("mypkg").arg("--templates").arg(layers).run();
    let hint = "\nhint: `cuvec-new update mypkg` brings the package there up to this version; `--force` overwrites these files, \
                `--dry-run` shows them, `--output DIR` makes the package elsewhere\n";
    assert!(outcome.stderr.ends_with(hint), "{}", outcome.stderr);
    assert_eq!(outcome.code, 1);
}

#[test]
fn dry_run_says_what_would_be_removed() {
    let outcome = again(made()).arg("--dry-run").run().success();
    let removes =
        "removes:\n  Cargo.lock\n  src/deep/only.rs\n  src/lib.rs\n  tests/test_mypkg.py\n";
    assert!(outcome.stdout.contains(removes), "{}", outcome.stdout);
    assert!(outcome.path("mypkg/src/lib.rs").exists());
    let layers = outcome.path("layers/templates");
    let project = outcome.again("mypkg").arg("--templates").arg(layers);
    let json = project.args(["--force", "--dry-run", "--json", "--bridge", "pybind11"]);
    let preview: serde_json::Value = serde_json::from_str(&json.run().success().stdout).unwrap();
    assert_eq!(preview["removes"][1], "src/deep/only.rs");
}

#[test]
fn a_record_that_says_nothing() {
    for (record, problem) in [
        (
            "[answers]\nname = \"mypkg\"\nbridge = \"zig\"\n",
            "unknown bindings `zig`",
        ),
        ("[answers]\nmood = \"good\"\n", "unknown key `mood`"),
    ] {
        let outcome = made();
        write(&outcome.path("mypkg/.cuvec-new.toml"), record);
        let expected = format!(
            "error: `mypkg/.cuvec-new.toml` does not say how the package was made: {problem}\n\
             hint: make the package elsewhere with `--output DIR`, or `rm mypkg/.cuvec-new.toml` and the files of the old one stay\n"
        );
        again(outcome).run().failure(1, expected);
    }
}

#[test]
fn a_run_that_was_killed_between_two_moves() {
    let outcome = made();
    let folder = outcome.path("mypkg");
    let workspace = folder.join(".cuvec-new-workspace");
    let fresh = project(Project::new("mypkg").bridge("pybind11"))
        .run()
        .success();
    copy(&fresh.path("mypkg"), &workspace.join("new"));
    fs::create_dir(workspace.join("old")).unwrap();
    write(
        &workspace.join("outdated"),
        "Cargo.lock\nsrc/deep/only.rs\nsrc/lib.rs\ntests/test_mypkg.py",
    );
    fs::rename(folder.join("Cargo.lock"), workspace.join("old/Cargo.lock")).unwrap();
    let stopped = again(outcome).run();
    let hint = stopped.stderr.split("finish what it began: `").nth(1);
    let hint = hint
        .unwrap_or_else(|| panic!("{}", stopped.stderr))
        .trim_end()
        .trim_end_matches('`');
    let shell = std::process::Command::new("sh")
        .args(["-c", hint])
        .current_dir(stopped.path(""))
        .status();
    assert!(shell.unwrap().success(), "{hint}");
    assert_eq!(files(&stopped.path("mypkg")), files(&fresh.path("mypkg")));
    assert!(!entries(&stopped.path("mypkg")).contains(&".cuvec-new-workspace".to_owned()));
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        write(
            &to.join(&file),
            &fs::read_to_string(from.join(&file)).unwrap(),
        );
    }
}
