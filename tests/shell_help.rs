//! Completion scripts and the manual page.

use std::process::Command;

use crate::project::Project;
use crate::terminal::{Session, TAB};

#[test]
fn bash_completes_options_and_names_of_layers() {
    let script = "\"$0\" completions bash >script && exec bash --noprofile --rcfile script -i";
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

/// The words that bash offers for a line, the last word of which is begun.
fn of_bash(line: &str) -> Vec<String> {
    let script = "\"$0\" completions bash >script && exec bash --noprofile -c 'source ./script; COMP_WORDS=($LINE \"$LAST\")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _cuvec__new cuvec-new \"$LAST\" \"${COMP_WORDS[COMP_CWORD - 1]}\"
        printf \"%s\\n\" \"${COMPREPLY[@]}\"'";
    let (line, last) = line.rsplit_once(' ').unwrap();
    let project = Project::bare().through_shell(script).env("LINE", line);
    let outcome = project.env("LAST", last).run().success();
    outcome.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_after_commands_and_lists_these_first() {
    let commands = ["adopt", "doctor", "list", "export"];
    assert_eq!(of_bash("cuvec-new ")[..4], commands);
    for (line, word) in [
        ("cuvec-new up", "update"),
        ("cuvec-new help up", "update"),
        ("cuvec-new update --che", "--check"),
        ("cuvec-new update folder --bridge pyb", "pybind11"),
        ("cuvec-new new mypkg --bridge pyb", "pybind11"),
        ("cuvec-new add --kernels ru", "rust"),
        ("cuvec-new export folder --qu", "--quiet"),
        ("cuvec-new completions po", "powershell"),
    ] {
        assert_eq!(of_bash(line), [word], "{line}");
    }
}

/// Without it, these shells complete nothing after the name of a package.
#[test]
fn only_commands_are_subcommands() {
    for (shell, condition) in [
        ("fish", "if contains -- \"$argv[1]\" "),
        ("powershell", "if ($element.Value -in '"),
        ("elvish", "if (has-value ["),
    ] {
        let outcome = Project::bare().args(["completions", shell]).run();
        let script = outcome.success().stdout;
        assert_eq!(script.matches(condition).count(), 1, "{shell}: {script}");
    }
}

#[test]
fn zsh_completes_options_and_names_of_layers() {
    if !installed("zsh") {
        return;
    }
    let settings = "fpath=($PWD $fpath); autoload -U compinit; compinit -D -u; PS1='ready> '";
    let script =
        "\"$0\" completions zsh >_cuvec-new && echo \"$SETTINGS\" >.zshrc && exec zsh -d -i";
    let project = Project::bare().through_shell(script);
    let project = project.env("SETTINGS", settings).env("ZDOTDIR", ".");
    let mut session = Session::start(project);
    session
        .see("ready>")
        .press("cuvec-new mypkg --bri")
        .press(TAB);
    session.see("cuvec-new mypkg --bridge=");
    session.press("pyb").press(TAB).see("--bridge=pybind11");
    session
        .press("\x15cuvec-new upd")
        .press(TAB)
        .see("cuvec-new update");
    for (begun, completed) in [
        ("update --che", "update --check"),
        (
            "update folder --bridge pyb",
            "update folder --bridge pybind11",
        ),
        ("new mypkg --bridge=pyb", "new mypkg --bridge=pybind11"),
        ("--color never update --che", "--color never update --check"),
        ("add --kernels=ru", "add --kernels=rust"),
        ("export folder --qui", "export folder --quiet"),
        ("completions pow", "completions powershell"),
        ("help upd", "help update"),
    ] {
        session.press(&format!("\x15cuvec-new {begun}")).press(TAB);
        session.see(&format!("cuvec-new {completed}"));
    }
}

#[test]
fn fish_completes_options_and_names_of_layers() {
    if !installed("fish") {
        return;
    }
    let completes = |line: &str, word: &str| {
        let script = "\"$0\" completions fish >script && exec fish --no-config -c \"source script; complete -C '$LINE'\"";
        let project = Project::bare().through_shell(script).env("LINE", line);
        let outcome = project.run().success();
        assert_eq!(outcome.stderr, "");
        let words = outcome.stdout.lines().map(|it| it.split('\t').next());
        assert_eq!(words.collect::<Vec<_>>(), [Some(word)], "{line}");
    };
    completes("cuvec-new --bri", "--bridge");
    completes("cuvec-new mypkg --bri", "--bridge");
    completes("cuvec-new mypkg --bridge pyb", "pybind11");
    completes("cuvec-new exp", "export");
    completes("cuvec-new new mypkg --bridge pyb", "pybind11");
    completes("cuvec-new export folder --qu", "--quiet");
    completes("cuvec-new completions po", "powershell");
    completes("cuvec-new help up", "update");
    completes("cuvec-new update folder --che", "--check");
    completes("cuvec-new update folder --bridge pyb", "pybind11");
}

/// `ci/test` has all shells; elsewhere some may be missing.
fn installed(shell: &str) -> bool {
    let found = Command::new(shell).arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: no `{shell}`");
    }
    found
}

/// `ci/package/test_printed.py` parses the script of PowerShell.
#[test]
fn every_shell_has_a_script_with_the_options() {
    let help = Project::bare().arg("--help").run().success().stdout;
    let words = help.lines().filter_map(|line| {
        let line = line.trim_start();
        line.starts_with('-').then(|| line.split(' '))
    });
    let options: Vec<_> = words
        .flatten()
        .filter_map(|word| word.strip_prefix("--"))
        .collect();
    assert!(options.len() > 20, "{options:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let outcome = Project::bare().args(["completions", shell]).run().success();
        let dashes = if shell == "fish" { "-l " } else { "--" };
        for option in &options {
            let option = format!("{dashes}{option}");
            assert!(outcome.stdout.contains(&option), "{shell}: {option}");
        }
    }
}

#[test]
fn the_manual_page_has_the_options() {
    let page = Project::bare().arg("man").run().success().stdout;
    assert!(page.contains(".TH cuvec-new 1"), "{page}");
    assert!(page.contains("\\-\\-bridge"), "{page}");
    assert!(page.contains("cuvec\\-new\\-update(1)"), "{page}");
}
