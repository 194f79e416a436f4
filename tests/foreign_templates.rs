//! A folder of templates made by somebody else: it gives files to the package, and does nothing more.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use crate::project::{Outcome, Project, files, write};

#[track_caller]
fn refused(project: Project, problem: &str) -> Outcome {
    let outcome = project.run();
    let expected = format!(
        "error: broken template {problem}\n\
         hint: `templates/README.md` in the source of cuvec-new says what a layer may hold\n"
    );
    let outcome = outcome.failure(1, expected);
    assert_eq!(outcome.entries(""), [""; 0]);
    outcome
}

/// With it `git add` would run programs, or commit into another repository.
#[test]
fn nothing_that_git_takes_for_a_repository() {
    for file in [
        "common/.git.hbs",
        "common/.git/config",
        "common/src/.GIT/config.hbs",
        "bridge/pyo3/git~1/config",
        "kernels/cu/.git./config",
    ] {
        let project = Project::new("mypkg")
            .with_layers()
            .layer(file, "gitdir: /tmp/x\n");
        let problem = format!("`{file}`: git would take it for its own");
        refused(project, &problem);
    }
}

#[test]
fn a_pipe_is_not_waited_for() {
    let project = Project::new("mypkg").with_layers();
    let pipe = project.path("layers/templates/common/pipe");
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    refused(project, "`common/pipe`: it is no regular file");
}

#[test]
fn names_that_are_no_unicode_are_not_mixed_up() {
    let project = Project::new("mypkg").with_layers();
    let folder = project.path("layers/templates/common");
    for name in [&b"caf\xe9"[..], b"caf\xe8"] {
        fs::write(folder.join(OsStr::from_bytes(name)), "").unwrap();
    }
    refused(project, "`common/caf\u{fffd}`: its name is not UTF-8");
}

#[test]
fn escapes_do_not_reach_the_terminal() {
    let project = Project::new("mypkg").with_layers();
    write(&project.path("layers/templates/common/a\u{1b}[2Jb"), "");
    refused(
        project,
        "`common/a\\u{1b}[2Jb`: its name holds a character that cannot be shown",
    );

    let manifest = "summary = \"a\\u001b[2Jb\"\ndefault = true";
    let project = Project::new("mypkg").with_layers();
    let project = project.layer("bridge/pyo3/layer.toml", manifest);
    refused(
        project,
        "`bridge/pyo3/layer.toml`: `summary` is no line of plain text",
    );

    let project = Project::new("mypkg").with_layers();
    let project = project.layer("bridge/pyo3/layer.toml", "summary = \"\u{1b}]0;x\u{7}\"");
    let stderr = project.run().stderr;
    assert!(
        !stderr.contains(|c: char| c.is_control() && c != '\n'),
        "{stderr:?}"
    );
}

#[test]
fn links_lead_to_files_and_folders() {
    let project = Project::new("mypkg").with_layers().arg("--no-git");
    write(&project.path("home/elsewhere/b.txt"), "b");
    let link = project.path("layers/templates/common/linked");
    std::os::unix::fs::symlink(project.path("home/elsewhere"), link).unwrap();
    let outcome = project.run().success();
    assert!(files(&outcome.path("mypkg")).contains(&"linked/b.txt".to_owned()));
}

#[test]
fn what_does_nothing_is_refused() {
    refused(
        Project::new("mypkg")
            .with_layers()
            .layer("common/layer.toml", "summary = \"\"\ndefault = true"),
        "`common/layer.toml`: `default` means nothing here",
    );
    for folder in ["host", "shared", "hosts"] {
        let file = format!("{folder}/rust/layer.toml");
        let project = Project::new("mypkg").with_layers();
        let problem = format!("`{folder}`: the folder is no kind of layer");
        refused(project.layer(&file, "summary = \"\""), &problem);
    }
}
