//! The first commit, and how nothing but the new folder is touched for it.

use std::path::Path;
use std::process::Command;

use crate::project::{Outcome, Project, entries, files};

/// Runs git in a folder of an outcome and returns what it prints.
fn git(outcome: &Outcome, folder: &str, arguments: &[&str]) -> String {
    run_git(&outcome.path(folder), arguments)
}

pub fn run_git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=test", "-c", "user.email=test@example.org"])
        .args(arguments)
        .current_dir(folder)
        .env("HOME", folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn everything_is_in_the_first_commit() {
    let outcome = Project::new("mypkg").run().success();
    assert_eq!(
        git(&outcome, "mypkg", &["status", "--porcelain", "--ignored"]),
        ""
    );
    let log = git(&outcome, "mypkg", &["log", "--format=%an <%ae>|%s|%D"]);
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "Ada Lovelace <ada@example.org>|Scaffold mypkg with cuvec-new {version}|HEAD -> main\n"
    );
    assert_eq!(log, expected);
    let listed = git(
        &outcome,
        "mypkg",
        &["-c", "core.quotePath=false", "ls-files"],
    );
    let mut listed: Vec<_> = listed.lines().map(str::to_owned).collect();
    listed.sort();
    assert_eq!(listed, files(&outcome.path("mypkg")));
}

#[test]
fn no_git_is_obeyed() {
    let outcome = Project::new("mypkg")
        .with_layers()
        .arg("--no-git")
        .run()
        .success();
    assert!(!outcome.path("mypkg/.git").exists());
}

#[test]
fn a_repository_around_it_is_not_touched() {
    let project = Project::new("mypkg")
        .with_layers()
        .file("outer/tracked.txt", "");
    let outer = project.path("outer");
    run_git(&outer, &["init", "--quiet"]);
    run_git(&outer, &["add", "tracked.txt"]);
    let before = snapshot(&outer.join(".git"));

    let outcome = project.inside("outer/deep").run().success();

    assert_eq!(snapshot(&outer.join(".git")), before);
    assert!(outcome.path("outer/deep/mypkg/about.txt").exists());
    assert!(!outcome.path("outer/deep/mypkg/.git").exists());
    assert!(
        outcome
            .stdout
            .contains("; no commit, since it is inside the git repository `")
    );
}

/// GitHub's templates for C, C++, CUDA, CMake, Python and Rust, as far as they are patterns for files of any folder.
const IGNORED: &str = "\
*.d *.o *.ko *.obj *.elf *.ilk *.map *.exp *.gch *.pch *.lib *.a *.la *.lo *.dll *.so *.so.* *.dylib *.exe *.out *.app *.i*86 *.x86_64 *.hex
*.su *.idb *.pdb *.mod* *.cmd *.smod *.slo *.i *.ii *.gpu *.ptx *.cubin *.fatbin CMakeFiles CMakeScripts Testing Makefile _deps build/ dist/
lib/ lib64/ parts/ sdist/ var/ wheels/ share/python-wheels/ *.egg MANIFEST *.manifest *.spec htmlcov/ cover/ *.cover *.mo *.pot *.log local_settings.py
instance/ docs/_build/ target/ debug/ *.rs.bk env/ venv/ ENV/ .env .cache Cargo.lock";

#[test]
fn what_a_repository_around_it_ignores_is_in_a_commit() {
    for (kernels, bridge) in [("rust", "swig"), ("cu", "pyo3")] {
        let project = Project::new("mypkg")
            .file("outer/.gitignore", &IGNORED.replace(' ', "\n"))
            .args(["--kernels", kernels, "--bridge", bridge]);
        let outer = project.path("outer");
        run_git(&outer, &["init", "--quiet"]);
        let outcome = project.inside("outer").run().success();
        run_git(&outer, &["add", "."]);
        let listed = git(&outcome, "outer/mypkg", &["ls-files"]);
        let missing: Vec<_> = files(&outcome.path("outer/mypkg"))
            .into_iter()
            .filter(|file| !listed.lines().any(|line| line == file))
            .collect();
        assert_eq!(missing, [""; 0], "{kernels} {bridge}");
    }
}

/// Names and contents of all files in a folder.
fn snapshot(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = files(folder).into_iter();
    files
        .map(|file| (file.clone(), std::fs::read(folder.join(file)).unwrap()))
        .collect()
}

#[test]
fn a_worktree_counts_as_a_repository() {
    let project = Project::new("mypkg")
        .with_layers()
        .file("tree/.git", "gitdir: /elsewhere\n");
    let outcome = project.inside("tree").run().success();
    assert!(!outcome.path("tree/mypkg/.git").exists());
}

#[test]
fn a_cargo_workspace_around_it_is_not_touched() {
    let manifest = "[workspace]\nmembers = [\"*\"]\n";
    let outcome = Project::new("mypkg")
        .with_layers()
        .file("Cargo.toml", manifest)
        .run()
        .success();
    assert_eq!(outcome.read("Cargo.toml"), manifest);
}

#[test]
fn variables_of_another_repository_are_ignored() {
    let project = Project::new("mypkg").with_layers();
    let other = project.path("other");
    std::fs::create_dir(&other).unwrap();
    run_git(&other, &["init", "--quiet"]);
    let before = snapshot(&other.join(".git"));
    let outcome = project
        .env("GIT_DIR", other.join(".git"))
        .env("GIT_WORK_TREE", &other)
        .env("GIT_INDEX_FILE", other.join(".git/index"))
        .run()
        .success();
    assert_eq!(snapshot(&other.join(".git")), before);
    assert_eq!(git(&outcome, "mypkg", &["status", "--porcelain"]), "");
}

#[test]
fn hooks_signing_and_ignore_files_of_the_user_do_not_matter() {
    let project = Project::new("mypkg").with_layers();
    let home = project.path("home");
    let config = format!(
        "[core]\nhooksPath = {0}/hooks\nexcludesFile = {0}/ignore\nautocrlf = true\nsafecrlf = true\n\
         [commit]\ngpgSign = true\n[gpg]\nprogram = false\n[init]\ndefaultBranch = trunk\n",
        home.display()
    );
    let project = project
        .file("home/.gitconfig", &config)
        .file("home/ignore", "*.lock\n");
    for hook in [
        "pre-commit",
        "commit-msg",
        "prepare-commit-msg",
        "post-commit",
        "post-index-change",
    ] {
        let path = format!("home/hooks/{hook}");
        let mark = home.join("hook-ran");
        let project_file = format!("#!/bin/sh\ntouch '{}'\nexit 1\n", mark.display());
        crate::project::write(&project.path(&path), &project_file);
        crate::project::make_executable(&project.path(&path));
    }
    let outcome = project.run().success();
    assert_eq!(outcome.stderr, "");
    assert!(!outcome.path("home/hook-ran").exists());
    assert_eq!(
        git(&outcome, "mypkg", &["branch", "--show-current"]),
        "main\n"
    );
    assert!(git(&outcome, "mypkg", &["ls-files"]).contains("Cargo.lock"));
}

#[test]
fn no_identity_is_needed() {
    let outcome = Project::new("mypkg")
        .with_layers()
        .file("home/.gitconfig", "");
    let outcome = outcome.env("USER", "grace").run().success();
    assert_eq!(outcome.stderr, "");
    assert_eq!(
        git(&outcome, "mypkg", &["log", "--format=%an <%ae>"]),
        "grace <>\n"
    );
    assert!(
        outcome
            .read("mypkg/about.txt")
            .contains("authors = [{ name = \"grace\" }]\n")
    );
}

#[test]
fn nobody_knows_who_the_user_is() {
    let project = Project::new("mypkg")
        .with_layers()
        .without_env("HOME")
        .without_env("USER");
    let outcome = project.run().success();
    assert_eq!(outcome.stderr, "");
    assert!(
        outcome
            .read("mypkg/about.txt")
            .contains("{ name = \"The mypkg authors\" }")
    );
    assert!(outcome.path("mypkg/.git").exists());
}

#[test]
fn an_email_that_pypi_would_refuse_is_left_out() {
    let config = "[user]\nname = root\nemail = root@(none)\n";
    let outcome = Project::new("mypkg")
        .with_layers()
        .file("home/.gitconfig", config)
        .run();
    assert!(
        outcome
            .success()
            .read("mypkg/about.txt")
            .contains("authors = [{ name = \"root\" }]\n")
    );
}

#[test]
fn works_without_git() {
    let project = Project::new("mypkg").with_layers();
    let nothing = project.path("home");
    let outcome = project.env("PATH", nothing).run().success();
    assert!(outcome.path("mypkg/about.txt").exists());
    assert!(!outcome.path("mypkg/.git").exists());
    assert_eq!(
        outcome.stderr,
        "note: no git repository was made: `git` is not installed\n"
    );
}

#[test]
fn a_git_that_fails_leaves_no_half_repository() {
    let script = "case \"$*\" in *commit*--message*) echo 'fatal: no luck' >&2; exit 1;; *) PATH=${PATH#*:} exec git \"$@\";; esac";
    let outcome = Project::new("mypkg")
        .with_layers()
        .program("git", script)
        .run()
        .success();
    assert_eq!(
        outcome.stderr,
        "note: no git repository was made: fatal: no luck\n"
    );
    assert!(!outcome.path("mypkg/.git").exists());
    assert_eq!(entries(&outcome.path("")), ["mypkg"]);
}

/// Templates of `.gitignore` for CUDA, C++ and virtual environments have such lines.
#[test]
fn files_that_a_repository_around_it_ignores_are_told() {
    let project = Project::new("mypkg").with_layers().inside("outer");
    let project = project.file("outer/.gitignore", "src/\n*.lock\n");
    run_git(&project.path("outer"), &["init", "--quiet"]);
    let outcome = project.run().success();
    let note = "note: git ignores 2 files of the package, such as `Cargo.lock`; to commit all of it: git add --force mypkg\n";
    assert_eq!(outcome.stderr, note);
}
