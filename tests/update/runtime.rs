//! `runtime/`: replaced as a whole, whatever was done to it; no edit is lost.

use std::fs;
use std::process::Command;

use snapbox::str;

use super::{TEXT, commit, committed, contents, made, replace, update};
use crate::git::run_git;
use crate::project::{Outcome, files, write};

/// The next version of the runtime: a change, a file more, a file less.
fn next(outcome: &Outcome) {
    let runtime = outcome.path("layers/runtime");
    replace(&runtime.join("native/a.h"), "six", "sechs");
    write(&runtime.join("native/new.h"), "new\n");
    fs::remove_file(runtime.join("VERSION")).unwrap();
}

/// The runtime of a package that is made by the layers as they are now.
fn check_new(outcome: &Outcome) {
    let runtime = outcome.path("mypkg/runtime");
    assert_eq!(
        files(&runtime),
        [
            "SHA256SUMS",
            "native/.settings",
            "native/a.h",
            "native/new.h"
        ]
    );
    assert_eq!(
        outcome.read("mypkg/runtime/native/a.h"),
        TEXT.replace("six", "sechs")
    );
    let sums = outcome.read("mypkg/runtime/SHA256SUMS");
    assert!(
        sums.contains("  native/new.h\n") && !sums.contains("VERSION"),
        "{sums}"
    );
}

#[test]
fn nobody_edited_it() {
    let outcome = made();
    next(&outcome);
    let outcome = update(outcome).run().success();
    check_new(&outcome);
    assert!(!outcome.path("mypkg/runtime-edits.patch").exists());
    for told in [
        "changed:\n  runtime/ (2 files)\n",
        "added:\n  runtime/ (1 file)\n",
        "removed:\n  runtime/ (1 file)\n",
    ] {
        assert!(outcome.stdout.contains(told), "{}", outcome.stdout);
    }
}

#[test]
fn edits_are_kept_as_a_patch_of_what_they_edited() {
    let outcome = committed();
    let before = contents(&outcome.path("mypkg/runtime"));
    replace(&outcome.path("mypkg/runtime/native/a.h"), "two", "deux");
    replace(
        &outcome.path("mypkg/runtime/native/.settings"),
        "old",
        "mine",
    );
    write(&outcome.path("mypkg/runtime/native/mine.h"), "mine\n");
    write(&outcome.path("mypkg/runtime/native/empty.h"), "");
    commit(&outcome);
    let edited = contents(&outcome.path("mypkg/runtime"));
    next(&outcome);
    let outcome = update(outcome).run().success();
    check_new(&outcome);
    let told = outcome.stdout.split("edited in").nth(1).unwrap();
    snapbox::assert_data_eq!(
        told,
        str![[r#"
 `runtime/`, which is replaced:
  runtime/native/.settings
  runtime/native/a.h
  runtime/native/empty.h
  runtime/native/mine.h
those edits are kept in:
  runtime-edits.patch
next:
  cd mypkg
  git diff
  pip install .

"#]]
    );
    let patch = outcome.read("mypkg/runtime-edits.patch");
    assert!(
        patch.contains("\n-two\n+deux\n") && !patch.contains("sechs"),
        "{patch}"
    );

    // On the old runtime it gives the edited one, and three ways it goes onto the new one.
    let folder = outcome.path("mypkg");
    run_git(&folder, &["add", "runtime-edits.patch"]);
    run_git(
        &folder,
        &[
            "stash",
            "push",
            "--quiet",
            "--include-untracked",
            "--",
            "runtime",
        ],
    );
    run_git(&folder, &["checkout", "--quiet", "HEAD~1", "--", "runtime"]);
    run_git(
        &folder,
        &[
            "rm",
            "--quiet",
            "--force",
            "runtime/native/mine.h",
            "runtime/native/empty.h",
        ],
    );
    assert_eq!(contents(&folder.join("runtime")), before);
    run_git(&folder, &["apply", "runtime-edits.patch"]);
    assert_eq!(contents(&folder.join("runtime")), edited);
}

#[test]
fn without_history_the_patch_is_of_the_new_text() {
    let outcome = made();
    replace(&outcome.path("mypkg/runtime/native/a.h"), "two", "deux");
    next(&outcome);
    let outcome = update(outcome).run().success();
    check_new(&outcome);
    let status = Command::new("git")
        .args(["apply", "runtime-edits.patch"])
        .current_dir(outcome.path("mypkg"))
        .status();
    assert!(status.unwrap().success());
    assert_eq!(
        outcome.read("mypkg/runtime/native/a.h"),
        TEXT.replace("two", "deux")
    );
}

#[test]
fn an_earlier_patch_is_not_overwritten() {
    let outcome = made();
    replace(&outcome.path("mypkg/runtime/native/a.h"), "two", "deux");
    write(&outcome.path("mypkg/runtime-edits.patch"), "mine\n");
    let before = contents(&outcome.path("mypkg"));
    let outcome = update(outcome).run().failure(
        1,
        "error: destination `mypkg` cannot hold the files: `runtime-edits.patch` is there already\n\
         hint: move them away first\n",
    );
    assert_eq!(contents(&outcome.path("mypkg")), before);
}

#[test]
fn one_that_is_absent_is_restored() {
    let outcome = made();
    let before = contents(&outcome.path("mypkg"));
    fs::remove_dir_all(outcome.path("mypkg/runtime")).unwrap();
    let outcome = update(outcome).run().success();
    assert_eq!(contents(&outcome.path("mypkg")), before);
    fs::remove_file(outcome.path("mypkg/runtime/native/a.h")).unwrap();
    let outcome = update(outcome).run().success();
    assert_eq!(contents(&outcome.path("mypkg")), before);
}

#[test]
fn one_that_is_not_in_git_is_restored() {
    let outcome = committed();
    write(&outcome.path("mypkg/.gitignore"), "/runtime/\n");
    run_git(&outcome.path("mypkg"), &["rm", "-r", "--quiet", "runtime"]);
    commit(&outcome);
    let outcome = update(outcome).run().success();
    assert_eq!(outcome.read("mypkg/runtime/native/a.h"), TEXT);
    assert_eq!(
        run_git(&outcome.path("mypkg"), &["status", "--porcelain"]),
        ""
    );
}

#[test]
fn what_builds_and_tests_leave_in_it_is_no_edit() {
    let outcome = made();
    let runtime = outcome.path("mypkg/runtime");
    for path in [
        "native/target/debug/a.o",
        "tests/__pycache__/a.pyc",
        ".pytest_cache/a",
        "python/a.so",
    ] {
        write(&runtime.join(path), "built");
    }
    next(&outcome);
    let outcome = update(outcome).run().success();
    assert!(!outcome.path("mypkg/runtime-edits.patch").exists());
    assert!(
        outcome
            .path("mypkg/runtime/native/target/debug/a.o")
            .exists()
    );
}

#[test]
fn sums_that_are_gone() {
    let outcome = made();
    fs::remove_file(outcome.path("mypkg/runtime/SHA256SUMS")).unwrap();
    replace(&outcome.path("mypkg/runtime/native/a.h"), "two", "deux");
    let outcome = update(outcome).run().success();
    let patch = outcome.read("mypkg/runtime-edits.patch");
    assert_eq!(patch.matches("--- ").count(), 1, "{patch}");
    assert!(patch.contains("\n-two\n+deux\n"), "{patch}");
}
