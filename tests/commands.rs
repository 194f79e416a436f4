//! Commands, and packages that have the name of one.

use snapbox::str;

use crate::options::refused;
use crate::project::Project;

#[test]
fn a_package_with_the_name_of_a_command() {
    let outcome = Project::bare()
        .with_layers()
        .args(["--", "export"])
        .run()
        .success();
    assert_eq!(outcome.entries(""), ["export"]);
    assert!(
        outcome
            .read("export/about.txt")
            .starts_with("name = export\n")
    );
}

#[test]
fn a_command_without_its_folder_says_how_to_make_such_a_package() {
    refused(Project::new("export").bridge("pyo3")).failure(
        2,
        str![[r#"
error: unexpected argument '--bridge' found

  tip: to pass '--bridge' as a value, use '-- --bridge'

Usage: cuvec-new export [OPTIONS] <DIR>
       cuvec-new [OPTIONS] -- export  (makes a package of this name)

For more information, try '--help'.

"#]],
    );
    refused(Project::new("export")).failure(
        2,
        str![[r#"
error: the following required arguments were not provided:
  <DIR>

Usage: cuvec-new export [OPTIONS] <DIR>
       cuvec-new [OPTIONS] -- export  (makes a package of this name)

For more information, try '--help'.

"#]],
    );
}

#[test]
fn a_command_and_what_is_said_of_a_package() {
    for (arguments, given) in [
        (&["mypkg", "export", "out"][..], "[NAME]"),
        (&["--bridge", "pyo3", "export", "out"], "--bridge <BRIDGE>"),
        (&["--list", "export", "out"], "--list"),
    ] {
        let expected = format!(
            "error: the subcommand 'export' cannot be used with '{given}'\n\n  \
             tip: `cuvec-new [OPTIONS] -- export` makes a package of this name\n\n\
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

#[test]
fn hints_are_command_lines_that_work() {
    refused(Project::new("Export")).failure(
        2,
        str![[r#"
error: invalid package name `Export`: uppercase letters are lost on PyPI, and on some file systems
hint: try `cuvec-new -- export`

"#]],
    );
    refused(Project::new("libs/Export")).failure(
        2,
        str![[r#"
error: invalid package name `libs/Export`: it is a path
hint: NAME is no path; try `cuvec-new --output DIR -- export`

"#]],
    );
    let project = Project::bare()
        .with_layers()
        .bridge("pybind11")
        .kernels("rust");
    refused(project.args(["--", "export"])).failure(
        2,
        str![[r#"
error: kernels `rust` do not go with bridge `pybind11`
hint: this works: `cuvec-new --bridge pybind11 --kernels cu -- export`, or `cuvec-new --bridge pyo3 --kernels rust -- export`

"#]],
    );
}
