//! Tests the questions of `cuvec-new` on a terminal, and how they can be answered.

use std::process::Command;

use snapbox::str;

use crate::project::{Project, entries, files};
use crate::terminal::{CTRL_C, DOWN, ENTER, ESCAPE, Session, TAB};

/// The questions in a session with the built-in templates.
const QUESTIONS: [&str; 10] = [
    "? Name",
    "? Description",
    "? Bindings",
    "? Kernels",
    "? License",
    "? CI",
    "? Documentation",
    "? Author",
    "? Create it?",
    "? Install and test it now?",
];

/// Those with the layers of the tests, which leave no choice of CI and documentation, before the last one.
const SOME_QUESTIONS: [&str; 6] = [
    "? Name",
    "? Description",
    "? Bindings",
    "? Kernels",
    "? License",
    "? Author",
];

#[test]
fn enter_takes_every_default() {
    let mut session = Session::start(Project::bare());
    for question in QUESTIONS {
        session.see(question).press(ENTER);
    }
    let asked = session.end().success();
    let unasked = Project::new("mypkg").run().success();
    let folder = asked.root.path().join("mypkg");
    assert_eq!(files(&folder), files(&unasked.path("mypkg")));
    let answers = std::fs::read_to_string(folder.join(".cuvec-new.toml")).unwrap();
    assert_eq!(answers, unasked.read("mypkg/.cuvec-new.toml"));
    assert!(folder.join(".git/HEAD").exists());
    assert!(asked.screen.contains("created `mypkg`"), "{}", asked.screen);
}

#[test]
fn a_bad_name_is_explained_while_it_is_typed() {
    let mut session = Session::start(Project::bare().with_layers());
    session
        .see("? Name")
        .press("My_")
        .see("✗ uppercase letters are lost on PyPI");
    session.see("→ tab: my");
    session.press("Pkg").see("→ tab: my_pkg");
    // Not accepted, and nothing is lost.
    session.press(ENTER).see("? Name My_Pkg").see("✗ uppercase");
    session.press(TAB).see("? Name my_pkg").miss("✗");
    session
        .press(ENTER)
        .see("✓ Name my_pkg")
        .see("? Description");
    session.press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn choosing_the_explanation_takes_what_it_offers() {
    let mut session = Session::start(Project::bare().with_layers());
    session
        .see("? Name")
        .press("class")
        .see("✗ `class` is a Python keyword");
    session.press(DOWN).see("> ✗");
    let mark = session.with_screen(|it| it.cell(1, 0).unwrap().fgcolor());
    assert_eq!(mark, vt100::Color::Idx(14));
    session
        .press(ENTER)
        .see("✓ Name my-class")
        .see("? Description");
    session.press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn the_explanation_is_left_as_it_was_entered() {
    let mut session = Session::start(Project::bare().with_layers());
    session.see("? Name").press("My_");
    session.press(DOWN).see("> ✗");
    session.press(DOWN).see("> →");
    session.press(DOWN).see("> →");
    session.press("\x1b[A").see("> ✗").miss("> →");
    session.press("\x1b[A").miss("> ✗");
    for more in ["\x1b[200~P\x1b[201~", "P"] {
        session.press(DOWN).see("> ✗").press(more);
        session.see("My_P").miss("> ✗").press("\x7f").miss("My_P");
    }
    session.press(TAB).see("(mypkg) my").miss("✗");
    // Nothing is offered now.
    session.press(DOWN).press("c").see("(mypkg) myc").miss("> ");
    session
        .press(ENTER)
        .see("✓ Name myc")
        .see("? Description")
        .press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn where_nothing_is_explained_nothing_can_be_chosen() {
    let mut session = Session::start(Project::bare().with_layers());
    session.see("? Name").press(DOWN).press(DOWN).press(ENTER);
    session
        .see("✓ Name mypkg")
        .see("? Description")
        .press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn a_released_key_types_nothing() {
    // As terminals tell it that were asked to; the last number is 1 for a key that goes down, 3 for one that comes up.
    let [down, up] = [1, 3].map(|kind| format!("\x1b[97;1:{kind}u"));
    let mut session = Session::start(Project::bare().with_layers());
    session.see("? Name").press(&down).press(&up).press(&down);
    session.press("b").see("(mypkg) aab").press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn what_is_pasted_is_one_line() {
    let mut session = Session::start(Project::bare().with_layers());
    session.see("? Name").press("mypkg").press(ENTER);
    session
        .see("? Description")
        .press("\x1b[200~Two\nlines\n\x1b[201~");
    session.see(") Two lines");
    // Without it a terminal sends the end of a line as a key.
    assert!(session.with_screen(vt100::Screen::bracketed_paste));
    session.press(ENTER);
    session
        .see("✓ Description Two lines")
        .see("? Bindings")
        .press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn a_name_whose_folder_is_there_is_not_accepted() {
    let project = Project::bare().with_layers().file("mypkg/notes.txt", "");
    let mut session = Session::start(project);
    session
        .see("? Name")
        .press(ENTER)
        .see("✗ `mypkg` exists already");
    session
        .press("2")
        .miss("✗")
        .press(ENTER)
        .see("✓ Name mypkg2")
        .see("? Description");
    session.press(CTRL_C);
    let ended = session.end();
    assert_eq!(ended.code, 130);
    assert_eq!(entries(ended.root.path()), ["mypkg"]);
    assert_eq!(files(&ended.root.path().join("mypkg")), ["notes.txt"]);
}

#[test]
fn the_explanation_of_what_tab_put_there_is_not_chosen_yet() {
    let project = Project::bare().with_layers().file("my-pkg/notes.txt", "");
    let mut session = Session::start(project);
    session.see("? Name").press("My-Pkg").see("✗ uppercase");
    session.press(DOWN).see("> ✗").press(TAB);
    session.see("  ✗ `my-pkg` exists already").press(CTRL_C);
    assert_eq!(session.end().code, 130);
}

#[test]
fn going_back_shows_the_screens_from_before() {
    for columns in [80, 30] {
        let mut session = Session::sized(Project::bare().with_layers(), 40, columns);
        let mut before = Vec::new();
        for question in SOME_QUESTIONS {
            session.see(question).see("]");
            before.push(session.screen().replace("(mypkg)", "some-pkg"));
            if question == "? Name" {
                session.press("some-pkg");
            }
            session.press(ENTER);
        }
        session.see("? Create it?").see("]");
        let review = session.screen();
        session.press(ENTER).see("? Install").see("]");
        session.press(ESCAPE).see_all(&review);
        while let Some(screen) = before.pop() {
            session.press(ESCAPE).see_all(&screen);
        }
        session.press(CTRL_C);
        session.end().interrupted();
    }
}

#[test]
fn an_answer_can_be_changed() {
    let mut session = Session::start(Project::bare().with_layers());
    session.see("? Name").press("first").press(ENTER);
    session.see("? Description").press(ESCAPE);
    session.see("? Name first").press("-pkg").press(ENTER);
    for question in &SOME_QUESTIONS[1..] {
        session.see(question).press(ENTER);
    }
    session
        .see("? Create it?")
        .press(DOWN)
        .press(DOWN)
        .see("> change")
        .press(ENTER);
    session.see("? Name first-pkg").miss("✓").press(ENTER);
    session
        .see("? Description")
        .press("Fast & short")
        .press(ENTER);
    session
        .see("? Bindings")
        .press(DOWN)
        .see("> pybind11")
        .press(ENTER);
    session
        .see("? Kernels")
        .press(ENTER)
        .see("? License")
        .press(ENTER)
        .see("? Author")
        .press("Bob")
        .press(ENTER);
    session.see("? Create it?").press(ENTER);
    session.see("? Install").press(ENTER);
    let ended = session.end().success();
    let about = std::fs::read_to_string(ended.root.path().join("first-pkg/about.txt")).unwrap();
    for line in [
        "description = \"Fast & short\"",
        "authors = [{ name = \"Bob\" }]",
        "layers = MIT none cu pybind11",
    ] {
        assert!(about.contains(line), "{about}");
    }
}

#[test]
fn an_author_who_is_taken_back_is_the_default_again() {
    let given = ["some-pkg", "-i", "--description", "d", "--bridge", "pyo3"];
    let rest = ["--kernels", "cu", "--license", "MIT"];
    let project = Project::bare().with_layers().args(given).args(rest);
    let mut session = Session::start(project);
    let default = "Ada Lovelace <ada@example.org>";
    session.see(&format!("? Author ({default})"));
    session.press("Bob <bob@example.org>").press(ENTER);
    session.see("? Create it?").press(ESCAPE);
    session.see("? Author Bob <bob@example.org>").press("\x15");
    session.miss("Bob").press(ENTER);
    session.see(&format!("✓ Author {default}"));
    session.see("? Create it?").press(ESCAPE);
    session.see(&format!("? Author ({default})")).press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn what_was_chosen_before_is_marked() {
    let mut session = Session::start(Project::bare().with_layers());
    session.see("? Name").press(ENTER);
    session.see("? Description").press(ENTER);
    session.see("? Bindings").press(DOWN).see("> pybind11");
    session.press(ENTER).see("✓ Bindings pybind11");
    session.see("? Kernels").press(ESCAPE);
    session.see("? Bindings").see("> pybind11").press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn ctrl_c_at_every_question_leaves_nothing() {
    for last in 0..QUESTIONS.len() {
        let mut session = Session::start(Project::bare());
        for question in &QUESTIONS[..last] {
            session.see(question).press(ENTER);
        }
        session.see(QUESTIONS[last]).see("]").press(CTRL_C);
        let ended = session.end().interrupted();
        let end = ended.screen.lines().last().unwrap_or_default();
        assert_eq!(end, "error: interrupted", "{}", ended.screen);
    }
}

#[test]
fn a_signal_gives_the_terminal_back() {
    for signal in ["TERM", "INT", "HUP"] {
        for asked in [0, 2] {
            let mut session = Session::start(Project::bare().with_layers());
            for question in &SOME_QUESTIONS[..asked] {
                session.see(question).press(ENTER);
            }
            session.see(SOME_QUESTIONS[asked]).see("]");
            let kill = Command::new("kill")
                .args(["-s", signal, &session.process().to_string()])
                .status();
            assert!(kill.unwrap().success());
            let screen = session.end().interrupted().screen;
            let end = screen.lines().last().unwrap_or_default();
            assert_eq!(end, "error: interrupted", "{screen}");
        }
    }
}

#[test]
fn a_signal_between_two_questions_is_not_forgotten() {
    // The second time it is asked for the default of the author.
    let git = r#"
if [ -e "$HOME/asked" ]; then kill -s INT $PPID; sleep 0.1; fi
: > "$HOME/asked""#;
    let mut session = Session::start(Project::bare().with_layers().program("git", git));
    for question in &SOME_QUESTIONS[..5] {
        session.see(question).press(ENTER);
    }
    let screen = session.end().interrupted().screen;
    assert!(screen.ends_with("error: interrupted"), "{screen}");
}

#[test]
fn no_makes_nothing() {
    let mut session = Session::start(Project::bare().with_layers());
    for question in SOME_QUESTIONS {
        session.see(question).press(ENTER);
    }
    session
        .see("? Create it?")
        .press(DOWN)
        .press(DOWN)
        .press(DOWN);
    session.see("> no").press(ENTER);
    let ended = session.end();
    assert_eq!(ended.code, 1);
    assert!(ended.restored);
    assert_eq!(entries(ended.root.path()), [""; 0]);
    let end = ended.screen.lines().last().unwrap_or_default();
    assert_eq!(end, "nothing was made", "{}", ended.screen);
}

#[test]
fn results_can_be_redirected_while_it_asks() {
    let project = Project::bare()
        .with_layers()
        .through_shell("\"$0\" \"$@\" >report");
    let mut session = Session::start(project);
    for question in SOME_QUESTIONS {
        session.see(question).press(ENTER);
    }
    session.see("? Create it?").press(ENTER);
    session.see("? Install").press(ENTER);
    let ended = session.end().success();
    let report = std::fs::read_to_string(ended.root.path().join("report")).unwrap();
    assert!(report.starts_with("created `mypkg`"), "{report}");
}

#[test]
fn colour_only_where_it_is_wanted() {
    let run = |project: Project| {
        let mut session = Session::start(project.with_layers());
        session
            .see("? Name")
            .press("class")
            .see("✗")
            .press(TAB)
            .press(ENTER);
        for question in &SOME_QUESTIONS[1..] {
            session.see(question).press(ENTER);
        }
        session.see("? Create it?").press(ENTER);
        session.see("? Install").press(ENTER);
        session.end().success().output
    };
    // Colours, bold and dim; moving the cursor ends in other letters.
    let styled = |output: &str| {
        let mut sequences = output.split("\x1b[").skip(1);
        sequences.any(|it| {
            it.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';')
                .starts_with('m')
                && !it.starts_with("0m")
                && !it.starts_with('m')
        })
    };
    assert!(styled(&run(Project::bare())));
    assert!(!styled(&run(Project::bare().env("NO_COLOR", "1"))));
    assert!(!styled(&run(Project::bare().args(["--color", "never"]))));
}

#[test]
fn a_narrow_terminal_shows_options_in_one_row_each() {
    let manifest = "summary = \"Rust bindings with a very long summary\"\ndefault = true";
    let project = Project::bare()
        .with_layers()
        .layer("bridge/pyo3/layer.toml", manifest);
    let mut session = Session::sized(project, 24, 40);
    session
        .see("? Name")
        .press(ENTER)
        .see("? Description")
        .press(ENTER);
    session.see("? Bindings").see("]");
    snapbox::assert_data_eq!(
        session.screen(),
        str![[r#"
✓ Name mypkg
✓ Description Python package with GPU kernels
? Bindings
> pyo3      Rust bindings with a very l…
  pybind11  C++ bindings
[↑↓ move, enter accepts, esc goes back]
"#]]
    );
    session.press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn a_low_terminal_scrolls_the_options() {
    let mut session = Session::sized(Project::bare(), 8, 80);
    session
        .see("? Name")
        .press(ENTER)
        .see("? Description")
        .press(ENTER)
        .see("? Bindings")
        .see("> pyo3");
    session
        .press(&DOWN.repeat(6))
        .see("> swig")
        .press(ENTER)
        .see("✓ Bindings swig");
    session.press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn the_keys_are_named_as_they_are() {
    let mut session = Session::start(Project::bare().with_layers());
    session.see("? Name").see("ctrl-c quits").press(ENTER);
    for question in &SOME_QUESTIONS[1..] {
        session.see(question).see("esc goes back").press(ENTER);
    }
    // The list of files scrolls everything away, and Esc still goes back.
    for _ in 0..2 {
        session
            .see("? Create it?")
            .see("> yes")
            .see("esc goes back");
        session.press(DOWN).see("> files").press(ENTER);
        session.see("src/lib.rs").miss("> files").see("> yes");
    }
    session.see("? Create it?").see("esc goes back");
    session
        .press(ESCAPE)
        .see("? Author")
        .see("esc goes back")
        .press(ESCAPE);
    for question in SOME_QUESTIONS[1..5].iter().rev() {
        session.see(question).see("esc goes back").press(ESCAPE);
    }
    session.see("? Name").see("ctrl-c quits");
    // Esc asks the first question again, without what was typed.
    session.press("some").see(") some").press(ESCAPE);
    session.miss("some").see("? Name").press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn options_that_will_not_do_are_refused_before_any_question() {
    for options in [
        &["--license", "mit"][..],
        &["--kernels", "opencl"],
        &["--python", "2.7"],
        &["--email", "ada"],
        &["class", "--interactive"],
        &["--output", "taken"],
    ] {
        let project = Project::bare().with_layers().file("taken/notes.txt", "");
        let ended = Session::start(project.args(options)).end();
        assert!(ended.screen.starts_with("error: "), "{}", ended.screen);
        assert_ne!(ended.code, 0, "{options:?}");
    }
}

#[test]
fn texts_are_refused_in_the_words_of_their_question() {
    let given = ["mypkg", "-i", "--bridge", "pyo3", "--kernels", "cu"];
    let project = Project::bare().with_layers().args(given);
    let mut session = Session::sized(project.args(["--license", "MIT"]), 24, 120);
    session.see("? Description").press("<!--");
    session.see("✗ it holds `<!--`, which would hide the rest of a README");
    session.press("\x15").press(ENTER).see("? Author");
    let example = "; such as `Ada Lovelace <ada@example.org>`";
    for (author, problem) in [
        (
            "A, B",
            "the author holds a comma, which would separate two authors",
        ),
        ("Ada <ada>", "the address `ada` is not an address"),
    ] {
        session.press("\x15").press(author);
        session.see(&format!("✗ {problem}{example}"));
    }
    session.press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn the_review_says_what_was_chosen_and_what_would_be_lost() {
    let project = Project::bare().with_layers().arg("--force");
    let project = project.file("mypkg/LICENSE", "mine");
    let mut session = Session::start(project);
    for question in SOME_QUESTIONS {
        session.see(question).press(ENTER);
    }
    session.see("? Create it?").see("]");
    session.see(
        "package `mypkg`, bindings `pyo3`, kernel language `cu`, license `MIT`, CI\n  provider",
    );
    session.see("\noverwrites 1: LICENSE");
    session.press(DOWN).see("> files").press(ENTER);
    session.see("\nLICENSE  (overwritten)\n").press(CTRL_C);
    assert_eq!(session.end().code, 130);
}

#[test]
fn after_a_change_the_first_question_is_the_first_again() {
    let given = ["--description", "d", "--bridge", "pyo3", "--kernels", "cu"];
    let rest = ["--license", "MIT", "--author", "Bob"];
    let project = Project::bare().with_layers().args(given).args(rest);
    let mut session = Session::start(project);
    session.see("? Name").see("ctrl-c quits").press(ENTER);
    session.see("> yes").press(DOWN).see("> files").press(ENTER);
    session.see("src/lib.rs").miss("> files").see("> yes");
    session.press(DOWN).press(DOWN).see("> change").press(ENTER);
    session.see("? Name").see("ctrl-c quits").press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn the_name_is_taken_from_the_folder() {
    for (output, name) in [("libs/Foo Bar", "foo-bar"), ("libs/gpu_sums/", "gpu_sums")] {
        let project = Project::bare().with_layers().output(output);
        let mut session = Session::start(project);
        session.see(&format!("? Name ({name})")).press(CTRL_C);
        session.end().interrupted();
    }
}

#[test]
fn lines_of_the_report_end_between_words() {
    let mut session = Session::sized(Project::new("mypkg").with_layers(), 24, 60);
    session.see("python -c");
    let ended = session.end().success();
    let expected = "\
created `mypkg` in `mypkg`: 5 files, bindings `pyo3`,
  kernels `cu`, git repository with a first commit
author: Ada Lovelace <ada@example.org>; `--author` and
  `--email` give another one
next (the first build takes about a minute):";
    assert!(ended.screen.starts_with(expected), "{}", ended.screen);
}

#[test]
fn keys_that_shells_have_for_a_line() {
    let mut session = Session::start(Project::bare().with_layers());
    session.see("? Name").press("first-pkg").see("first-pkg");
    session
        .press("\x15")
        .miss("first-pkg")
        .press("pkg")
        .see("(mypkg) pkg");
    // Ctrl-A, Ctrl-E and what types nothing.
    session
        .press("\x01a-\x1a\x05-b")
        .see("a-pkg-b")
        .press(ENTER)
        .see("✓ Name a-pkg-b");
    session
        .see("? Description")
        .press("one two\x17three")
        .see("one three");
    session
        .press(ENTER)
        .see("✓ Description one three")
        .see("? Bindings")
        .press(CTRL_C);
    session.end().interrupted();
}
