//! Tests the questions that `cuvec-new` does not ask, and whom it never asks.

use snapbox::str;

use crate::project::Project;
use crate::terminal::{ENTER, Session};

const NO_NAME: &str = "\
error: the package needs a name
hint: try `cuvec-new mypkg`, or on a terminal `cuvec-new`, which asks";

#[test]
fn what_the_options_give_is_not_asked() {
    let given = [
        "some-pkg",
        "--interactive",
        "--bridge",
        "pybind11",
        "--author",
        "Bob",
    ];
    let mut session = Session::start(Project::bare().with_layers().args(given));
    for question in [
        "? Description",
        "? Kernels",
        "? License",
        "? Create it?",
        "? Install",
    ] {
        session.see(question).press(ENTER);
    }
    let output = session.end().success().output;
    for question in ["? Name", "? Bindings", "? Author"] {
        assert!(!output.contains(question), "{question}");
    }
}

#[test]
fn an_address_is_enough_of_an_author() {
    let given = ["--email", "bob@example.org"];
    let mut session = Session::start(Project::bare().with_layers().args(given));
    for question in [
        "? Name",
        "? Description",
        "? Bindings",
        "? Kernels",
        "? License",
        "? Create it?",
        "? Install",
    ] {
        session.see(question).press(ENTER);
    }
    let output = session.end().success().output;
    assert!(!output.contains("? Author"), "{output}");
}

#[test]
fn a_name_is_enough() {
    for options in [&["some-pkg"][..], &["some-pkg", "--yes"]] {
        let ended = Session::start(Project::bare().with_layers().args(options))
            .end()
            .success();
        assert!(
            ended.screen.starts_with("created `some-pkg`"),
            "{}",
            ended.screen
        );
    }
}

#[test]
fn nobody_is_asked_who_does_not_want_it() {
    for option in ["--yes", "--no-input", "--quiet"] {
        let ended = Session::start(Project::bare().with_layers().arg(option)).end();
        assert_eq!(ended.code, 2);
        assert_eq!(ended.screen, NO_NAME, "{option}");
    }
}

#[test]
fn nobody_is_asked_without_a_terminal() {
    Project::bare().with_layers().run().failure(
        2,
        str![[r#"
error: the package needs a name
hint: try `cuvec-new mypkg`, or on a terminal `cuvec-new`, which asks

"#]],
    );
    Project::bare().with_layers().arg("-i").run().failure(
        2,
        str![[r#"
error: `--interactive` needs a terminal
hint: give NAME and options instead; `cuvec-new --help` lists them

"#]],
    );
}

#[test]
fn nobody_is_asked_with_half_a_terminal() {
    for redirection in [
        "</dev/null",
        "2>errors",
        "2>&1 | cat; exit ${PIPESTATUS[0]}",
    ] {
        let script = format!("\"$0\" {redirection}");
        let project = Project::bare().with_layers().through_shell(&script);
        let ended = Session::start(project).end();
        assert_eq!(ended.code, 2, "{redirection}");
        assert!(
            !ended.output.contains("? Name"),
            "{redirection}: {}",
            ended.output
        );
    }
    let project = Project::bare().with_layers().env("TERM", "dumb");
    assert_eq!(Session::start(project).end().screen, NO_NAME);
}

#[test]
fn nobody_is_asked_who_wants_json() {
    let options = ["--dry-run", "--json"];
    let ended = Session::start(Project::bare().with_layers().args(options)).end();
    assert_eq!((ended.code, ended.screen.as_str()), (2, NO_NAME));
}
