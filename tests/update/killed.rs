//! `kill -9` at any moment of an update: the package is as it was, or as it will be, or the next run says how it gets there.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::copy::vendored;
use super::{contents, copy_files, made, replace};
use crate::killed::follow_the_hint;
use crate::project::{Outcome, command, write};

const KILLS: u32 = 40;

/// Files of a copy of the runtime, which are removed: so many moves take long enough to be met.
const FILES: usize = 60;

/// A package with edits, and layers that differ from its own.
fn outdated() -> Outcome {
    let outcome = made();
    let paths: Vec<_> = (0..FILES).map(|n| format!("tests/{n}/file.txt")).collect();
    let files: Vec<_> = paths.iter().map(|path| (&**path, "old\n")).collect();
    vendored(&outcome, &files);
    let [folder, layers] = ["mypkg", "layers/templates/common"].map(|folder| outcome.path(folder));
    replace(&folder.join("text.txt"), "two", "deux");
    replace(&layers.join("text.txt"), "six", "sechs");
    write(&folder.join("runtime/tests/0/file.txt"), "mine\n");
    outcome
}

fn update(root: &Path, layers: &Path) -> Command {
    let mut command = command(root);
    command.args(["update", "mypkg", "--templates"]).arg(layers);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn as_it_was_or_as_it_will_be() {
    let outcome = outdated();
    let layers = outcome.path("layers/templates");
    let (old, new) = (outcome.path("mypkg"), outcome.path("home/new"));
    copy_files(&old, &new.join("mypkg"));
    let start = Instant::now();
    assert!(update(&new, &layers).status().unwrap().success());
    let length = start.elapsed();
    let (before, after) = (contents(&old), contents(&new.join("mypkg")));
    assert!(before != after);

    let (mut whole, mut begun) = (0, 0);
    for n in 0..KILLS {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("mypkg");
        copy_files(&old, &folder);
        let mut run = update(root.path(), &layers).spawn().unwrap();
        let workspace = folder.join(".cuvec-new-workspace");
        if n % 2 == 0 {
            sleep(length * n / KILLS);
        } else {
            // Counted from the first move on, which the others seldom meet.
            while !workspace.join("old").exists() && run.try_wait().unwrap().is_none() {
                sleep(Duration::from_micros(50));
            }
            sleep(Duration::from_micros(50) * n);
        }
        run.kill().unwrap();
        run.wait().unwrap();
        let found = || contents(&folder);
        if !workspace.exists() {
            assert!(found() == before || found() == after, "{n}");
            whole += 1;
        } else if follow_the_hint(update(root.path(), &layers), root.path()).starts_with("cp ") {
            assert!(found() == after, "{n}");
            begun += 1;
        } else {
            // Before the first move, or after the last one.
            assert!(found() == before || found() == after, "{n}");
        }
    }
    assert!(
        whole > 0 && begun > 0,
        "{whole} of {KILLS} were whole, {begun} begun"
    );
}
