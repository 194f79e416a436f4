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

/// A file or a folder of the user's would get into the package, and into its first commit.
#[test]
fn links_are_not_followed() {
    let linked = |to: &str, path: &str| {
        let project = Project::new("mypkg")
            .with_layers()
            .runtime("VERSION", "1\n");
        write(&project.path("home/private/key"), "secret");
        std::os::unix::fs::symlink(project.path(to), project.path(path)).unwrap();
        project
    };
    for (to, path, problem) in [
        (
            "home/private/key",
            "common/key",
            "`common/key`: it is a link",
        ),
        ("home/private", "common/keys", "`common/keys`: it is a link"),
        (
            "home/private/none",
            "common/key",
            "`common/key`: it is a link",
        ),
        ("home/private/key", "../runtime/key", "`key`: it is a link"),
    ] {
        refused(linked(to, &format!("layers/templates/{path}")), problem);
    }
    let project = Project::new("mypkg").with_layers();
    let runtime = project.path("layers/runtime");
    fs::remove_dir_all(&runtime).unwrap();
    std::os::unix::fs::symlink(project.path("home"), runtime).unwrap();
    refused(project, "`../runtime`: it is a link");
}

/// The folder itself is the user's choice.
#[test]
fn templates_by_a_link() {
    let project = Project::new("mypkg").with_layers().arg("--no-git");
    let link = project.path("home/link");
    std::os::unix::fs::symlink(project.path("layers/templates"), &link).unwrap();
    let outcome = project.run().success();
    let outcome = outcome
        .again("other")
        .arg("--no-git")
        .arg("--templates")
        .arg(link)
        .run()
        .success();
    assert_eq!(
        files(&outcome.path("other")).len(),
        files(&outcome.path("mypkg")).len()
    );
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
