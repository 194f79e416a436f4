//! Sessions as they are, screen by screen: `docs/prompts.svg` and `docs/session.svg`.
//!
//! `SNAPSHOTS=overwrite cargo nextest run picture` draws the first anew; with `--run-ignored all` the second one too, which
//! builds a package. What comes before the build is compared with every run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::project::Project;
use crate::svg::{Frame, svg};
use crate::terminal::{DOWN, ENTER, Session, TAB};

/// Keys, what the screen shows then, and for how many seconds.
const SCRIPT: [(&str, &str, f32); 24] = [
    ("", "? Name", 1.2),
    ("M", "✗ uppercase", 0.2),
    ("y", "? Name (mypkg) My", 0.2),
    (" ", "→ tab: my", 0.2),
    ("P", "→ tab: my-p", 0.2),
    ("k", "→ tab: my-pk", 0.2),
    ("g", "→ tab: my-pkg", 2.5),
    (TAB, "? Name (mypkg) my-pkg", 1.0),
    (ENTER, "? Description", 0.8),
    (ENTER, "> pyo3", 2.0),
    (DOWN, "> cpython", 0.4),
    (DOWN, "> ctypes", 0.4),
    (DOWN, "> cxx", 1.0),
    (ENTER, "> cu", 1.2),
    (DOWN, "> rust", 0.8),
    (ENTER, "> MIT", 1.0),
    (ENTER, "> github", 1.0),
    (ENTER, "> none", 1.0),
    (ENTER, "? Author", 1.0),
    (ENTER, "? Create it?", 4.0),
    (DOWN, "> files", 0.4),
    ("\x1b[A", "> yes", 0.6),
    (ENTER, "? Install", 1.2),
    (ENTER, "python -c", 3.0),
];

/// The one that is seen where nothing moves.
const STILL: usize = 19;

#[test]
fn the_picture_shows_a_session_as_it_is() {
    let mut session = Session::sized(Project::bare(), 30, 80);
    let mut frames = Vec::new();
    for (keys, text, seconds) in SCRIPT {
        session.press(keys).see(text).settle();
        frames.push(session.with_screen(|screen| Frame::new(screen, seconds)));
    }
    session.end().success();
    let title = "cuvec-new asks for a name, bindings and more";
    compare("prompts.svg", &svg(&frames, STILL, title));
}

/// Long enough for the first build on a machine.
const BUILD: Duration = Duration::from_secs(600);

/// Lines that are typed into a shell and into Python, what the screen shows then, and for how many seconds.
const TYPED: [(&str, &str, f32); 9] = [
    ("cuvec-new mypkg --yes --quiet", "quiet\n$", 1.5),
    ("cat mypkg/kernels/axpy.cu", "CUVEC_EXPORT(axpy);\n$", 5.0),
    (
        "python3 -m venv venv && . venv/bin/activate",
        "activate\n(venv) $",
        1.5,
    ),
    ("pip install --quiet ./mypkg", "./mypkg\n(venv) $", 2.0),
    ("python -q", "-q\n>>>", 0.8),
    ("from mypkg import axpy, cuvec", "cuvec\n>>>", 0.8),
    ("x, y = cuvec.ones(4), cuvec.zeros(4)", "zeros(4)\n>>>", 0.8),
    ("axpy(2, x, y)", "axpy(2, x, y)\n>>>", 0.8),
    ("y", "CuVec([2., 2., 2., 2.], dtype=float32)\n>>>", 5.0),
];

/// How many of them come before the build.
const GENERATED: usize = 2;

#[test]
fn the_recording_shows_a_package_as_it_is() {
    let kept = std::fs::read_to_string(docs().join("session.svg")).unwrap();
    for (n, frame) in recorded(&TYPED[..GENERATED]).iter().enumerate() {
        assert!(
            kept.contains(&frame.body),
            "`docs/session.svg` shows another screen {n}; with `--run-ignored all` it is drawn anew"
        );
    }
}

#[test]
#[ignore = "builds a package, for a minute or more"]
fn the_recording_ends_in_a_kernel_running() {
    let frames = recorded(&TYPED);
    let title = "a package is generated, installed, and its kernel called from Python";
    compare("session.svg", &svg(&frames, frames.len() - 1, title));
}

/// The screens of a shell: with each line typed, and with what it prints.
fn recorded(lines: &[(&str, &str, f32)]) -> Vec<Frame> {
    let (tool, root) = Project::bare().into_command();
    let bin = Path::new(tool.get_program()).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    shell.args(["--norc", "--noprofile"]).envs(std::env::vars());
    shell.envs([("PS1", "$ "), ("PATH", &path), ("PYTHON_BASIC_REPL", "1")]);
    shell.env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    shell.current_dir(root.path());
    let mut session = Session::of(&shell, root, 24, 88);
    let mut frames = Vec::new();
    session.see("$");
    for (line, text, seconds) in lines {
        session.press(line).see(line).settle();
        frames.push(session.with_screen(|screen| Frame::new(screen, 0.7)));
        session.press(ENTER);
        let deadline = Instant::now() + BUILD;
        while !session.screen().contains(text) && Instant::now() < deadline {
            sleep(Duration::from_millis(100));
        }
        session.see(text).settle();
        frames.push(session.with_screen(|screen| Frame::new(screen, *seconds)));
    }
    if session.screen().contains(">>>") {
        session.press("exit()\r").miss(">>> exit");
    }
    session.press("exit\r");
    session.end();
    frames
}

/// With `SNAPSHOTS=overwrite` the picture is drawn anew.
fn compare(name: &str, drawn: &str) {
    let path = docs().join(name);
    if std::env::var("SNAPSHOTS").is_ok_and(|it| it == "overwrite") {
        std::fs::write(&path, drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(
        kept == drawn,
        "`docs/{name}` shows another session; CONTRIBUTING.md says how it is drawn anew"
    );
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}
