//! Tests contents that the destination may have, and what happens to them.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use snapbox::str;

use crate::git::run_git;
use crate::project::{Outcome, Project, files};

#[test]
fn a_new_folder() {
    let outcome = Project::new("mypkg").with_layers().run().success();
    assert_eq!(outcome.entries(""), ["mypkg"]);
    let expected = [
        "Cargo.lock",
        "LICENSE",
        "about.txt",
        "python/mypkg/__init__.py",
        "src/lib.rs",
    ];
    assert_eq!(files(&outcome.path("mypkg")), expected);
}

#[test]
fn permissions_are_as_of_any_new_folder() {
    use std::os::unix::fs::PermissionsExt;
    let outcome = Project::new("mypkg").with_layers().run().success();
    fs::create_dir(outcome.path("other")).unwrap();
    let mode = |folder| {
        fs::metadata(outcome.path(folder))
            .unwrap()
            .permissions()
            .mode()
    };
    assert_eq!(mode("mypkg"), mode("other"));
}

#[test]
fn folders_above_it_are_made() {
    let outcome = Project::new("mypkg")
        .with_layers()
        .output("a/b/c/")
        .run()
        .success();
    assert_eq!(outcome.entries("a/b"), ["c"]);
    assert!(outcome.path("a/b/c/about.txt").exists());
}

#[test]
fn spaces_and_unicode_in_the_path() {
    let outcome = Project::new("mypkg")
        .with_layers()
        .output("mein Päckchen/ü")
        .run()
        .success();
    assert!(outcome.path("mein Päckchen/ü/about.txt").exists());
    assert!(
        outcome.stdout.contains("\n  cd 'mein Päckchen/ü'\n"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn the_current_folder() {
    let outcome = Project::new("mypkg")
        .with_layers()
        .inside("here")
        .output(".")
        .run()
        .success();
    assert!(outcome.path("here/about.txt").exists());
    assert!(!outcome.stdout.contains("cd "), "{}", outcome.stdout);
}

#[test]
fn a_symbolic_link_to_an_empty_folder() {
    let project = Project::new("mypkg").with_layers();
    fs::create_dir(project.path("real")).unwrap();
    symlink("real", project.path("link")).unwrap();
    let outcome = project.output("link").run().success();
    assert!(outcome.path("real/about.txt").exists());
    assert!(outcome.path("link").is_symlink());
}

#[test]
fn a_repository_without_files() {
    let project = Project::new("mypkg")
        .with_layers()
        .file("mypkg/.git/HEAD", "ref: refs/heads/main\n");
    let outcome = project.run().success();
    assert_eq!(outcome.entries("mypkg/.git"), ["HEAD"]);
    assert!(outcome.path("mypkg/about.txt").exists());
}

#[test]
fn conflicts_are_listed_and_nothing_is_written() {
    let project = Project::new("mypkg").with_layers();
    let project = project
        .file("mypkg/LICENSE", "mine")
        .file("mypkg/src/lib.rs", "mine");
    let outcome = project.file("mypkg/notes.txt", "mine").run();
    let outcome = outcome.failure(
        1,
        str![[r#"
error: destination `mypkg` already exists and holds 2 files of the package:
  LICENSE
  src/lib.rs
hint: `--force` overwrites them, `--dry-run` shows them, `--output DIR` makes the package elsewhere

"#]],
    );
    assert_eq!(
        files(&outcome.path("mypkg")),
        ["LICENSE", "notes.txt", "src/lib.rs"]
    );
    assert_eq!(outcome.read("mypkg/LICENSE"), "mine");
}

/// Nobody reads as many names, and the hint is what helps.
#[test]
fn many_conflicts_are_counted() {
    let outcome = Project::new("mypkg").run().success();
    let outcome = outcome.again("mypkg").run();
    assert_eq!(outcome.code, 1);
    let lines: Vec<_> = outcome.stderr.lines().collect();
    assert!(
        matches!(lines[..], [error, hint] if error.ends_with(" files of the package") && hint.starts_with("hint: ")),
        "{}",
        outcome.stderr
    );
    let outcome = outcome.again("mypkg").arg("--force").run().success();
    let overwritten = outcome
        .stdout
        .lines()
        .find(|it| it.starts_with("overwritten: "));
    assert!(
        overwritten.unwrap().ends_with(" files"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_package_inside_a_package_is_told() {
    let inner = |project: Project| project.with_layers().inside("outer/tools");
    for options in [&[][..], &["--dry-run"]] {
        let project = inner(Project::bare().args(["new", "mypkg"]).args(options))
            .file("outer/.cuvec-new.toml", "");
        let outcome = project.run().success();
        let note = "note: it is inside the package `";
        assert!(outcome.stderr.starts_with(note), "{}", outcome.stderr);
    }
    let outcome = inner(Project::new("mypkg")).run().success();
    assert_eq!(outcome.stderr, "");
}

#[test]
fn a_folder_with_other_files_only() {
    let project = Project::new("mypkg")
        .with_layers()
        .file("mypkg/notes.txt", "mine");
    let outcome = project.run().failure(
        1,
        str![[r#"
error: destination `mypkg` already exists and is not empty
hint: `--force` adds the package to it, `--output DIR` makes it elsewhere

"#]],
    );
    assert_eq!(files(&outcome.path("mypkg")), ["notes.txt"]);
}

/// Makes a repository of a folder, with all that is in it in a commit.
fn commit(folder: &Path) {
    run_git(folder, &["init", "--quiet"]);
    run_git(folder, &["add", "."]);
    run_git(folder, &["commit", "--quiet", "--message", "all"]);
}

/// Contents in no commit are lost once overwritten.
#[test]
fn force_overwrites_only_what_a_commit_has() {
    let project = Project::new("mypkg").with_layers().arg("--force");
    let project = project
        .file("mypkg/LICENSE", "mine")
        .file("mypkg/src/lib.rs", "mine")
        .file("mypkg/.gitignore", "/src/\n");
    let folder = project.path("mypkg");
    commit(&folder);
    fs::write(folder.join("about.txt"), "new").unwrap();
    let refused = str![[r#"
error: `--force` would overwrite files in `mypkg` that no commit has:
  about.txt
  src/lib.rs
hint: commit them, or move them away

"#]];
    let outcome = project.run().failure(1, refused.clone());
    assert_eq!(outcome.read("mypkg/about.txt"), "new");
    run_git(&folder, &["add", "--force", "."]);
    let layers = outcome.path("layers/templates");
    let again = |outcome: Outcome| {
        let project = outcome.again("mypkg").arg("--force");
        project.arg("--templates").arg(&layers).run()
    };
    let outcome = again(outcome).failure(1, refused); // not in a commit yet
    run_git(
        &outcome.path("mypkg"),
        &["commit", "--quiet", "--message", "more"],
    );
    again(outcome).success();
}

#[test]
fn force_says_what_it_overwrites_and_keeps_the_rest() {
    let project = Project::new("mypkg")
        .with_layers()
        .arg("--force")
        .arg("--no-git");
    let project = project
        .file("mypkg/LICENSE", "mine")
        .file("mypkg/src/lib.rs", "mine");
    let project = project.file("mypkg/src/notes.txt", "mine");
    commit(&project.path("mypkg"));
    let outcome = project.run().success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
created `mypkg` in `mypkg`: 5 files, bindings `pyo3`, kernels `cu`
author: Ada Lovelace <ada@example.org>; `--author` and `--email` give another one
overwritten:
  LICENSE
  src/lib.rs
next (the first build takes about a minute):
  cd mypkg
  python3 -m venv .venv
  . .venv/bin/activate
  pip install . pytest && pytest
  python -c 'from mypkg import cuvec; print(cuvec.device())'
then:
  edit kernels/ and tests/, then pip install . && pytest
  cuvec-new add gemv '(m,n),(n)->(m)'

"#]]
    );
    assert_ne!(outcome.read("mypkg/LICENSE"), "mine");
    assert_ne!(outcome.read("mypkg/src/lib.rs"), "mine");
    assert_eq!(outcome.read("mypkg/src/notes.txt"), "mine");
    assert!(
        !outcome
            .entries("mypkg")
            .iter()
            .any(|name| name.contains("workspace"))
    );
}

#[test]
fn force_and_dry_run_say_it_without_doing_it() {
    let project = Project::new("mypkg")
        .with_layers()
        .args(["--force", "--dry-run"]);
    let project = project.file("mypkg/LICENSE", "mine");
    commit(&project.path("mypkg"));
    let outcome = project.run().success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
mypkg/
├── Cargo.lock               66 B
├── LICENSE                  28 B  overwrites
├── about.txt               270 B
├── python/
│   └── mypkg/
│       └── __init__.py      23 B
└── src/
    └── lib.rs               18 B
5 files, 405 bytes; nothing was written

"#]]
    );
    assert_eq!(files(&outcome.path("mypkg")), ["LICENSE"]);
    assert_eq!(outcome.read("mypkg/LICENSE"), "mine");
}

#[test]
fn a_file_where_the_folder_should_be() {
    Project::new("mypkg").file("mypkg", "").run().failure(
        1,
        str![[r#"
error: destination `mypkg` cannot hold the files: it is not a folder
hint: make the package elsewhere with `--output DIR`

"#]],
    );
}

#[test]
fn a_file_above_the_destination() {
    Project::new("mypkg")
        .file("a", "")
        .output("a/b/c")
        .run()
        .failure(
            1,
            str![[r#"
error: destination `a/b/c` cannot hold the files: `a` is not a folder
hint: make the package elsewhere with `--output DIR`

"#]],
        );
}

#[test]
fn a_symbolic_link_to_nothing() {
    let project = Project::new("mypkg");
    symlink("nowhere", project.path("mypkg")).unwrap();
    project.run().failure(
        1,
        str![[r#"
error: destination `mypkg` cannot hold the files: it is not a folder
hint: make the package elsewhere with `--output DIR`

"#]],
    );
}

#[test]
fn force_replaces_no_folder_by_a_file_nor_the_reverse() {
    let project = Project::new("mypkg").with_layers().arg("--force");
    let project = project
        .file("mypkg/LICENSE/text", "mine")
        .file("mypkg/src", "mine");
    let outcome = project.run().failure(
        1,
        str![[r#"
error: destination `mypkg` cannot hold the files: `LICENSE` is a folder, `src` is not a folder
hint: make the package elsewhere with `--output DIR`

"#]],
    );
    assert_eq!(files(&outcome.path("mypkg")), ["LICENSE/text", "src"]);
}

#[test]
fn force_follows_no_link_out_of_the_folder() {
    let project = Project::new("mypkg").with_layers().arg("--force");
    let project = project
        .file("mypkg/notes.txt", "")
        .file("elsewhere/lib.rs", "mine");
    symlink("../elsewhere", project.path("mypkg/src")).unwrap();
    symlink("../elsewhere/lib.rs", project.path("mypkg/LICENSE")).unwrap();
    let outcome = project.run().failure(
        1,
        str![[r#"
error: destination `mypkg` cannot hold the files: `src` is not a folder
hint: make the package elsewhere with `--output DIR`

"#]],
    );

    // A link where a file goes is replaced, and what it points to stays.
    fs::remove_file(outcome.path("mypkg/src")).unwrap();
    let layers = outcome.path("layers/templates");
    let outcome = outcome
        .again("mypkg")
        .arg("--force")
        .arg("--templates")
        .arg(layers)
        .run()
        .success();
    assert!(!outcome.path("mypkg/LICENSE").is_symlink());
    assert_eq!(outcome.read("elsewhere/lib.rs"), "mine");
}
