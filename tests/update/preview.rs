//! `--check`, `--dry-run` and `--diff` say what an update would do, and write nothing.

use serde_json::Value;
use snapbox::str;

use super::{committed, contents, made, replace, update};
use crate::project::{Outcome, write};

/// A package with an edit that is in no commit, and a template that has changed.
fn outdated() -> Outcome {
    let outcome = committed();
    replace(&outcome.path("mypkg/text.txt"), "two", "deux");
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "six",
        "sechs",
    );
    write(&outcome.path("layers/runtime/new.h"), "new\n");
    outcome
}

#[track_caller]
fn looked(outcome: Outcome, options: &[&str], code: i32) -> Outcome {
    let before = contents(&outcome.path("mypkg"));
    let outcome = update(outcome).args(options).run();
    assert_eq!(outcome.code, code, "{}", outcome.stderr);
    assert_eq!(contents(&outcome.path("mypkg")), before);
    outcome
}

const LISTED: &str = "\
would update `mypkg` in `mypkg` to cuvec-new VERSION
changed:
  .cuvec-new.lock
  runtime/ (2 files)
merged with your edits:
  text.txt
nothing was written
";

#[test]
fn an_update_says_from_which_version() {
    let outcome = made();
    let version = env!("CARGO_PKG_VERSION");
    replace(&outcome.path("mypkg/.cuvec-new.toml"), version, "0.0.1");
    let outcome = looked(outcome, &["--dry-run"], 0);
    let line = format!("would update `mypkg` in `mypkg` from 0.0.1 to {version}\n");
    assert!(outcome.stdout.starts_with(&line), "{}", outcome.stdout);
}

#[test]
fn check_fails_for_what_is_not_up_to_date() {
    let outcome = looked(made(), &["--check"], 0);
    assert_eq!(outcome.stdout, "`mypkg` in `mypkg` is up to date\n");
    let outcome = looked(outdated(), &["--check"], 1);
    assert_eq!(
        outcome.stdout,
        LISTED.replace("VERSION", env!("CARGO_PKG_VERSION"))
    );
    let error = "error: `mypkg` is not up to date\nhint: update it: `cuvec-new update mypkg`\n";
    assert_eq!(outcome.stderr, error);
    let outcome = looked(outcome, &["--check", "--quiet"], 1);
    assert_eq!((&*outcome.stdout, &*outcome.stderr), ("", error));
}

#[test]
fn check_says_which_options_were_given() {
    let options = [
        "--check", "--quiet", "--bridge", "pybind11", "--python", "3.12",
    ];
    let outcome = looked(made(), &options, 1);
    let hint = "hint: update it: `cuvec-new update mypkg --bridge pybind11 --python 3.12`\n";
    assert!(outcome.stderr.ends_with(hint), "{}", outcome.stderr);
}

#[test]
fn dry_run_lists() {
    let outcome = looked(outdated(), &["--dry-run"], 0);
    assert_eq!(
        outcome.stdout,
        LISTED.replace("VERSION", env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(outcome.stderr, "");
}

#[test]
fn diff_is_a_patch() {
    let outcome = outdated();
    let outcome = looked(outcome, &["--diff"], 0);
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
diff --git a/runtime/backend.py b/runtime/backend.py
--- a/runtime/backend.py
+++ b/runtime/backend.py
@@ -1 +1 @@
-SHA256 = "[..]"
+SHA256 = "[..]"
diff --git a/text.txt b/text.txt
--- a/text.txt
+++ b/text.txt
@@ -3,5 +3,5 @@
 three
 four
 five
-six
+sechs
 seven

"#]]
    );
    assert!(
        !outcome.stdout.contains(".cuvec-new.lock"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn diff_has_colours_where_they_are_wanted() {
    let outcome = outdated();
    write(&outcome.path("mypkg/runtime/backend.py"), "\u{1b}[2J\n");
    let outcome = looked(outcome, &["--diff"], 0);
    assert!(
        outcome.stdout.contains("\n-\u{1b}[2J\n"),
        "{}",
        outcome.stdout
    );
    let outcome = looked(outcome, &["--diff", "--color", "always"], 0);
    for line in [
        "\u{1b}[32m+sechs\u{1b}[0m\n",
        "\u{1b}[31m-\\u{1b}[2J\u{1b}[0m\n",
        "\u{1b}[1mdiff --git a/text.txt b/text.txt\u{1b}[0m\n",
        "\u{1b}[1m--- a/text.txt\u{1b}[0m\n",
        "\u{1b}[1m+++ b/text.txt\u{1b}[0m\n",
        "\u{1b}[36m@@ ",
    ] {
        assert!(outcome.stdout.contains(line), "{:?}", outcome.stdout);
    }
}

#[test]
fn diff_is_what_the_update_does() {
    let outcome = looked(outdated(), &["--diff"], 0);
    let patch = outcome.path("home/patch");
    write(&patch, &outcome.stdout);
    super::commit(&outcome);
    let applied = std::process::Command::new("git")
        .args(["apply", "--check"])
        .arg(&patch)
        .current_dir(outcome.path("mypkg"))
        .status();
    assert!(applied.unwrap().success());
}

#[test]
fn json() {
    let outcome = looked(outdated(), &["--dry-run", "--json"], 0);
    let said: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(said["name"], "mypkg");
    assert_eq!(said["to"], env!("CARGO_PKG_VERSION"));
    let change = serde_json::json!({"path": "text.txt", "what": "merged"});
    assert!(
        said["changes"].as_array().unwrap().contains(&change),
        "{said}"
    );
}

#[test]
fn quiet_is_silent() {
    let outcome = made();
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "six",
        "sechs",
    );
    let outcome = update(outcome).arg("--quiet").run().success();
    assert_eq!(outcome.stdout + &outcome.stderr, "");
}
