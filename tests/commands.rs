//! Commands, and that no package has the name of one.

use snapbox::str;

use crate::options::refused;
use crate::project::{Project, files};

#[test]
fn no_package_has_the_name_of_a_command() {
    for (name, instead) in [
        ("add", "`cuvec-new add NAME '(n)->(n)'`, or for a package "),
        ("doctor", "`cuvec-new doctor`, or for a package "),
        ("update", "`cuvec-new update`, or for a package "),
        ("export", "`cuvec-new export DIR`, or for a package "),
        ("help", "`cuvec-new help`, or for a package "),
        ("list", "`cuvec-new list`, or for a package "),
        ("man", "`cuvec-new man`, or for a package "),
        (
            "completions",
            "`cuvec-new completions SHELL`, or for a package ",
        ),
        ("version", "`cuvec-new --version`, or for a package "),
        ("new", "`cuvec-new new NAME`, or for a package "),
        ("init", "`cuvec-new new NAME`, or for a package "),
        ("create", "`cuvec-new new NAME`, or for a package "),
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
hint: did you mean `cuvec-new update`? For a package of this name: `cuvec-new new updte`

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
fn a_slip_of_a_command_names_it() {
    for (word, meant) in [
        // Two letters in the wrong order, wherever they are.
        ("odctor", "`cuvec-new doctor`"),
        ("ilst", "`cuvec-new list`"),
        // The first letter is missing, wrong or there twice.
        ("pdate", "`cuvec-new update`"),
        ("xport", "`cuvec-new export`"),
        ("sdopt", "`cuvec-new adopt`"),
        ("ddoctor", "`cuvec-new doctor`"),
        ("adds", "`cuvec-new add`"),
        ("exports", "`cuvec-new export`"),
        ("adapt", "`cuvec-new adopt`"),
        // Words that other tools have.
        ("inti", "`init`, which is `cuvec-new new NAME`"),
        ("initt", "`init`, which is `cuvec-new new NAME`"),
        ("creat", "`create`, which is `cuvec-new new NAME`"),
        ("biuld", "`build`, which is `pip install .`"),
        ("buid", "`build`, which is `pip install .`"),
        ("tset", "`test`, which is `pytest`"),
        ("versoin", "`version`, which is `cuvec-new --version`"),
    ] {
        let outcome = refused(Project::new(word).with_layers());
        let expected = format!(
            "error: unknown command `{word}`\n\
             hint: did you mean {meant}? For a package of this name: `cuvec-new new {word}`\n"
        );
        outcome.failure(2, expected);
    }
}

/// Commands of other tools make no package either, unless `new` or `--output` says that one is meant.
#[test]
fn a_word_of_another_tool_names_what_does_the_same() {
    for (word, meant) in [
        ("upgrade", "did you mean `cuvec-new update`?"),
        ("check", "did you mean `cuvec-new doctor`?"),
        ("ls", "did you mean `cuvec-new list`?"),
        ("wrap", "did you mean `cuvec-new adopt FILE.cu`?"),
        (
            "rm",
            "did you mean `git rm kernels/NAME.cu tests/test_NAME.py`?",
        ),
        ("install", "did you mean `pip install .`?"),
        ("config", "`cuvec-new --help` lists all commands."),
        ("publish", "`cuvec-new --help` lists all commands."),
    ] {
        let expected = format!(
            "error: unknown command `{word}`\n\
             hint: {meant} For a package of this name: `cuvec-new new {word}`\n"
        );
        refused(Project::new(word).with_layers()).failure(2, expected);
        let outcome = Project::bare().args(["new", word]).with_layers().run();
        assert!(
            outcome.success().path(word).join("about.txt").exists(),
            "{word}"
        );
    }
}

/// There a bare word is a command that does not exist.
#[test]
fn a_bare_name_makes_no_package_inside_a_package() {
    let inner = |project: Project| {
        let project = project.with_layers().inside("outer/tools");
        project.file("outer/.cuvec-new.toml", "")
    };
    let outcome = inner(Project::new("mypkg")).run();
    outcome.failure(
        2,
        str![[r#"
error: unknown command `mypkg`
hint: this is the package `..`; for another one inside it: `cuvec-new new mypkg`

"#]],
    );
    let outcome = inner(Project::bare().args(["new", "mypkg"]))
        .run()
        .success();
    assert!(outcome.path("outer/tools/mypkg/about.txt").exists());
    inner(Project::new("mypkg"))
        .output("../../elsewhere")
        .run()
        .success();
}

#[test]
fn a_slip_that_is_no_name_has_one_offered() {
    for (word, meant, name) in [
        ("Update", "`cuvec-new update`", "my-update"),
        ("Updte", "`cuvec-new update`", "updte"),
        ("INIT", "`init`, which is `cuvec-new new NAME`", "my-init"),
    ] {
        let expected = format!(
            "error: unknown command `{word}`\n\
             hint: did you mean {meant}? For a package: `cuvec-new new {name}`\n"
        );
        refused(Project::new(word).with_layers()).failure(2, expected);
    }
    for (word, why) in [
        ("tests", "`tests` is a folder of the package"),
        (
            "crate",
            "`crate` is a Rust keyword, which no crate may be called",
        ),
    ] {
        let expected = format!(
            "error: invalid package name `{word}`: {why}\nhint: try `cuvec-new my-{word}`\n"
        );
        refused(Project::new(word).with_layers()).failure(2, expected);
    }
}

#[test]
fn a_package_may_be_called_almost_as_a_command() {
    for name in [
        "main", "net", "gan", "lint", "hist", "text", "nest", "unit", "tess", "hep", "expert",
        "guild", "built", "report",
    ] {
        let outcome = Project::new(name).with_layers().run().success();
        assert!(outcome.path(name).join("about.txt").exists(), "{name}");
    }
    for name in ["updte", "inti"] {
        let outcome = Project::bare().args(["new", name]).with_layers();
        let outcome = outcome.run().success();
        assert!(outcome.path(name).join("about.txt").exists(), "{name}");
    }
}

/// It fails with the code of a wrong command line, and what it prints begins so.
fn assert_refused(line: &[&str], expected: &str) {
    let outcome = refused(Project::bare().args(line));
    assert_eq!(outcome.code, 2, "{line:?}");
    assert!(outcome.stderr.starts_with(expected), "{}", outcome.stderr);
}

#[test]
fn what_follows_a_mistyped_command_does_not_hide_it() {
    for (line, problem) in [
        (&["updte", "mypkg"][..], "unknown command `updte`"),
        (&["updte", "--check"], "unknown command `updte`"),
        (&["updat"], "unknown command `updat`"),
        (&["hlep", "update"], "unknown command `hlep`"),
        (
            &["init", "mypkg"],
            "invalid package name `init`: `init` is kept for commands of cuvec-new",
        ),
    ] {
        assert_refused(line, &format!("error: {problem}\nhint: "));
    }
}

#[test]
fn new_is_the_bare_form() {
    let made = |project: Project| {
        let outcome = project.with_layers().run().success();
        let files = files(&outcome.path("mypkg"));
        let contents = files.into_iter().map(|file| {
            let contents = outcome.read(&format!("mypkg/{file}"));
            (file, contents)
        });
        (outcome.stdout.clone(), contents.collect::<Vec<_>>())
    };
    let bare = made(Project::new("mypkg").bridge("pybind11"));
    let new = made(Project::bare().args(["new", "mypkg"]).bridge("pybind11"));
    assert_eq!(bare, new);
    assert!(!bare.1.is_empty());
    let outcome = refused(Project::bare().with_layers().arg("new"));
    assert!(
        outcome
            .stderr
            .starts_with("error: the package needs a name\n"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn an_option_that_is_a_command() {
    let error =
        "error: unexpected argument `--list` found\nhint: `list` is a command: `cuvec-new list`\n";
    for line in [&["--list"][..], &["mypkg", "--list"]] {
        assert_refused(line, error);
    }
}

#[test]
fn commands_take_no_options_of_others() {
    for (line, problem) in [
        (
            &["list", "--bridge", "pyo3"][..],
            "unexpected argument `--bridge` found",
        ),
        (&["man", "--no-git"], "unexpected argument `--no-git` found"),
        (&["list", "mypkg"], "unexpected argument `mypkg` found"),
    ] {
        assert_refused(line, &format!("error: {problem}\n"));
    }
}

#[test]
fn help_is_a_command() {
    for (command, option) in [
        (&["help"][..], &["--help"][..]),
        (&["help", "update"], &["update", "--help"]),
    ] {
        let shown = |line: &[&str]| refused(Project::bare().args(line)).success().stdout;
        assert_eq!(shown(command), shown(option), "{command:?}");
    }
    for (word, hint) in [
        ("updte", "did you mean `cuvec-new help update`?"),
        ("mypkg", "`cuvec-new --help` lists all commands"),
    ] {
        let expected = format!("error: unknown command `{word}`\nhint: {hint}\n");
        refused(Project::bare().args(["help", word])).failure(2, expected);
    }
}

#[test]
fn a_command_without_its_folder() {
    refused(Project::new("export").bridge("pyo3")).failure(
        2,
        str![[r#"
error: unexpected argument `--bridge` found
hint: to pass `--bridge` as a value, use `-- --bridge`; `cuvec-new export --help` says more

"#]],
    );
    refused(Project::new("export")).failure(
        2,
        str![[r#"
error: the following required arguments were not provided:
  <DIR>
hint: `cuvec-new export --help` says more

"#]],
    );
}

/// With one writing and one exit code, whoever finds the mistake.
#[test]
fn mistakes_of_the_command_line() {
    let package = Project::new("mypkg").arg("--no-git").run().success();
    let outcome = package
        .again("add")
        .args(["f", "(n)->(n)", "--package", "mypkg", "--kernels", "cuda"])
        .run();
    let of_add = outcome.failure(
        2,
        str![[r#"
error: unknown kernel language `cuda`
hint: did you mean `--kernels cu`? kernel languages are `cu`, `rust`

"#]],
    );
    let outcome = of_add
        .again("update")
        .args(["mypkg", "--kernels", "cuda"])
        .run();
    let of_update = outcome.failure(
        2,
        str![[r#"
error: unknown kernel language `cuda`
hint: did you mean `--kernels cu`? kernel languages are `cu`, `rust`

"#]],
    );
    of_update
        .again("other")
        .args(["--kernels", "cuda"])
        .run()
        .failure(
            2,
            str![[r#"
error: unknown kernel language `cuda`
hint: did you mean `--kernels cu`? kernel languages are `cu`, `rust`

"#]],
        );
    for (command, how) in [
        (
            &["update", "nosuch"][..],
            "give the folder of a package: `cuvec-new update PATH`",
        ),
        (
            &["add", "f", "(n)->(n)", "--package", "nosuch"],
            "start it in the folder of a package, or give `--package DIR`",
        ),
        (
            &["doctor", "nosuch"],
            "give the folder of a package, or a wheel",
        ),
    ] {
        let expected = format!("error: `nosuch` does not exist\nhint: {how}\n");
        refused(Project::bare().args(command)).failure(2, expected);
    }
    refused(Project::new("mypkg").args(["--color", "red"])).failure(
        2,
        str![[r#"
error: invalid value `red` for `--color <WHEN>`
  [possible values: auto, always, never]
hint: `cuvec-new --help` says more

"#]],
    );
    refused(Project::new("mypkg").arg("--bridg")).failure(
        2,
        str![[r#"
error: unexpected argument `--bridg` found
hint: a similar argument exists: `--bridge`; `cuvec-new --help` says more

"#]],
    );
    refused(Project::new("mypkg").arg("other")).failure(
        2,
        str![[r#"
error: unexpected argument `other` found
hint: `cuvec-new --help` says more

"#]],
    );
    refused(Project::new("mypkg").args(["--dry-run", "--try"])).failure(
        2,
        str![[r#"
error: `--dry-run` cannot be used with `--try`
hint: `cuvec-new --help` says more

"#]],
    );
    refused(Project::new("completions")).failure(
        2,
        str![[r#"
error: the following required arguments were not provided:
  <SHELL>
hint: `cuvec-new completions --help` says more

"#]],
    );
}

/// The help of the command has the values; `cuvec-new --help` has not.
#[test]
fn a_wrong_value_names_the_help_of_its_command() {
    for (line, command) in [
        (&["completions", "fizz"][..], "completions "),
        (&["list", "--color", "red"], "list "),
        (&["new", "mypkg", "--color", "red"], "new "),
        (&["--color", "red", "list"], ""),
    ] {
        let outcome = refused(Project::bare().args(line));
        let hint = format!("\nhint: `cuvec-new {command}--help` says more\n");
        assert_eq!(outcome.code, 2, "{line:?}");
        assert!(outcome.stderr.ends_with(&hint), "{}", outcome.stderr);
    }
}

#[test]
fn a_command_and_what_is_said_of_a_package() {
    for (arguments, given) in [
        (&["mypkg", "export", "out"][..], "[NAME]"),
        (&["--bridge", "pyo3", "export", "out"], "--bridge <TOOL>"),
        (&["mypkg", "update"], "[NAME]"),
        (&["--bridge", "pyo3", "update", "mypkg"], "--bridge <TOOL>"),
        (
            &["--bridge", "pyo3", "add", "f", "(n)->(n)"],
            "--bridge <TOOL>",
        ),
        (&["--bridge", "pyo3", "doctor"], "--bridge <TOOL>"),
        (&["--json", "doctor"], "--json"),
        (&["--dry-run", "new", "mypkg"], "--dry-run"),
    ] {
        let command = arguments
            .iter()
            .find(|it| ["export", "update", "add", "doctor", "new"].contains(it));
        let command = command.unwrap();
        let expected = format!(
            "error: `{given}` cannot be used with the command `{command}`\n\
             hint: options of a command follow it; `cuvec-new {command} --help` lists them\n"
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
