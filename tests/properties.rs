//! Tests any answers: they give a whole package that says what they say, or nothing.

use std::process::Command;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::project::{Outcome, Project};

/// Pieces that end strings, comments or templates somewhere.
const PIECES: [&str; 24] = [
    "\"", "'", "\"\"\"", "'''", "\\", "\\n", "\\u{1}", "{{name}}", "{{", "}}", "${{ x }}", "#",
    "//", "*/", "--", "[", "]", "%s", "é", "速", "🚀", "&amp;", "$(x)", "`x`",
];

/// One line of text, with nothing in it that is refused.
fn good_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        2 => select(&PIECES[..]).prop_map(str::to_owned),
        1 => "[A-Za-z .]{1,12}",
    ];
    vec(piece, 1..12).prop_map(|pieces| format!("x{}", pieces.concat()))
}

fn any_text() -> impl Strategy<Value = String> {
    const REFUSED: [&str; 8] = [
        "\t", "\n", "\u{7f}", "\u{202e}", "\u{2028}", ",", "@", "<b>",
    ];
    let piece = prop_oneof![
        3 => good_text(),
        1 => select(&REFUSED[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    // No argument of a process holds a NUL.
    vec(piece, 0..4).prop_map(|pieces| pieces.concat().replace('\0', ""))
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 200,
        ..ProptestConfig::with_cases(cases)
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn a_name_gives_a_package_or_nothing(
        name in prop_oneof!["[a-z][a-z0-9_-]{0,20}", "[A-Za-z0-9._ /-]{0,70}", any_text()]
    ) {
        // After `--` a name is no option, whatever it begins with.
        let project = Project::bare().with_layers().args(["--no-git", "--", &name]);
        all_or_nothing(&project.run(), &name)?;
    }

    #[test]
    fn texts_give_a_package_or_nothing(
        description in any_text(), author in any_text(), email in any_text()
    ) {
        let project = Project::new("mypkg").with_layers().arg("--no-git");
        let outcome = project.args(texts(&description, &author, &email)).run();
        all_or_nothing(&outcome, "mypkg")?;
    }
}

/// Exit code 0 and the package, or 2 and nothing.
fn all_or_nothing(outcome: &Outcome, name: &str) -> Result<(), TestCaseError> {
    match outcome.code {
        0 => prop_assert_eq!(outcome.entries(""), [name]),
        code => {
            prop_assert_eq!(code, 2, "{}", &outcome.stderr);
            prop_assert_eq!(outcome.entries(""), [""; 0]);
            prop_assert!(outcome.stderr.starts_with("error: "), "{}", &outcome.stderr);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(16))]

    #[test]
    fn texts_come_out_as_they_went_in(description in good_text(), author in good_text()) {
        let project = Project::new("mypkg").arg("--no-git");
        let outcome = project.args(texts(&description, &author, "")).run();
        prop_assert_eq!(outcome.code, 0, "{}", &outcome.stderr);
        let pyproject = toml(&outcome.read("mypkg/pyproject.toml"))?;
        let project = &pyproject["project"];
        prop_assert_eq!(project["description"].as_str(), Some(description.trim()));
        prop_assert_eq!(project["authors"][0]["name"].as_str(), Some(author.trim()));
        let answers = toml(&outcome.read("mypkg/.cuvec-new.toml"))?;
        prop_assert_eq!(answers["answers"]["author"].as_str(), Some(author.trim()));
        check_python(&outcome)?;
    }
}

/// With `=`, since a text may begin with `-`.
fn texts(description: &str, author: &str, email: &str) -> [String; 3] {
    [
        format!("--description={description}"),
        format!("--author={author}"),
        format!("--email={email}"),
    ]
}

fn toml(text: &str) -> Result<toml::Table, TestCaseError> {
    text.parse()
        .map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))
}

/// All of its Python can be read by Python.
fn check_python(outcome: &Outcome) -> Result<(), TestCaseError> {
    let script = "import ast, pathlib
for path in pathlib.Path('mypkg').rglob('*.py'):
    ast.parse(path.read_text(encoding='utf-8'))";
    let python = Command::new("python3")
        .args(["-c", script])
        .current_dir(outcome.path(""))
        .output();
    if let Ok(python) = python {
        let stderr = String::from_utf8_lossy(&python.stderr).into_owned();
        prop_assert_eq!(stderr, "");
    }
    Ok(())
}
