//! Questions and answers that take several rows of the terminal, or exactly one.

use crate::project::Project;
use crate::terminal::{CTRL_C, DOWN, ENTER, ESCAPE, Session};

const HOME: &str = "\x01";
const END: &str = "\x05";
const BACKSPACE: &str = "\x7f";
const LEFT: &str = "\x1b[D";

/// Where a line of 20 columns goes on after so many.
fn after(columns: usize) -> (u16, u16) {
    let columns = columns as u16;
    (columns / 20, columns % 20)
}

#[test]
fn the_cursor_is_where_the_next_character_goes() {
    let mut session = Session::sized(Project::bare().with_layers(), 24, 20);
    session.see("? Name (mypkg)");
    let longer = (1..=26).map(|letters| ("a", letters));
    let shorter = (1..26).rev().map(|letters| (BACKSPACE, letters));
    for (key, letters) in longer.chain(shorter) {
        let question = "? Name (mypkg) ".to_owned() + &"a".repeat(letters);
        let screen = format!("{question}\n[enter accepts, ct…]");
        let end = after(question.len());
        session.press(key).see_all_at(&screen, end);
        session.press(HOME).see_all_at(&screen, (0, 15));
        session.press(END).see_all_at(&screen, end);
    }
    session.press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn an_explanation_takes_rows_too() {
    for letters in [4, 5, 6, 25] {
        let mut session = Session::sized(Project::bare().with_layers(), 24, 20);
        let name = "9".repeat(letters);
        let question = format!("? Name (mypkg) {name}");
        let screen = format!(
            "{question}\n\
             \u{20} ✗ it begins with a digit, so Python could not import it\n\
             \u{20} → tab: py{name}\n\
             [enter accepts, ct…]"
        );
        let end = after(question.len());
        session.see("? Name").press(&name).see_all_at(&screen, end);
        let marked = screen.replace("  ✗", "> ✗");
        session.press(DOWN).see_all_at(&marked, end);
        session.press(CTRL_C);
        session.end().interrupted();
    }
}

/// So many wide characters on 21 columns: some in the row that has begun, then ten in each.
fn wide(typed: usize, first: usize) -> String {
    let rest = typed.saturating_sub(first);
    let rows = (0..rest).step_by(10).map(|at| 10.min(rest - at));
    let rows = [typed - rest].into_iter().chain(rows);
    rows.map(|row| "中".repeat(row))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn wide_characters_stay_whole() {
    let mut session = Session::sized(Project::bare().with_layers(), 24, 21);
    session.see("? Name").press(ENTER).see("? Description");
    let asked = |typed: usize| {
        let typed = wide(typed, 7);
        format!(
            "✓ Name mypkg\n\
             ? Description (Python package with GPU kernels) {typed}\n\
             [enter accepts, esc…]"
        )
    };
    // The question itself ends in its third row, after 6 columns.
    let third = (1..=7).map(|typed| (3, 6 + 2 * typed));
    let fourth = (1..=10).map(|typed| (4, 2 * typed));
    let ends: Vec<_> = third.chain(fourth).chain([(5, 2)]).collect();
    for (typed, end) in (1..).zip(&ends) {
        session.press("中").see_all_at(&asked(typed), *end);
    }
    session.press(LEFT).see_all_at(&asked(18), (5, 0));
    session.press(LEFT).see_all_at(&asked(18), (4, 18));
    session.press(END);
    for (typed, end) in (1..ends.len()).zip(&ends).rev() {
        session.press(BACKSPACE).see_all_at(&asked(typed), *end);
    }
    session.press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn answers_of_wide_characters_are_removed_as_they_are() {
    for typed in [13, 14] {
        let description = "中".repeat(typed);
        let mut session = Session::sized(Project::bare().with_layers(), 24, 21);
        session.see("? Name").press(ENTER);
        session
            .see("? Description")
            .press(&description)
            .press(ENTER);
        session.see("? Bindings").see("]").press(ESCAPE);
        session.see_all(&format!(
            "✓ Name mypkg\n? Description {}\n[enter accepts, esc…]",
            wide(typed, 3)
        ));
        session.press(CTRL_C);
        session.end().interrupted();
    }
}

#[test]
fn a_question_at_the_bottom_scrolls() {
    let mut session = Session::sized(Project::bare().with_layers(), 4, 20);
    session.see("? Name (mypkg)").press(ENTER);
    session.see("? Description").press(&"a".repeat(32));
    let expected = format!(
        "? Description (Python package with GPU kernels) {}\n[enter accepts, es…]",
        "a".repeat(32)
    );
    // The first rows are gone.
    let expected = &expected[40..];
    session.see_all_at(expected, (2, 0));
    session.press(ENTER).see("? Bindings").press(CTRL_C);
    session.end().interrupted();
}

#[test]
fn answers_that_fill_rows_are_removed_as_they_are() {
    for (name, description) in [(13, 6), (14, 7), (33, 26), (34, 27)] {
        let [name, description] = [name, description].map(|it| "a".repeat(it));
        let mut session = Session::sized(Project::bare().with_layers(), 24, 20);
        session.see("? Name").press(&name).press(ENTER);
        session
            .see("? Description")
            .press(&description)
            .press(ENTER);
        let answered = format!("✓ Name {name}\n✓ Description {description}\n? Bindings\n");
        session.see(&answered).see("]").press(ESCAPE);
        session.see_all(&format!(
            "✓ Name {name}\n? Description {description}\n[enter accepts, es…]"
        ));
        session.press(ESCAPE);
        session.see_all(&format!("? Name {name}\n[enter accepts, ct…]"));
        session.press(CTRL_C);
        session.end().interrupted();
    }
}

#[test]
fn an_answer_that_is_refused_is_asked_for_in_its_place() {
    for letters in [3, 4, 23, 24] {
        let mut session = Session::sized(Project::bare().with_layers(), 24, 20);
        session.see("? Name").press("some").press(ENTER);
        let answer = "```".to_owned() + &"a".repeat(letters);
        session.see("? Description").press(&answer).press(ENTER);
        session.see_all(&format!(
            "✓ Name some\n\
             ? Description {answer}\n\
             \u{20} ✗ it holds `````, which would hide the rest of a README\n\
             [enter accepts, es…]"
        ));
        session.press(CTRL_C);
        session.end().interrupted();
    }
}

#[test]
fn help_is_left_out_where_it_does_not_fit() {
    let keys = "enter accepts, ctrl-c quits";
    let both = format!("Name of the package, such as `my-pkg`; {keys}");
    // Brackets are around it.
    let columns = both.len() as u16 + 2;
    for (columns, help) in [(columns, both.as_str()), (columns - 1, keys)] {
        let mut session = Session::sized(Project::bare().with_layers(), 24, columns);
        session.see_all(&format!("? Name (mypkg)\n[{help}]"));
        session.press(CTRL_C);
        session.end().interrupted();
    }
}

#[test]
fn as_many_options_are_shown_as_there_are_rows_for() {
    let bridges = [
        "pyo3", "cpython", "ctypes", "cxx", "nanobind", "pybind11", "swig",
    ];
    for (rows, shown) in [(5, 2), (6, 2), (7, 3), (8, 4), (10, 6), (11, 7)] {
        let given = ["some-pkg", "-i", "--description", "d"];
        let mut session = Session::sized(Project::bare().args(given), rows, 80);
        session.see("? Bindings").see("]");
        let screen = session.screen();
        let found = bridges
            .iter()
            .filter(|it| screen.contains(&format!(" {it}  ")));
        assert_eq!(found.count(), shown, "{rows}: {screen}");
        session.press(CTRL_C);
        session.end().interrupted();
    }
}

/// In a terminal that does not say all of how large it is.
fn unsized_session(project: Project, size: &str) -> Session {
    let script = format!("stty {size}; echo above; exec \"$0\" \"$@\"");
    Session::start(project.through_shell(&script))
}

#[test]
fn without_a_size_questions_have_80_columns_and_24_rows() {
    for size in ["rows 0 cols 0", "rows 24 cols 0", "rows 0 cols 80"] {
        let mut session = unsized_session(Project::bare(), size);
        let help = "Name of the package, such as `my-pkg`; enter accepts, ctrl-c quits";
        let first = format!("above\n? Name (mypkg)\n[{help}]");
        session.see_all(&first).press(ENTER);
        session.see("? Description").press(ENTER);
        session.see("> pyo3").see("  swig").see("]").press(ESCAPE);
        session.see("? Description").press(ESCAPE).see_all(&first);
        session.press(CTRL_C);
        session.end().interrupted();
    }
}

#[test]
fn without_a_size_lines_of_the_report_are_left_as_they_are() {
    let project = Project::new("mypkg").with_layers();
    let ended = unsized_session(project, "rows 0 cols 0").end().success();
    let line = "above\ncreated `mypkg` in `mypkg`: 5 files, bindings `pyo3`, kernels `cu`";
    assert!(ended.screen.starts_with(line), "{}", ended.screen);
}
