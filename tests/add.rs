//! `cuvec-new add`. That what it writes builds, and passes the checks of packages, is shown by `ci/package/test_add.py`.

mod derivatives;
mod faults;
mod faults_of_arguments;
mod functions;
mod names;
mod packages;
mod structs;

use std::cell::RefCell;

use crate::project::{Outcome, Project, files};

/// A package of these kernels, to which a line then adds something.
fn package(kernels: &str) -> Outcome {
    let project = Project::new("mypkg").kernels(kernels).output("p");
    project.arg("--no-git").run().success()
}

fn add(outcome: Outcome, arguments: &[&str]) -> Outcome {
    outcome
        .again("add")
        .args(["--package", "p"])
        .args(arguments)
        .run()
}

thread_local! {
    static UNCHANGED: RefCell<Option<Outcome>> = const { RefCell::new(None) };
}

/// The package of all that a test sees refused: nothing is written to it.
fn unchanged() -> Outcome {
    UNCHANGED.take().unwrap_or_else(|| package("cu"))
}

/// Checks that it is refused, and nothing is written.
#[track_caller]
fn refused(arguments: &[&str], stderr: impl snapbox::IntoData) {
    fails(2, arguments, stderr);
}

/// Nothing of the package is changed.
fn fails(code: i32, arguments: &[&str], stderr: impl snapbox::IntoData) {
    let outcome = unchanged();
    let before = files(&outcome.path("p"));
    let outcome = add(outcome, arguments);
    assert_eq!(files(&outcome.path("p")), before);
    UNCHANGED.set(Some(outcome.failure(code, stderr)));
}

/// The first line and the place of the mark.
#[track_caller]
fn fault(signature: &str, at: usize, problem: &str) {
    let outcome = add(unchanged(), &["--", signature]);
    let mark = format!("  {:at$}^", "");
    let start = format!("error: wrong signature: {problem}\n  {signature}\n{mark}\nhint: ");
    assert!(outcome.stderr.starts_with(&start), "{}", outcome.stderr);
    assert_eq!(outcome.code, 2);
    UNCHANGED.set(Some(outcome));
}
