//! `kill -9` at any moment of an update: the package is as it was, or as it will be, or the next run says how it gets there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::contents;
use crate::killed::follow_the_hint;
use crate::project::{Project, command, files, write};

const KILLS: u32 = 40;

fn update(root: &Path) -> Command {
    let mut command = command(root);
    command.args(["update", "mypkg", "--bridge", "nanobind"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

type Files = BTreeMap<String, Vec<u8>>;

fn copy(files: &Files, root: &Path) {
    for (path, contents) in files {
        write(&root.join("mypkg").join(path), "");
        fs::write(root.join("mypkg").join(path), contents).unwrap();
    }
}

#[test]
fn as_it_was_or_as_it_will_be() {
    let outcome = Project::new("mypkg").arg("--no-git").run().success();
    write(&outcome.path("mypkg/src/lib.rs"), "// mine\n");
    write(&outcome.path("mypkg/runtime/VERSION"), "mine\n");
    let before = contents(&outcome.path("mypkg"));
    let start = Instant::now();
    assert!(update(&outcome.path("")).status().unwrap().success());
    let length = start.elapsed();
    let after = contents(&outcome.path("mypkg"));
    assert!(before != after);

    let (mut whole, mut begun) = (0, 0);
    for n in 0..KILLS {
        let root = tempfile::tempdir().unwrap();
        copy(&before, root.path());
        let mut run = update(root.path()).spawn().unwrap();
        let workspace = root.path().join("mypkg/.cuvec-new-workspace");
        // A quarter of them is counted from the first move on, which the others seldom meet.
        let mark = ["", "", "new", "old"][n as usize % 4];
        if !mark.is_empty() {
            while !workspace.join(mark).exists() && run.try_wait().unwrap().is_none() {}
        }
        let pause = match mark {
            "" => length * n / KILLS,
            _ => Duration::from_micros(300) * n,
        };
        sleep(pause);
        run.kill().unwrap();
        run.wait().unwrap();
        if !workspace.exists() {
            let found = contents(&root.path().join("mypkg"));
            assert!(
                found == before || found == after,
                "{:?}",
                files(&root.path().join("mypkg"))
            );
            whole += 1;
            continue;
        }
        let finished = follow_the_hint(update(root.path()), root.path()).starts_with("cp ");
        let found = contents(&root.path().join("mypkg"));
        begun += u32::from(finished);
        // Without a move, or after the last one, there is nothing to finish.
        let expected = if finished {
            found == after
        } else {
            found == before || found == after
        };
        assert!(expected, "{n}, {finished}: {:?}", found.keys());
    }
    assert!(
        whole > 0 && begun > 0,
        "{whole} of {KILLS} were whole, {begun} begun"
    );
}
