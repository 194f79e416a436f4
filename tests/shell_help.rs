//! Completion scripts and the manual page.

use std::process::Command;

use crate::project::Project;
use crate::terminal::{Session, TAB};

#[test]
fn bash_completes_options_and_names_of_layers() {
    let script = "\"$0\" --completions bash >script && exec bash --noprofile --rcfile script -i";
    let project = Project::bare().through_shell(script).env("PS1", "> ");
    let mut session = Session::start(project);
    session.press("cuvec-new mypkg --bri").press(TAB);
    session.see("cuvec-new mypkg --bridge");
    session.press("pyb").press(TAB).see("--bridge pybind11");
    session
        .press("--kernels ")
        .press(TAB)
        .press(TAB)
        .see("cu    rust");
}

/// Those that are not installed are left out.
#[test]
fn other_shells_read_their_scripts() {
    for (shell, check) in [("zsh", "-n"), ("fish", "--no-execute")] {
        let outcome = Project::bare()
            .args(["--completions", shell])
            .run()
            .success();
        let script = outcome.path("script");
        std::fs::write(&script, &outcome.stdout).unwrap();
        let run = Command::new(shell).arg(check).arg(script).output();
        match run {
            Ok(run) => assert_eq!(String::from_utf8_lossy(&run.stderr), "", "{shell}"),
            Err(_) => eprintln!("skipped: no `{shell}`"),
        }
    }
}

#[test]
fn every_shell_has_a_script_with_the_bridges() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let outcome = Project::bare()
            .args(["--completions", shell])
            .run()
            .success();
        assert!(outcome.stdout.contains("bridge"), "{shell}");
    }
}

#[test]
fn the_manual_page_has_the_options() {
    let page = Project::bare().arg("--man").run().success().stdout;
    assert!(page.contains(".TH cuvec-new 1"), "{page}");
    assert!(page.contains("\\-\\-bridge"), "{page}");
}

#[test]
fn a_package_may_be_called_completions() {
    let outcome = Project::new("completions").arg("--no-git").run().success();
    assert!(outcome.path("completions/pyproject.toml").is_file());
}
