//! `docs/prompts.svg`: a session as it is, screen by screen.
//!
//! `SNAPSHOTS=overwrite cargo nextest run picture` draws it anew.

use std::path::Path;

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
    let drawn = svg(
        &frames,
        STILL,
        "cuvec-new asks for a name, bindings and more",
    );

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/prompts.svg");
    if std::env::var("SNAPSHOTS").is_ok_and(|it| it == "overwrite") {
        std::fs::write(&path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(
        uncounted(&kept) == uncounted(&drawn),
        "`docs/prompts.svg` shows another session; `SNAPSHOTS=overwrite cargo nextest run picture` draws it anew"
    );
}

/// Without the numbers of files, so that a new template is not a new picture, and with blanks taken as one.
fn uncounted(svg: &str) -> String {
    let words = svg
        .split_whitespace()
        // A number of two digits is wider than one of one.
        .filter(|word| !word.starts_with("textLength"))
        .map(|word| match word.rsplit_once('>') {
            Some((tag, count)) if is_number(count) => tag.to_owned() + ">",
            _ if is_number(word) => String::new(),
            _ => word.to_owned(),
        });
    words.collect::<Vec<_>>().join(" ")
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
}
