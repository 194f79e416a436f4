//! The archive of the runtime, and the backend that names it: what the package has of them becomes what it should have.

use std::fs;
use std::path::Path;

use snapbox::str;

use super::{ARCHIVE, commit, committed, contents, fresh, made, replace, update};
use crate::git::run_git;
use crate::project::{Outcome, Project, write};

const BACKEND: &str = "runtime/backend.py";

/// The next version of the runtime.
fn next(outcome: &Outcome) {
    let runtime = outcome.path("layers/runtime");
    replace(&runtime.join("native/a.h"), "six", "sechs");
    write(&runtime.join("native/new.h"), "new\n");
}

/// Files that differ from the last commit, as `git diff --stat` counts them when all is added.
fn changed(folder: &Path) -> Vec<String> {
    run_git(folder, &["add", "--all"]);
    let listed = run_git(folder, &["diff", "--cached", "--name-only"]);
    listed.lines().map(String::from).collect()
}

#[test]
fn the_next_version_replaces_two_files() {
    let outcome = committed();
    next(&outcome);
    let outcome = update(outcome).run().success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
updated `mypkg` in `mypkg` to cuvec-new [..]
changed:
  .cuvec-new.lock
  runtime/ (2 files)
next:
  cd mypkg
  git diff
  pip install .

"#]]
    );
    assert_eq!(contents(&outcome.path("mypkg")), fresh(&outcome));
    let files = changed(&outcome.path("mypkg"));
    assert_eq!(files, [".cuvec-new.lock", BACKEND, ARCHIVE]);
}

/// Turns a package into one of another version, whose archive has another name and contents.
fn older(folder: &Path) {
    let version = env!("CARGO_PKG_VERSION");
    let old = ARCHIVE.replace(version, "0.0.1");
    fs::remove_file(folder.join(ARCHIVE)).unwrap();
    fs::write(folder.join(&old), "old\n").unwrap();
    replace(&folder.join(".cuvec-new.lock"), ARCHIVE, &old);
    let record = folder.join(".cuvec-new.toml");
    replace(&record, version, "0.0.1");
}

#[test]
fn an_archive_of_another_name_goes() {
    let outcome = committed();
    older(&outcome.path("mypkg"));
    commit(&outcome);
    let outcome = update(outcome).run().success();
    assert_eq!(contents(&outcome.path("mypkg")), fresh(&outcome));
}

/// With the real templates, only the archive changes, and every place that names it.
#[test]
fn a_runtime_of_another_version_is_a_small_change() {
    let outcome = Project::new("mypkg").bridge("nanobind").run().success();
    let folder = outcome.path("mypkg");
    let made = contents(&folder);
    older(&folder);
    let name = concat!("cuvec_runtime-", env!("CARGO_PKG_VERSION"));
    for path in [BACKEND, ".cuvec-new.lock"] {
        replace(&folder.join(path), name, "cuvec_runtime-0.0.1");
    }
    commit(&outcome);
    let outcome = outcome.again("update").arg("mypkg").run().success();
    assert_eq!(contents(&outcome.path("mypkg")), made);
    let old = ARCHIVE.replace(env!("CARGO_PKG_VERSION"), "0.0.1");
    let named = [".cuvec-new.lock", ".cuvec-new.toml", BACKEND];
    let files = changed(&outcome.path("mypkg"));
    assert_eq!(files, [&named[..], &[&*old, ARCHIVE]].concat());
}

#[test]
fn what_is_missing_damaged_or_edited_is_restored() {
    let mut outcome = made();
    let before = contents(&outcome.path("mypkg"));
    for path in [ARCHIVE, BACKEND] {
        let file = outcome.path("mypkg").join(path);
        let damage: [&dyn Fn(); 3] = [
            &|| fs::remove_file(&file).unwrap(),
            &|| fs::write(&file, &before[path][..before[path].len() / 2]).unwrap(),
            &|| fs::write(&file, [&before[path][..], b"# mine\n"].concat()).unwrap(),
        ];
        for damage in damage {
            damage();
            outcome = update(outcome).run().success();
            assert_eq!(contents(&outcome.path("mypkg")), before, "{path}");
        }
    }
    fs::remove_dir_all(outcome.path("mypkg/runtime")).unwrap();
    let outcome = update(outcome).run().success();
    assert_eq!(contents(&outcome.path("mypkg")), before);
}

#[test]
fn one_that_is_not_in_git_is_restored() {
    let outcome = committed();
    let before = contents(&outcome.path("mypkg/runtime"));
    write(&outcome.path("mypkg/.gitignore"), "/runtime/\n");
    run_git(&outcome.path("mypkg"), &["rm", "-r", "--quiet", "runtime"]);
    commit(&outcome);
    let outcome = update(outcome).run().success();
    assert_eq!(contents(&outcome.path("mypkg/runtime")), before);
    assert_eq!(
        run_git(&outcome.path("mypkg"), &["status", "--porcelain"]),
        ""
    );
}

/// Who changes the runtime unpacks it there.
#[test]
fn an_unpacked_runtime_is_its_owners() {
    let mut outcome = made();
    let mine = "mypkg/runtime/cuvec_runtime/native/a.h";
    write(&outcome.path(mine), "mine\n");
    next(&outcome);
    for runtime in ["bundled", "pypi", "bundled"] {
        let pypi = "layers/templates/runtime/pypi/layer.toml";
        write(&outcome.path(pypi), "summary = \"installed\"\n");
        outcome = update(outcome).args(["--runtime", runtime]).run().success();
        assert_eq!(outcome.read(mine), "mine\n");
        let archive = outcome.path("mypkg").join(ARCHIVE);
        assert_eq!(archive.exists(), runtime == "bundled");
    }
    fs::remove_dir_all(outcome.path("mypkg/runtime/cuvec_runtime")).unwrap();
    assert_eq!(contents(&outcome.path("mypkg")), fresh(&outcome));
}

/// Before `pypi` was called so.
#[test]
fn a_former_name_of_a_runtime() {
    let outcome = Project::new("mypkg")
        .args(["--runtime", "pypi", "--no-git"])
        .run()
        .success();
    let before = contents(&outcome.path("mypkg"));
    let record = outcome.path("mypkg/.cuvec-new.toml");
    replace(&record, "runtime = \"pypi\"", "runtime = \"wheel\"");
    let outcome = outcome.again("update").arg("mypkg").run().success();
    assert_eq!(contents(&outcome.path("mypkg")), before);
}
