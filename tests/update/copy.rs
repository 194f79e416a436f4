//! The copy of the runtime that packages had before they had an archive: removed, and no edit of it is lost.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};
use snapbox::str;

use super::{ARCHIVE, TEXT, commit, committed, contents, fresh, made, replace, update};
use crate::git::run_git;
use crate::project::{Outcome, Project, write};

/// Records of the runtime in packages now, and before, when they had a copy.
const RECORDS: [&str; 2] = ["runtime = \"bundled\"\n", "runtime = \"vendored\"\n"];

/// Turns a package into one with a copy of these files.
pub fn vendored(outcome: &Outcome, files: &[(&str, &str)]) {
    let folder = outcome.path("mypkg");
    fs::remove_dir_all(folder.join("runtime")).unwrap();
    let mut sums = String::new();
    for (path, text) in files {
        write(&folder.join("runtime").join(path), text);
        let sum = Sha256::digest(text.as_bytes());
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{sum}  {path}\n");
    }
    write(&folder.join("runtime/SHA256SUMS"), &sums);
    replace(&folder.join(".cuvec-new.toml"), RECORDS[0], RECORDS[1]);
    // The locks of those packages did not cover it.
    let lock = outcome.read("mypkg/.cuvec-new.lock");
    let entries = lock.split_inclusive('\u{c}');
    let own = entries.filter(|entry| !entry.starts_with("runtime/"));
    let own: String = own.collect();
    write(
        &folder.join(".cuvec-new.lock"),
        own.trim_end_matches('\u{c}'),
    );
}

const FILES: [(&str, &str); 3] = [
    ("VERSION", "1\n"),
    ("native/.settings", "old\n"),
    ("native/a.h", TEXT),
];

/// One in a repository of its own, or in none.
fn with_copy(made: Outcome) -> Outcome {
    vendored(&made, &FILES);
    if made.path("mypkg/.git").exists() {
        commit(&made);
    }
    made
}

#[track_caller]
fn check_new(outcome: &Outcome) {
    let mut found = contents(&outcome.path("mypkg"));
    found.remove("runtime-edits.patch");
    assert_eq!(found, fresh(outcome));
}

#[test]
fn nobody_edited_it() {
    for record in [RECORDS[1], ""] {
        let outcome = with_copy(made());
        replace(&outcome.path("mypkg/.cuvec-new.toml"), RECORDS[1], record);
        let outcome = update(outcome).run().success();
        check_new(&outcome);
        assert!(!outcome.path("mypkg/runtime-edits.patch").exists());
        for told in [
            "added:\n  runtime/ (2 files)\n",
            "removed:\n  runtime/ (4 files)\n",
        ] {
            assert!(outcome.stdout.contains(told), "{}", outcome.stdout);
        }
        let outcome = update(outcome).arg("--check").run().success();
        assert_eq!(outcome.stdout, "`mypkg` in `mypkg` is up to date\n");
    }
}

#[test]
fn edits_are_kept_as_a_patch_of_what_they_edited() {
    let outcome = with_copy(committed());
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
    let outcome = update(outcome).run().success();
    check_new(&outcome);
    let told = outcome.stdout.split("edited in").nth(1).unwrap();
    snapbox::assert_data_eq!(
        told,
        str![[r#"
 the copy of the runtime, which is removed:
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
    assert!(patch.contains("\n-two\n+deux\n"), "{patch}");

    // On the old copy it gives the edited one.
    let folder = outcome.path("mypkg");
    fs::remove_dir_all(folder.join("runtime")).unwrap();
    run_git(&folder, &["checkout", "--quiet", "HEAD~1", "--", "runtime"]);
    assert_eq!(contents(&folder.join("runtime")), before);
    run_git(&folder, &["apply", "runtime-edits.patch"]);
    assert_eq!(contents(&folder.join("runtime")), edited);
}

/// It can be applied to the archive, unpacked as README.md of the package says.
#[test]
fn without_history_the_patch_is_of_the_new_text() {
    let header = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/include/cuvec/api.h");
    let header = fs::read_to_string(header).unwrap();
    let outcome = made();
    vendored(&outcome, &[("include/cuvec/api.h", &header)]);
    let edited = header.replacen('\n', "\n// mine\n", 1);
    write(&outcome.path("mypkg/runtime/include/cuvec/api.h"), &edited);
    let outcome = update(outcome).run().success();
    check_new(&outcome);
    let unpacked = outcome.path("mypkg/runtime/cuvec_runtime/include/cuvec/api.h");
    write(&unpacked, &header);
    let status = Command::new("git")
        .args(["apply", "-p2", "--directory", "runtime/cuvec_runtime"])
        .arg("runtime-edits.patch")
        .current_dir(outcome.path("mypkg"))
        .status();
    assert!(status.unwrap().success());
    assert_eq!(fs::read_to_string(unpacked).unwrap(), edited);
}

#[test]
fn an_earlier_patch_is_not_overwritten() {
    let outcome = with_copy(made());
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
fn one_that_is_absent() {
    let outcome = with_copy(made());
    fs::remove_dir_all(outcome.path("mypkg/runtime")).unwrap();
    let outcome = update(outcome).run().success();
    check_new(&outcome);
}

#[test]
fn what_builds_and_tests_leave_in_it_is_no_edit() {
    let outcome = with_copy(made());
    let runtime = outcome.path("mypkg/runtime");
    let left = [
        "native/target/debug/a.o",
        "tests/__pycache__/a.pyc",
        ".pytest_cache/a",
        "python/a.so",
    ];
    for path in left {
        write(&runtime.join(path), "built");
    }
    let outcome = update(outcome).run().success();
    assert!(!outcome.path("mypkg/runtime-edits.patch").exists());
    for path in left {
        fs::remove_file(outcome.path("mypkg/runtime").join(path)).unwrap();
    }
    check_new(&outcome);
}

#[test]
fn a_link_in_it_is_not_followed() {
    let outcome = with_copy(made());
    let folder = outcome.path("mypkg");
    fs::rename(folder.join("runtime/native"), folder.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../elsewhere", folder.join("runtime/native")).unwrap();
    let before = contents(&folder);
    let outcome = update(outcome).run().failure(
        1,
        "error: destination `mypkg` cannot hold the files: `runtime/native` is a link\n\
         hint: move them away first\n",
    );
    assert_eq!(contents(&outcome.path("mypkg")), before);
}

#[test]
fn checksums_that_are_gone() {
    let outcome = with_copy(made());
    fs::remove_file(outcome.path("mypkg/runtime/SHA256SUMS")).unwrap();
    let outcome = update(outcome).run().success();
    check_new(&outcome);
    let patch = outcome.read("mypkg/runtime-edits.patch");
    assert_eq!(patch.matches("--- ").count(), FILES.len(), "{patch}");
}

/// `vendored.tar.gz` is a package that 0633361fd662 made, without most of its copy.
#[test]
fn a_real_package_becomes_a_new_one() {
    let archive = fs::File::open(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/update/vendored.tar.gz"
    ));
    let mut archive = tar::Archive::new(GzDecoder::new(archive.unwrap()));
    let made = Project::new("mypkg").arg("--no-git").run().success();
    let mut expected = contents(&made.path("mypkg"));
    fs::remove_dir_all(made.path("mypkg")).unwrap();
    archive.unpack(made.path("")).unwrap();
    let before = made.read("mypkg/.cuvec-new.toml");
    assert!(before.contains(RECORDS[1]), "{before}");
    assert!(!made.path("mypkg").join(ARCHIVE).exists());
    let year = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("year = "));
        line.unwrap()["year = ".len()..].to_owned()
    };
    let years = [
        year(std::str::from_utf8(&expected[".cuvec-new.toml"]).unwrap()),
        year(&before),
    ];
    of_year(&mut expected, &years);
    let outcome = made.again("update").arg("mypkg").run().success();
    let found = contents(&outcome.path("mypkg"));
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        expected.keys().collect::<Vec<_>>()
    );
    for (path, contents) in &expected {
        assert!(found[path] == *contents, "{path}");
    }
}

/// A package keeps the year in which it was made.
fn of_year(files: &mut BTreeMap<String, Vec<u8>>, [now, then]: &[String; 2]) {
    for path in ["LICENSE", ".cuvec-new.lock", ".cuvec-new.toml"] {
        let text = String::from_utf8(files[path].clone()).unwrap();
        let text = ["Copyright ", "Copyright (c) ", "year = "]
            .iter()
            .fold(text, |text, word| {
                text.replace(&format!("{word}{now}"), &format!("{word}{then}"))
            });
        files.insert(path.to_owned(), text.into_bytes());
    }
}
