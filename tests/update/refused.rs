//! Tests refusals, with a way out; nothing is written then.

use std::fs;
use std::os::unix::fs::symlink;

use snapbox::str;

use super::copy::vendored;
use super::{ARCHIVE, committed, contents, made, replace, update};
use crate::project::{Outcome, Project, write};

/// Checks that an update fails so, and leaves everything as it was.
#[track_caller]
fn refused(outcome: Outcome, stderr: impl snapbox::IntoData) -> Outcome {
    failed(outcome, 1, stderr)
}

#[track_caller]
fn failed(outcome: Outcome, code: i32, stderr: impl snapbox::IntoData) -> Outcome {
    let before = contents(&outcome.path("mypkg"));
    let outcome = update(outcome).run().failure(code, stderr);
    assert_eq!(contents(&outcome.path("mypkg")), before);
    outcome
}

#[test]
fn no_package() {
    let outcome = Project::bare()
        .file("mypkg/README.md", "")
        .arg("list")
        .run()
        .success();
    failed(
        outcome.again("--version").with_layers().run(),
        2,
        str![[r#"
error: `mypkg` is no package of cuvec-new: it has no `.cuvec-new.toml`
hint: give the folder of a package: `cuvec-new update PATH`

"#]],
    );
}

#[test]
fn a_newer_package() {
    let outcome = made();
    let version = env!("CARGO_PKG_VERSION");
    let record = outcome.path("mypkg/.cuvec-new.toml");
    replace(
        &record,
        &format!("version = \"{version}\""),
        "version = \"99.0.0-rc.1\"",
    );
    let expected = format!(
        "error: `mypkg` was made by cuvec-new 99.0.0-rc.1, and this is {version}\n\
         hint: install that version or a later one: downgrading is not supported\n"
    );
    refused(outcome, expected);
}

#[test]
fn records_that_say_nothing() {
    let outcome = made();
    let record = outcome.read("mypkg/.cuvec-new.toml");
    let lock = outcome.read("mypkg/.cuvec-new.lock");
    for (file, text, problem) in [
        (
            ".cuvec-new.toml",
            "[answers]\nmood = \"good\"\n",
            "unknown key `mood`",
        ),
        (".cuvec-new.lock", "<<<<<<< HEAD\n", "it has no files"),
        (
            ".cuvec-new.lock",
            "\u{c}../layers/README.md\nfor authors of templates",
            "`../layers/README.md` is not a path of a package",
        ),
    ] {
        let outcome = made();
        write(&outcome.path("mypkg/.cuvec-new.toml"), &record);
        write(&outcome.path("mypkg/.cuvec-new.lock"), &lock);
        write(&outcome.path("mypkg").join(file), text);
        let expected = format!(
            "error: `mypkg/{file}` does not say how the package was made: {problem}\n\
             hint: fix it: `git -C mypkg log -p {file}` shows what it was\n"
        );
        refused(outcome, expected);
    }
}

#[test]
fn uncommitted_changes() {
    let outcome = committed();
    write(&outcome.path("mypkg/text.txt"), "mine\n");
    write(&outcome.path("mypkg/notes.txt"), "of no matter\n");
    replace(
        &outcome.path("layers/templates/common/deep/er/b.txt"),
        "b",
        "c",
    );
    let outcome = refused(
        outcome,
        str![[r#"
error: `mypkg` has uncommitted changes:
  text.txt
hint: commit them, or put them aside: `git -C mypkg stash push --include-untracked -- .`

"#]],
    );
    super::commit(&outcome);
    update(outcome).run().success();
}

#[test]
fn an_untracked_file_where_one_is_written() {
    let outcome = committed();
    vendored(&outcome, &[]);
    super::commit(&outcome);
    write(&outcome.path("mypkg/runtime/mine.h"), "mine\n");
    let outcome = refused(
        outcome,
        str![[r#"
error: `mypkg` has uncommitted changes:
  runtime/mine.h
hint: commit them, or put them aside: `git -C mypkg stash push --include-untracked -- .`

"#]],
    );
    super::commit(&outcome);
    let outcome = update(outcome).run().success();
    assert!(
        outcome
            .read("mypkg/runtime-edits.patch")
            .contains("+mine\n")
    );
}

#[test]
fn a_git_that_fails() {
    let outcome = committed();
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "two",
        "zwei",
    );
    let before = contents(&outcome.path("mypkg"));
    let outcome = update(outcome)
        .program("git", "echo 'fatal: no luck' >&2; exit 1")
        .run();
    let outcome = outcome.failure(
        1,
        str![[r#"
error: failed to run git in `mypkg`: fatal: no luck
hint: nothing was written; let `git -C mypkg status` work first

"#]],
    );
    assert_eq!(contents(&outcome.path("mypkg")), before);
}

/// A repository with more than the package in it: what is elsewhere is of no matter.
#[test]
fn changes_elsewhere_in_the_repository() {
    let project = super::layers(Project::new("mypkg")).file("notes.txt", "");
    crate::git::run_git(&project.path(""), &["init", "--quiet"]);
    let outcome = project.run().success();
    crate::git::run_git(&outcome.path(""), &["add", "mypkg", "notes.txt"]);
    crate::git::run_git(
        &outcome.path(""),
        &["commit", "--quiet", "--message", "all"],
    );
    write(&outcome.path("notes.txt"), "changed");
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "two",
        "zwei",
    );
    let outcome = update(outcome).run().success();
    write(&outcome.path("mypkg/LICENSE"), "mine");
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "six",
        "sechs",
    );
    let before = contents(&outcome.path("mypkg"));
    let outcome = update(outcome).run();
    assert!(
        outcome
            .stderr
            .contains("has uncommitted changes:\n  .cuvec-new.lock\n  LICENSE\n  text.txt\nhint"),
        "{}",
        outcome.stderr
    );
    assert_eq!(contents(&outcome.path("mypkg")), before);
}

#[test]
fn links_and_folders_in_the_way() {
    let outcome = made();
    let folder = outcome.path("mypkg");
    fs::rename(folder.join("text.txt"), folder.join("moved.txt")).unwrap();
    symlink("moved.txt", folder.join("text.txt")).unwrap();
    fs::remove_file(folder.join("deep/er/b.txt")).unwrap();
    fs::create_dir(folder.join("deep/er/b.txt")).unwrap();
    fs::rename(folder.join(ARCHIVE), folder.join("elsewhere")).unwrap();
    symlink("../elsewhere", folder.join(ARCHIVE)).unwrap();
    replace(
        &outcome.path("layers/templates/common/text.txt"),
        "two",
        "zwei",
    );
    replace(
        &outcome.path("layers/templates/common/deep/er/b.txt"),
        "b",
        "c",
    );
    let problems =
        format!("`deep/er/b.txt` is a folder, `{ARCHIVE}` is a link, `text.txt` is a link");
    refused(
        outcome,
        format!(
            "error: destination `mypkg` cannot hold the files: {problems}\nhint: move them away first\n"
        ),
    );
}

#[test]
fn another_run_is_at_work() {
    let outcome = made();
    write(&outcome.path("mypkg/.cuvec-new-workspace/new/text.txt"), "");
    refused(
        outcome,
        str![[r#"
error: another `cuvec-new` is at work in `mypkg`
hint: if none is running, remove what it left: `rm -r mypkg/.cuvec-new-workspace`

"#]],
    );
}

#[test]
fn an_answer_that_is_unknown() {
    let outcome = made();
    update(outcome).args(["--bridge", "zig"]).run().failure(
        2,
        str![[r#"
error: unknown bindings `zig`
hint: bindings are `pyo3`, `pybind11`

"#]],
    );
}
