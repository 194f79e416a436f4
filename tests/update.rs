//! `cuvec-new update`: a package that exists becomes one of this version, with the edits of its owner.

mod answers;
mod copy;
mod edits;
mod killed;
mod next_version;
mod preview;
mod refused;
mod runtime;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::git::run_git;
use crate::project::{Outcome, Project, files, write};

/// Record as in the real packages.
const RECORD: &str = "version = {{toml version}}\nyear = {{year}}\n\n[answers]\n{{answers}}\n";

/// Line that the real backend does not do without.
const BACKEND: &str = "SHA256 = \"{{runtime_sha256}}\"\n";

/// The archive of the runtime in a package.
const ARCHIVE: &str = concat!(
    "runtime/cuvec_runtime-",
    env!("CARGO_PKG_VERSION"),
    ".tar.gz"
);

const TEXT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

/// The layers of the tests, with a record, a text to edit and a runtime.
fn layers(project: Project) -> Project {
    project
        .with_layers()
        .layer("common/.cuvec-new.toml.hbs", RECORD)
        .layer("common/text.txt", TEXT)
        .layer("common/deep/er/b.txt", "b\n")
        .layer("runtime/bundled/runtime/backend.py.hbs", BACKEND)
        .runtime("VERSION", "1\n")
        .runtime("native/a.h", TEXT)
        .runtime("native/.settings", "old\n")
}

/// A package that is in no repository.
fn made() -> Outcome {
    layers(Project::new("mypkg"))
        .arg("--no-git")
        .run()
        .success()
}

/// A package in a repository of its own.
fn committed() -> Outcome {
    layers(Project::new("mypkg")).run().success()
}

/// The update of such a package to layers that were changed since.
fn update(outcome: Outcome) -> Project {
    let layers = outcome.path("layers/templates");
    let project = outcome.again("update").arg("mypkg");
    project.arg("--templates").arg(layers)
}

fn commit(outcome: &Outcome) {
    let folder = outcome.path("mypkg");
    run_git(&folder, &["add", "--all"]);
    run_git(&folder, &["commit", "--quiet", "--message", "edits"]);
}

/// Every file of a package by its path.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |path: String| (path.clone(), fs::read(folder.join(path)).unwrap());
    files(folder).into_iter().map(read).collect()
}

/// All files of a folder, in another one.
fn copy_files(from: &Path, to: &Path) {
    for file in files(from) {
        let to = to.join(&file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from.join(&file), to).unwrap();
    }
}

/// Returns the package as it would be made now.
fn fresh(outcome: &Outcome) -> BTreeMap<String, Vec<u8>> {
    let project = Project::new("mypkg").arg("--no-git").arg("--templates");
    let fresh = project
        .arg(outcome.path("layers/templates"))
        .run()
        .success();
    contents(&fresh.path("mypkg"))
}

/// An edit of a text.
fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from}");
    write(path, &text.replacen(from, to, 1));
}
