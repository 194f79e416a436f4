//! Commands, and that no package has the name of one.

use snapbox::str;

use crate::options::refused;
use crate::project::Project;

#[test]
fn no_package_has_the_name_of_a_command() {
    for (name, instead) in [
        ("add", "`cuvec-new add NAME '(n)->(n)'`, or for a package "),
        ("doctor", "`cuvec-new doctor`, or for a package "),
        ("update", "`cuvec-new update`, or for a package "),
        ("export", "`cuvec-new export DIR`, or for a package "),
        ("help", "`cuvec-new --help`, or for a package "),
        ("list", "`cuvec-new --list`, or for a package "),
        ("version", "`cuvec-new --version`, or for a package "),
        ("new", "`cuvec-new NAME`, or for a package "),
        ("init", "`cuvec-new NAME`, or for a package "),
        ("create", "`cuvec-new NAME`, or for a package "),
        ("build", "`pip install .`, or for a package "),
        ("test", "`pytest`, or for a package "),
    ] {
        let expected = format!(
            "error: invalid package name `{name}`: `{name}` is kept for commands of cuvec-new\n\
             hint: try {instead}`cuvec-new my-{name}`\n"
        );
        refused(Project::bare().args(["--", name])).failure(2, expected);
    }
}

#[test]
fn a_mistyped_command_makes_no_package() {
    let outcome = refused(Project::new("updte").with_layers());
    let outcome = outcome.failure(
        2,
        str![[r#"
error: unknown command `updte`
hint: did you mean `cuvec-new update`? For a package of this name: `cuvec-new updte --output updte`

"#]],
    );
    let outcome = outcome
        .again("updte")
        .with_layers()
        .output("updte")
        .run()
        .success();
    assert!(outcome.path("updte/about.txt").exists());
}

#[test]
fn a_command_without_its_folder() {
    refused(Project::new("export").bridge("pyo3")).failure(
        2,
        str![[r#"
error: unexpected argument '--bridge' found

  tip: to pass '--bridge' as a value, use '-- --bridge'

Usage: cuvec-new export [OPTIONS] <DIR>

For more information, try '--help'.

"#]],
    );
    refused(Project::new("export")).failure(
        2,
        str![[r#"
error: the following required arguments were not provided:
  <DIR>

Usage: cuvec-new export [OPTIONS] <DIR>

For more information, try '--help'.

"#]],
    );
}

#[test]
fn a_command_and_what_is_said_of_a_package() {
    for (arguments, given) in [
        (&["mypkg", "export", "out"][..], "[NAME]"),
        (&["--bridge", "pyo3", "export", "out"], "--bridge <TOOL>"),
        (&["--list", "export", "out"], "--list"),
        (&["mypkg", "update"], "[NAME]"),
        (&["--bridge", "pyo3", "update", "mypkg"], "--bridge <TOOL>"),
        (
            &["--bridge", "pyo3", "add", "f", "(n)->(n)"],
            "--bridge <TOOL>",
        ),
        (&["--bridge", "pyo3", "doctor"], "--bridge <TOOL>"),
    ] {
        let command = arguments
            .iter()
            .find(|it| ["export", "update", "add", "doctor"].contains(it));
        let command = command.unwrap();
        let expected = format!(
            "error: the subcommand '{command}' cannot be used with '{given}'\n\n\
             For more information, try '--help'.\n"
        );
        refused(Project::bare().args(arguments)).failure(2, expected);
    }
}

#[test]
fn a_question_and_what_is_said_of_a_package() {
    for (arguments, option, given) in [
        (
            &["--list", "--bridge", "pyo3"][..],
            "--list",
            "--bridge <TOOL>",
        ),
        (&["--man", "--no-git"], "--man", "--no-git"),
        (&["mypkg", "--dry-run", "--quiet"], "--dry-run", "--quiet"),
    ] {
        let expected = format!(
            "error: the argument '{option}' cannot be used with '{given}'\n\n\
             For more information, try '--help'.\n"
        );
        refused(Project::bare().args(arguments)).failure(2, expected);
    }
}

#[test]
fn options_of_both_may_stand_before_the_command() {
    let project = Project::bare().with_layers();
    project
        .args(["--color", "never", "export", "out"])
        .run()
        .success();
}
