//! Tests stdout: lists, trees, JSON, the report; and the output that `--quiet` leaves out.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use snapbox::str;

use crate::combinations::{listing, names};
use crate::project::{Project, entries};

#[test]
fn list() {
    let outcome = Project::bare().with_layers().arg("list").run().success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
bindings
  pyo3      Rust bindings (default)
  pybind11  C++ bindings
kernel languages
  cu    CUDA C++ (default)
  rust  Rust kernels
CUDA versions
  13  CUDA 13 (default)
licenses
  MIT   short (default)
  0BSD  shorter
CI providers
  none  nothing (default)
documentation tools
  none  no pages (default)
containers
  none  no container (default)
instructions for agents
  none  no instructions (default)
runtimes
  bundled  an archive (default)

"#]]
    );
    assert_eq!(outcome.entries(""), [""; 0]);
}

#[test]
fn list_as_json() {
    let outcome = Project::bare()
        .with_layers()
        .args(["list", "--json"])
        .run()
        .success();
    let listing: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let expected = serde_json::json!({
        "bridges": [
            {"name": "pyo3", "summary": "Rust bindings", "default": true},
            {"name": "pybind11", "summary": "C++ bindings", "default": false},
        ],
        "kernels": [
            {"name": "cu", "summary": "CUDA C++", "default": true},
            {"name": "rust", "summary": "Rust kernels", "default": false},
        ],
        "cuda": [{"name": "13", "summary": "CUDA 13", "default": true}],
        "licenses": [
            {"name": "MIT", "summary": "short", "default": true},
            {"name": "0BSD", "summary": "shorter", "default": false},
        ],
        "ci": [{"name": "none", "summary": "nothing", "default": true}],
        "docs": [{"name": "none", "summary": "no pages", "default": true}],
        "containers": [{"name": "none", "summary": "no container", "default": true}],
        "agents": [{"name": "none", "summary": "no instructions", "default": true}],
        "runtimes": [{"name": "bundled", "summary": "an archive", "default": true}],
    });
    assert_eq!(listing, expected);
}

#[test]
fn dry_run_as_json() {
    let project =
        Project::new("my-pkg")
            .with_layers()
            .args(["--dry-run", "--json", "--python", "3.12"]);
    let outcome = project.run().success();
    let preview: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let file = |path, bytes| serde_json::json!({"path": path, "bytes": bytes, "overwrites": false});
    let expected = serde_json::json!({
        "name": "my-pkg",
        "module": "my_pkg",
        "destination": "my-pkg",
        "bridge": "pyo3",
        "kernels": "cu",
        "cuda": "13",
        "license": "MIT",
        "ci": "none",
        "docs": "none",
        "container": "none",
        "agents": "none",
        "runtime": "bundled",
        "python": "3.12",
        "files": [
            file("Cargo.lock", 66),
            file("LICENSE", 28),
            file("about.txt", 273),
            file("python/my_pkg/__init__.py", 23),
            file("src/lib.rs", 18),
        ],
        "removes": [],
    });
    assert_eq!(preview, expected);
    assert_eq!(outcome.entries(""), [""; 0]);
}

#[test]
fn dry_run_shows_what_is_in_the_way_and_fails_where_the_run_would() {
    let project = Project::new("mypkg")
        .with_layers()
        .file("mypkg/LICENSE", "");
    let dry = project.arg("--dry-run").run();
    assert_eq!(dry.code, 1);
    snapbox::assert_data_eq!(
        dry.stdout.clone(),
        str![[r#"
mypkg/
├── Cargo.lock               66 B
├── LICENSE                  28 B  overwrites
├── about.txt               270 B
├── python/
│   └── mypkg/
│       └── __init__.py      23 B
└── src/
    └── lib.rs               18 B
5 files, 405 bytes; nothing was written

"#]]
    );
    let stderr = dry.stderr.clone();
    let layers = dry.path("layers/templates");
    let run = dry.again("mypkg").arg("--templates").arg(layers).run();
    assert_eq!((run.code, &run.stderr), (1, &stderr));
}

#[test]
fn verbose_names_the_files() {
    let outcome = Project::new("mypkg").with_layers().arg("-v").run();
    let stdout = outcome.success().stdout;
    assert!(
        stdout.contains("files:\n  Cargo.lock\n  LICENSE\n  about.txt\n"),
        "{stdout}"
    );
}

#[test]
fn only_an_author_that_nobody_gave_is_shown() {
    let shown = |options: &[&str]| {
        let outcome = Project::new("mypkg").with_layers().args(options).run();
        let stdout = outcome.success().stdout;
        let mut lines = stdout.lines().filter_map(|it| it.strip_prefix("author: "));
        lines.next().map(str::to_owned)
    };
    let expected = "Ada Lovelace <ada@example.org>; `--author` and `--email` give another one";
    assert_eq!(shown(&[]).as_deref(), Some(expected));
    let expected = "Bob <ada@example.org>; `--author` and `--email` give another one";
    assert_eq!(shown(&["--author", "Bob"]).as_deref(), Some(expected));
    assert_eq!(shown(&["--author", "Bob", "--email", ""]), None);
}

#[test]
fn report() {
    let outcome = Project::new("my-pkg").with_layers().run().success();
    assert_eq!(outcome.stderr, "");
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
created `my-pkg` in `my-pkg`: 5 files, bindings `pyo3`, kernels `cu`, git repository with a first commit
author: Ada Lovelace <ada@example.org>; `--author` and `--email` give another one
next (the first build takes about a minute):
  cd my-pkg
  python3 -m venv .venv
  . .venv/bin/activate
  pip install . pytest && pytest
  python -c 'from my_pkg import cuvec; print(cuvec.device())'
then:
  edit kernels/ and tests/, then pip install . && pytest
  cuvec-new add gemv '(m,n),(n)->(m)'

"#]]
    );
}

#[test]
fn quiet_is_silent() {
    let outcome = Project::new("mypkg")
        .with_layers()
        .arg("-q")
        .run()
        .success();
    assert_eq!(outcome.stdout + &outcome.stderr, "");
}

#[test]
fn quiet_is_silent_where_git_is_not_installed() {
    let project = Project::new("mypkg").with_layers().arg("--quiet");
    let nothing = project.path("home");
    let outcome = project.env("PATH", nothing).run().success();
    assert_eq!(outcome.stdout + &outcome.stderr, "");
}

#[test]
fn no_colour_unless_on_a_terminal_or_asked_for() {
    let plain = Project::bare().arg("list").run().success();
    assert!(!plain.stdout.contains('\u{1b}'));
    let colour = Project::bare()
        .args(["list", "--color", "always"])
        .run()
        .success();
    assert!(
        colour.stdout.contains("\u{1b}[1mbindings\u{1b}[0m"),
        "{}",
        colour.stdout
    );
    let error = Project::new("class").args(["--color", "always"]).run();
    assert!(error.stderr.contains("\u{1b}["), "{}", error.stderr);
    let forced = Project::bare()
        .arg("list")
        .env("NO_COLOR", "1")
        .env("CLICOLOR_FORCE", "1")
        .run();
    assert!(!forced.success().stdout.contains('\u{1b}'));
}

/// Usage errors and help obey as all else does.
#[test]
fn colour_is_one_choice_for_all_that_is_printed() {
    for line in [
        &["list"][..],
        &["--help"],
        &["update", "--help"],
        &["class"],
        &["mypkg", "--bridg"],
        &["export"],
    ] {
        let printed = |edit: &dyn Fn(Project) -> Project| {
            let outcome = edit(Project::bare().args(line)).run();
            (outcome.stdout + &outcome.stderr).contains('\u{1b}')
        };
        let forced = |it: Project| it.env("FORCE_COLOR", "1");
        assert!(!printed(&|it| it), "{line:?}");
        assert!(printed(&forced), "{line:?}");
        assert!(printed(&|it| it.arg("--color=always")), "{line:?}");
        assert!(
            !printed(&|it| forced(it).args(["--color", "never"])),
            "{line:?}"
        );
        assert!(!printed(&|it| forced(it).env("NO_COLOR", "1")), "{line:?}");
        assert!(!printed(&|it| it.env("FORCE_COLOR", "0")), "{line:?}");
    }
}

#[test]
fn help_names_every_choice() {
    let outcome = Project::bare().arg("--help").run().success();
    let listing = listing();
    let mut texts = vec![
        "[possible values: 3.11, 3.12, 3.13, 3.14, 3.15] [default: 3.11]".to_owned(),
        "Examples:".to_owned(),
        "cuvec-new mypkg --try".to_owned(),
    ];
    for choices in listing.as_object().unwrap().values() {
        let names = names(choices);
        // The default is the first.
        texts.push(format!(
            "[possible values: {}] [default: {}]",
            names.join(", "),
            names[0]
        ));
    }
    assert!(texts.len() >= 7, "{texts:?}");
    for text in &texts {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words(&outcome.stdout).contains(text),
            "{text} is not in\n{}",
            outcome.stdout
        );
    }
    assert!(
        outcome
            .stdout
            .lines()
            .all(|line| line.chars().count() <= 100)
    );
}

#[test]
fn version() {
    let outcome = Project::bare().arg("--version").run().success();
    let version = format!("cuvec-new {}", env!("CARGO_PKG_VERSION"));
    let rest = outcome.stdout.strip_prefix(&version).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let expected = match root.join(".git").exists() {
        false => "\n".to_owned(),
        true => {
            let mut git = Command::new("git");
            git.current_dir(root)
                .args(["rev-parse", "--short=12", "HEAD"]);
            let commit = String::from_utf8(git.output().unwrap().stdout).unwrap();
            format!(" ({})\n", commit.trim())
        }
    };
    assert_eq!(rest, expected);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    for arguments in [&["list"][..], &["mypkg", "--dry-run"], &["mypkg"]] {
        let project = Project::bare().args(arguments).edit(|command| {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            command.stdout(Stdio::from(writer));
        });
        let (mut run, _root) = project.start();
        let mut stderr = String::new();
        run.stderr
            .take()
            .unwrap()
            .read_to_string(&mut stderr)
            .unwrap();
        assert_eq!(stderr, "", "{arguments:?}");
        assert!(run.wait().unwrap().success(), "{arguments:?}");
    }
}

#[test]
fn quiet_says_that_git_failed() {
    let project = Project::new("mypkg").with_layers().arg("--quiet");
    let outcome = project
        .program("git", "echo 'fatal: no luck' >&2; exit 1")
        .run()
        .success();
    assert_eq!(outcome.stdout, "");
    assert_eq!(
        outcome.stderr,
        "note: no git repository was made: fatal: no luck\n"
    );
}

/// The exit code is about the package, which is there.
#[test]
fn a_report_that_cannot_be_printed() {
    for (arguments, made) in [
        (&["mypkg"][..], &["mypkg"][..]),
        (&["export", "out"], &["out"]),
        (&["list"], &[]),
    ] {
        let project = Project::bare()
            .args(arguments)
            .with_layers()
            .edit(|command| {
                let full = std::fs::File::options()
                    .write(true)
                    .open("/dev/full")
                    .unwrap();
                command.stdout(Stdio::from(full));
            });
        let (run, root) = project.start();
        let output = run.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(entries(root.path()), made, "{stderr}");
        let expected = match made {
            [] => (
                1,
                "error: failed to print: No space left on device (os error 28)\n",
            ),
            _ => (
                0,
                "note: everything was made, but failed to print: No space left on device (os error 28)\n",
            ),
        };
        assert_eq!((output.status.code().unwrap(), stderr.as_str()), expected);
    }
}

#[test]
fn dry_run_sees_a_run_that_was_killed() {
    let project = Project::new("mypkg")
        .with_layers()
        .file("mypkg/.cuvec-new-workspace/a", "");
    let outcome = project.arg("--dry-run").run();
    assert_eq!(outcome.code, 1);
    assert!(
        outcome
            .stderr
            .starts_with("error: another `cuvec-new` is at work in `mypkg`"),
        "{}",
        outcome.stderr
    );
}
