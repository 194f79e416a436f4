//! Machines that lack what one takes for granted.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use snapbox::str;

use crate::project::{Outcome, Project, entries};

/// A whole package with its first commit.
#[track_caller]
fn whole(project: Project) -> Outcome {
    let outcome = project.with_layers().run().success();
    assert_eq!(outcome.stderr, "");
    assert!(outcome.path("mypkg/.git/HEAD").exists());
    assert!(outcome.path("mypkg/src/lib.rs").exists());
    outcome
}

#[test]
fn no_home() {
    let outcome = whole(Project::new("mypkg").without_env("HOME"));
    let about = outcome.read("mypkg/about.txt");
    assert!(
        about.contains("authors = [{ name = \"The mypkg authors\" }]"),
        "{about}"
    );
}

#[test]
fn a_home_that_is_not_there() {
    whole(Project::new("mypkg").env("HOME", "/nonexistent"));
}

#[test]
fn no_folder_for_temporary_files() {
    whole(Project::new("mypkg").env("TMPDIR", "/nonexistent"));
}

#[test]
fn a_locale_without_unicode() {
    let project = Project::new("mypkg").env("LC_ALL", "C").env("LANG", "C");
    let outcome = whole(project.args(["--author", "Zoë 北京"]));
    let about = outcome.read("mypkg/about.txt");
    assert!(
        about.contains("authors = [{ name = \"Zoë 北京\", email = "),
        "{about}"
    );
}

#[test]
fn nothing_to_read_and_nowhere_to_print() {
    let project = Project::new("mypkg").with_layers();
    let outcome = project
        .through_shell("\"$0\" \"$@\" <&- >&- 2>&-")
        .run()
        .success();
    assert!(outcome.path("mypkg/src/lib.rs").exists());
}

#[test]
fn a_current_folder_that_was_removed() {
    let project = Project::new("mypkg").with_layers();
    let script = "mkdir gone; cd gone; rmdir ../gone; exec \"$0\" \"$@\"";
    let outcome = project.through_shell(script).run();
    assert_eq!(outcome.entries(""), [""; 0]);
    outcome.failure(
        1,
        str![[r#"
error: failed to create a folder in `.`: entity not found

"#]],
    );
}

#[test]
fn a_path_as_long_as_it_may_be() {
    let folder = format!("{}/", "y".repeat(200)).repeat(18) + "mypkg";
    let outcome = Project::new("mypkg")
        .with_layers()
        .output(&folder)
        .run()
        .success();
    assert!(outcome.path(&folder).join("src/lib.rs").exists());
    assert!(outcome.path(&folder).join(".git/HEAD").exists());
}

#[test]
fn paths_that_are_too_long() {
    for folder in ["x".repeat(300), format!("{}/", "y".repeat(200)).repeat(30)] {
        let outcome = Project::new("mypkg").with_layers().output(&folder).run();
        assert_eq!(outcome.code, 1);
        assert!(
            outcome.stderr.contains("File name too long"),
            "{}",
            outcome.stderr
        );
        assert_eq!(outcome.entries(""), [""; 0]);
    }
}

#[test]
fn a_path_that_is_no_unicode() {
    let folder = OsStr::from_bytes(b"caf\xe9 dir");
    let (mut command, root) = Project::new("mypkg")
        .with_layers()
        .arg("--output")
        .arg(folder)
        .into_command();
    let output = command.stderr(Stdio::piped()).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(root.path().join(folder).join(".git/HEAD").exists());
    let inside = entries(&root.path().join(folder));
    assert!(inside.contains(&"src".to_owned()), "{inside:?}");
}
