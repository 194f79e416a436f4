//! Completion scripts and the manual page.

use std::process::Command;

use crate::project::Project;

/// What bash offers for the last of the words.
fn bash_offers(words: &[&str]) -> Vec<String> {
    let script = Project::bare()
        .args(["--completions", "bash"])
        .run()
        .success();
    let (last, before) = (words.len() - 1, words[words.len() - 2]);
    let run = format!(
        "{}\nCOMP_WORDS=({}); COMP_CWORD={last}\n_cuvec__new cuvec-new '{}' '{before}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.stdout,
        words.join(" "),
        words[last],
    );
    let output = Command::new("bash")
        .args(["--norc", "-c", &run])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let mut offers: Vec<_> = text.lines().map(str::to_owned).collect();
    offers.sort();
    offers
}

#[test]
fn bash_completes_options() {
    assert_eq!(bash_offers(&["cuvec-new", "--br"]), ["--bridge"]);
}

#[test]
fn bash_completes_names_of_layers() {
    assert_eq!(
        bash_offers(&["cuvec-new", "mypkg", "--bridge", "py"]),
        ["pybind11", "pyo3"]
    );
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
