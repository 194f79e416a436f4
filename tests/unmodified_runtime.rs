//! How anybody sees that nobody has edited `runtime/`: a line of its README, which CI runs too.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::git::run_git;
use crate::project::{Project, write};

/// The line in README.md of a runtime.
fn line(readme: &str) -> &str {
    let found = readme
        .lines()
        .find(|line| line.ends_with("diff SHA256SUMS -"));
    found.unwrap().strip_prefix("cd runtime && ").unwrap()
}

/// What it prints, and whether it succeeds.
fn check(folder: &Path, line: &str) -> (bool, String) {
    let output = Command::new("bash")
        .args(["-c", line])
        .current_dir(folder.join("runtime"))
        .output();
    let output = output.unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

#[test]
fn edits_are_seen() {
    let outcome = Project::new("mypkg").run().success();
    let (folder, readme) = (
        outcome.path("mypkg"),
        outcome.read("mypkg/runtime/README.md"),
    );
    let line = line(&readme);
    assert_eq!(check(&folder, line), (true, String::new()));
    // What builds and tests leave there.
    write(&folder.join("runtime/target/release/a.rs"), "");
    write(&folder.join("runtime/cuvec/__pycache__/a.pyc"), "");
    assert_eq!(check(&folder, line), (true, String::new()));

    for (file, text) in [
        ("cuvec/functions.py", "edited"),
        ("cuvec/added.py", "added"),
        ("core/build.rs", "fn main() {}"),
    ] {
        write(&folder.join("runtime").join(file), text);
        for command in [&["status"][..], &["add", "--all"]] {
            run_git(&folder, command);
            let (good, said) = check(&folder, line);
            assert!(!good && said.contains(&format!("  {file}\n")), "{said}");
        }
        run_git(&folder, &["reset", "--quiet", "--hard"]);
        assert_eq!(check(&folder, line), (true, String::new()));
    }
    fs::remove_file(folder.join("runtime/VERSION")).unwrap();
    for command in [&["status"][..], &["add", "--all"]] {
        run_git(&folder, command);
        let (good, said) = check(&folder, line);
        assert!(!good && said.contains("  VERSION\n"), "{said}");
    }
}

#[test]
fn ci_runs_the_same() {
    for (ci, file) in [
        ("github", ".github/workflows/ci.yml"),
        ("gitlab", ".gitlab-ci.yml"),
    ] {
        let project = Project::new("mypkg").args(["--ci", ci, "--no-git"]);
        let outcome = project.run().success();
        let readme = outcome.read("mypkg/runtime/README.md");
        let text = outcome.read(&format!("mypkg/{file}"));
        let words: Vec<_> = text.split_whitespace().collect();
        assert!(words.join(" ").contains(line(&readme)), "{text}");
    }
}
