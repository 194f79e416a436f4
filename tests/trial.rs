//! `--try`, with programs that only claim to be Python.

use std::time::Instant;

use snapbox::str;

use crate::project::{Project, entries};
use crate::terminal::{DOWN, ENTER, PATIENCE, Session};

/// A Python that makes environments with a pip and a pytest that do as the variables PIP and PYTEST say.
const PYTHON: &str = r#"
echo "$0 $*" >> "$HOME/calls"
case "$*" in
    "-I -c"*) echo "3 12" ;;
    *"venv .venv") mkdir -p .venv/bin; cp "$0" .venv/bin/python; cp "$0" .venv/bin/pytest ;;
    "-I -m pip install .") eval "$PIP" ;;
    "--color no") eval "$PYTEST" ;;
esac"#;

fn project() -> Project {
    Project::new("mypkg")
        .with_layers()
        .arg("--try")
        .program("python3", PYTHON)
        .env("PIP", "echo installed")
        .env("PYTEST", "echo '=== 120 passed, 14 skipped in 3.21s ==='")
}

#[test]
fn installs_tests_and_says_what_is_next() {
    let outcome = project().run().success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
created `mypkg` in `mypkg`: 5 files, bindings `pyo3`, kernels `cu`, git repository with a first commit
author: Ada Lovelace <ada@example.org>; `--author` and `--email` give another one
tests: 120 passed, 14 skipped
next:
  cd mypkg
  . .venv/bin/activate
  python -c 'from mypkg import cuvec; print(cuvec.device())'
then:
  edit kernels/ and tests/, then pip install . && pytest
  cuvec-new add gemv '(m,n),(n)->(m)'

"#]]
    );
    snapbox::assert_data_eq!(
        outcome.stderr.clone(),
        str![[r#"
create .venv …
create .venv: [..] s
update pip …
update pip: [..] s
install the package …
install the package: [..] s
install what its tests need …
install what its tests need: [..] s
run its tests …
run its tests: [..] s

"#]]
    );
    let log = outcome.read("mypkg/.venv/cuvec-new.log");
    assert!(
        log.contains("$ .venv/bin/python -I -m pip install --group test\n"),
        "{log}"
    );
    assert!(log.contains("installed\n"), "{log}");
}

#[test]
fn quiet() {
    let outcome = project().arg("--quiet").run().success();
    assert_eq!(outcome.stdout + &outcome.stderr, "");
}

#[test]
fn a_failing_step_shows_its_last_lines_and_the_log() {
    let pip =
        "i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo line $i; done; echo 'no cargo' >&2; exit 1";
    let outcome = project().arg("--quiet").env("PIP", pip).run();
    let outcome = outcome.failure(
        1,
        str![[r#"
error: failed to install the package; the last lines of its output:
  line 12
  line 13
  line 14
  line 15
  line 16
  line 17
  line 18
  line 19
  line 20
  line 21
  line 22
  line 23
  line 24
  line 25
  line 26
  line 27
  line 28
  line 29
  line 30
  no cargo
hint: the whole log is `mypkg/.venv/cuvec-new.log`; to repeat the step: `cd mypkg && .venv/bin/python -I -m pip install .`

"#]],
    );
    assert!(
        outcome
            .read("mypkg/.venv/cuvec-new.log")
            .contains("line 1\nline 2\n")
    );
    assert!(outcome.path("mypkg/about.txt").exists());
}

#[test]
fn failing_tests_are_a_failure() {
    let outcome = project()
        .arg("--quiet")
        .env("PYTEST", "echo '1 failed, 2 passed in 1s'; exit 1");
    outcome.run().failure(
        1,
        str![[r#"
error: failed to run its tests; the last lines of its output:
  1 failed, 2 passed in 1s
hint: the whole log is `mypkg/.venv/cuvec-new.log`; to repeat the step: `cd mypkg && .venv/bin/pytest --color no`

"#]],
    );
}

#[test]
fn a_program_that_is_not_there_is_a_failure() {
    let python = PYTHON.replace("cp \"$0\" .venv/bin/pytest", "true");
    let project = project().arg("--quiet").program("python3", &python);
    project.run().failure(
        1,
        str![[r#"
error: failed to run its tests; the last lines of its output:
  No such file or directory (os error 2)
hint: the whole log is `mypkg/.venv/cuvec-new.log`; to repeat the step: `cd mypkg && .venv/bin/pytest --color no`

"#]],
    );
}

#[test]
fn programs_of_a_trial_ask_nobody() {
    let mut session = Session::start(project().env("PIP", "cat"));
    session.see("tests: 120 passed");
    session.end().success();
}

#[test]
fn whether_to_try_it_is_asked_last_unless_an_option_says_it() {
    let given = ["--interactive", "--description", "d", "--bridge", "pyo3"];
    let rest = ["--kernels", "cu", "--license", "MIT", "--author", "Ada"];
    let python = |project: Project| project.program("python3", PYTHON).args(given).args(rest);
    let asked = Project::new("mypkg").with_layers();
    let asked = asked.env("PYTEST", "echo '=== 1 passed in 3.21s ==='");
    let mut session = Session::start(python(asked));
    session.see("? Create it?").press(ENTER);
    session.see("? Install and test it now?").press(DOWN);
    session.see("> yes").press(ENTER).see("tests: 1 passed");
    session.end().success();

    let mut session = Session::start(python(project()));
    session.see("? Create it?").press(ENTER);
    session.see("tests: 120 passed");
    let output = session.end().success().output;
    assert!(!output.contains("? Install"), "{output}");
}

#[test]
fn no_python_means_no_package() {
    let project = Project::new("mypkg")
        .with_layers()
        .args(["--try", "--no-git"]);
    let nothing = project.path("home");
    let outcome = project.env("PATH", nothing).run().failure(
        1,
        str![[r#"
error: no Python 3.11 or later found
hint: install one from https://www.python.org/downloads, or leave out `--try`

"#]],
    );
    assert_eq!(outcome.entries(""), [""; 0]);
}

#[test]
fn an_old_python_is_not_enough() {
    let project = Project::new("mypkg")
        .with_layers()
        .args(["--try", "--no-git"]);
    let programs = project.path("programs");
    let outcome = project
        .program("python3", "echo 3 9")
        .env("PATH", programs)
        .run()
        .failure(
            1,
            str![[r#"
error: no Python 3.11 or later found, only `python3` (3.9)
hint: install one from https://www.python.org/downloads, or leave out `--try`

"#]],
        );
    assert_eq!(outcome.entries(""), [""; 0]);
}

#[test]
fn a_python_that_makes_no_environments() {
    let project = Project::new("mypkg")
        .with_layers()
        .args(["--try", "--no-git"]);
    let programs = project.path("programs");
    let project = project
        .program("python3", "echo 3 12 bare")
        .env("PATH", programs);
    project.run().failure(
        1,
        str![[r#"
error: no Python 3.11 or later found, only `python3` (3.12 without venv)
hint: on Debian and Ubuntu: `apt install python3-venv`

"#]],
    );
}

#[test]
fn another_python_does_if_python3_is_too_old() {
    let project = project().program("python3.15", PYTHON);
    let outcome = project
        .program("python3", "echo 3 9")
        .program("python", "echo 2 7")
        .run();
    assert!(
        outcome
            .success()
            .read("home/calls")
            .contains("python3.15 -I -m venv .venv\n")
    );
}

#[test]
fn works_in_a_folder_with_spaces() {
    let outcome = project().output("my folder/pkg").run().success();
    assert!(entries(&outcome.path("my folder/pkg/.venv")).contains(&"cuvec-new.log".to_owned()));
}

#[test]
fn ctrl_c_while_pip_works() {
    let pip = "touch \"$HOME/stuck\"; sleep 60";
    let (run, root) = project().arg("--quiet").env("PIP", pip).start();
    wait_for(&root.path().join("home/stuck"));
    signal(&run, "INT");
    let output = run.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: interrupted\nhint: the package is complete, its environment is not: `rm -r mypkg/.venv`\n"
    );
    assert_eq!(output.status.code(), Some(130));
}

/// pip removes its folders when it is interrupted, and not when it is killed.
#[test]
fn sigterm_while_pip_works() {
    let pip = "mkdir \"$HOME/temporary\"; trap 'rmdir \"$HOME/temporary\"; exit 1' INT; \
               sh -c 'trap \"\" INT; exec sleep 61' & echo $! > \"$HOME/stuck\"; sleep 60";
    let (run, root) = project().arg("--quiet").env("PIP", pip).start();
    let stuck = root.path().join("home/stuck");
    wait_for(&stuck);
    signal(&run, "TERM");
    assert_eq!(run.wait_with_output().unwrap().status.code(), Some(130));
    assert!(!root.path().join("home/temporary").exists());
    let below = std::fs::read_to_string(stuck).unwrap();
    let below = format!("/proc/{}/stat", below.trim());
    // Until somebody asks for its end, a process that was killed is a zombie.
    let runs = || std::fs::read_to_string(&below).is_ok_and(|stat| !stat.contains(") Z "));
    for _ in 0..100 {
        if runs() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
    assert!(!runs(), "a program that pip started was left running");
}

fn wait_for(file: &std::path::Path) {
    let deadline = Instant::now() + PATIENCE;
    while !file.exists() {
        assert!(Instant::now() < deadline, "waited for {}", file.display());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // The shell's next step takes no time.
    std::thread::sleep(std::time::Duration::from_millis(100));
}

fn signal(run: &std::process::Child, name: &str) {
    let kill = format!("kill -{name} {}", run.id());
    let mut shell = std::process::Command::new("sh");
    assert!(shell.args(["-c", &kill]).status().unwrap().success());
}

#[test]
fn settings_of_pip_that_would_lead_elsewhere() {
    let project = project()
        .env("PIP", "env > \"$HOME/environment\"")
        .env("PIP_INDEX_URL", "https://example.org/simple");
    let elsewhere = [
        "PIP_PREFIX",
        "PIP_PYTHON",
        "PIP_ROOT",
        "PIP_TARGET",
        "PIP_USER",
        "PYTHONPATH",
    ];
    let project = elsewhere
        .into_iter()
        .fold(project, |it, key| it.env(key, "elsewhere"));
    let environment = project.run().success().read("home/environment");
    let has = |key: &str| {
        environment
            .lines()
            .any(|line| line.starts_with(&format!("{key}=")))
    };
    for key in [
        "PIP_NO_INPUT",
        "PIP_DISABLE_PIP_VERSION_CHECK",
        "PIP_INDEX_URL",
    ] {
        assert!(has(key), "{key} is missing");
    }
    for key in elsewhere {
        assert!(!has(key), "{key} is there");
    }
}

#[test]
fn programs_of_the_current_folder_are_not_run() {
    // The real one looks for modules, and makes no environment.
    let python =
        "case \"$*\" in *-c*) PATH=${PATH#*:} exec python3 \"$@\" ;; esac; echo \"$*\" >&2; exit 1";
    let project = Project::new("mypkg")
        .with_layers()
        .args(["--try", "--quiet"]);
    let trap = "open('home/ran', 'w').write(__name__)\n";
    let project = project
        .program("python3", python)
        .file("venv.py", trap)
        .file("ensurepip.py", trap);
    let outcome = project.run();
    assert!(!outcome.path("home/ran").exists());
    if !outcome.stderr.contains("no Python") {
        assert!(
            outcome.stderr.contains("  -I -m venv .venv\n"),
            "{}",
            outcome.stderr
        );
    }
}
