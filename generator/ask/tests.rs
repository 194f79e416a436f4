use std::collections::VecDeque;
use std::path::Path;

use clap::Parser;

use super::prompt::{Choice, Line, Reply};
use super::*;
use crate::args::Args;
use crate::catalog::{Kind, Templates};

/// It follows every "yes", and only some tests are about it.
const LAST: &str = "Install and test it now?";

/// Next act of the user.
enum Act {
    Type(&'static str),
    Choose(&'static str),
    Back,
}
use Act::{Back, Choose, Type};

/// Plays a user, and notes what it was asked and shown.
#[derive(Default)]
struct Script {
    acts: VecDeque<Act>,
    asked: Vec<String>,
    shown: String,
}

impl Script {
    fn new(acts: impl IntoIterator<Item = Act>) -> Self {
        Self {
            acts: acts.into_iter().collect(),
            ..Self::default()
        }
    }

    fn next(&mut self, question: &str) -> Act {
        self.asked.push(question.to_owned());
        let act = self.acts.pop_front();
        act.unwrap_or_else(|| panic!("nothing to say to `{question}`; asked: {:?}", self.asked))
    }
}

impl Prompt for Script {
    fn line(&mut self, question: &Line) -> Result<Reply<String>> {
        match self.next(question.message) {
            Type("") if question.start.is_empty() => Ok(Reply::Answer(question.default.clone())),
            Type("") => Ok(Reply::Answer(question.start.clone())),
            Type(text) => {
                assert_eq!((question.check)(text), Ok(()), "{text}");
                Ok(Reply::Answer(text.to_owned()))
            }
            Back => Ok(Reply::Back),
            Choose(name) => panic!("`{}` has no option `{name}`", question.message),
        }
    }

    fn choice(&mut self, question: &Choice) -> Result<Reply<usize>> {
        self.shown += question.above;
        if self.acts.is_empty() && question.message == LAST {
            return Ok(Reply::Answer(question.start));
        }
        match self.next(question.message) {
            Choose("") => Ok(Reply::Answer(question.start)),
            Choose(name) => {
                let index = question.options.iter().position(|it| it.name == name);
                Ok(Reply::Answer(
                    index.unwrap_or_else(|| panic!("no option `{name}`")),
                ))
            }
            Back => Ok(Reply::Back),
            Type(text) => panic!("`{}` takes no `{text}`", question.message),
        }
    }

    fn show(&mut self, text: &str) -> Result<()> {
        self.shown += text;
        Ok(())
    }

    fn restart(&mut self) -> Result<()> {
        Ok(())
    }

    fn columns(&self) -> usize {
        80
    }
}

fn catalog() -> Catalog {
    Catalog::load(Templates::embedded()).unwrap()
}

fn args(options: &[&str]) -> New {
    Args::parse_from(["cuvec-new"].iter().chain(options)).new
}

/// All but the question whose answers a test is about.
const REST: [&str; 10] = [
    "--description",
    "d",
    "--license",
    "MIT",
    "--ci",
    "none",
    "--docs",
    "none",
    "--author",
    "Ada",
];

#[test]
fn what_an_option_gives_is_not_asked() {
    let catalog = catalog();
    let given = ["some-pkg", "--bridge", "cxx", "--kernels", "rust"];
    let mut script = Script::new([Choose("yes")]);
    let asked = ask_all(&args(&[&given[..], &REST].concat()), &catalog, &mut script).unwrap();
    assert_eq!(script.asked, ["Create it?"]);
    assert_eq!(asked.said.layers.get(Kind::Bridge), Some("cxx"));
    assert_eq!(asked.said.layers.get(Kind::Kernels), Some("rust"));
    assert!(script.shown.contains("some-pkg/"), "{}", script.shown);
}

#[test]
fn a_single_possibility_is_passed_in_both_directions() {
    let mut templates = Templates::embedded();
    templates
        .layers
        .retain(|path, _| !path.starts_with("kernels/rust/"));
    let catalog = Catalog::load(templates).unwrap();
    let options = [
        "some-pkg",
        "--license",
        "MIT",
        "--description",
        "d",
        "--author",
        "Ada",
    ];
    let mut script = Script::new([
        Choose("pybind11"),
        Back,
        Choose("pyo3"),
        Choose("none"),
        Choose("none"),
        Choose("yes"),
    ]);
    let asked = ask_all(&args(&options), &catalog, &mut script).unwrap();
    assert_eq!(
        script.asked,
        [
            "Bindings",
            "CI",
            "Bindings",
            "CI",
            "Documentation",
            "Create it?"
        ]
    );
    assert_eq!(asked.said.layers.get(Kind::Kernels), Some("cu"));
}

#[test]
fn going_back_from_the_first_question_stays_there() {
    let catalog = catalog();
    let options = [&["--bridge", "swig", "--kernels", "cu"], &REST[..]].concat();
    let mut script = Script::new([Back, Back, Type("some-pkg"), Choose("yes")]);
    ask_all(&args(&options), &catalog, &mut script).unwrap();
    assert_eq!(script.asked, ["Name", "Name", "Name", "Create it?"]);
}

#[test]
fn options_that_will_not_do_are_refused_before_any_question() {
    let catalog = catalog();
    let folder = env!("CARGO_MANIFEST_DIR");
    for options in [
        &["--license", "mit"][..],
        &["--kernels", "opencl"],
        &["--python", "2.7"],
        &["--email", "ada"],
        &["class"],
        &["--output", folder],
    ] {
        let mut script = Script::default();
        assert!(
            ask_all(&args(options), &catalog, &mut script).is_err(),
            "{options:?}"
        );
        assert_eq!(script.asked, [""; 0], "{options:?}");
    }
    assert!(Path::new(folder).join("Cargo.toml").exists());
}

#[test]
fn answers_that_are_explained() {
    let cases = [
        (
            checks::name(&args(&[]), "My Pkg"),
            "` ` is no ASCII letter, digit, `-` or `_`",
        ),
        (
            checks::name(&args(&[]), "class"),
            "`class` is a Python keyword",
        ),
        (
            checks::description("a\u{7}b"),
            "it holds the character `\\u{7}`",
        ),
        (
            checks::author("A, B"),
            "the author holds a comma, which would separate two authors; such as `Ada Lovelace <ada@example.org>`",
        ),
        (
            checks::author("Ada <ada>"),
            "the address `ada` is not an address; such as `Ada Lovelace <ada@example.org>`",
        ),
    ];
    for (refusal, problem) in cases {
        assert_eq!(refusal.unwrap_err().problem, problem);
    }
}

#[test]
fn the_last_question_is_whether_to_try_it() {
    let catalog = catalog();
    let options = [
        &["some-pkg", "--bridge", "swig", "--kernels", "cu"],
        &REST[..],
    ]
    .concat();
    let mut script = Script::new([Choose("yes"), Back, Choose("yes"), Choose("yes")]);
    let asked = ask_all(&args(&options), &catalog, &mut script).unwrap();
    assert!(asked.r#try);
    assert_eq!(script.asked, ["Create it?", LAST, "Create it?", LAST]);
    assert_eq!(
        script.shown.matches("some-pkg/").count(),
        2,
        "{}",
        script.shown
    );

    let mut script = Script::new([Choose("yes"), Choose("no")]);
    assert!(
        !ask_all(&args(&options), &catalog, &mut script)
            .unwrap()
            .r#try
    );

    let given = [&options[..], &["--try"]].concat();
    let mut script = Script::new([Choose("yes")]);
    assert!(ask_all(&args(&given), &catalog, &mut script).unwrap().r#try);
    assert_eq!(script.asked, ["Create it?"]);
}

#[test]
fn the_review_says_what_was_chosen_and_what_would_be_lost() {
    let catalog = catalog();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("LICENSE"), "mine").unwrap();
    let output = folder.path().to_str().unwrap();
    let options = [
        "some-pkg",
        "--bridge",
        "swig",
        "--kernels",
        "cu",
        "--force",
        "--output",
        output,
    ];
    let options = [&options[..], &REST].concat();
    let mut script = Script::new([Choose("files"), Choose("yes")]);
    ask_all(&args(&options), &catalog, &mut script).unwrap();
    let chosen = "package `some-pkg`, bindings `swig`, kernel language `cu`, license `MIT`, CI\n  provider `none`";
    assert!(script.shown.contains(chosen), "{}", script.shown);
    assert!(
        script.shown.contains("\noverwrites 1: LICENSE"),
        "{}",
        script.shown
    );
    assert!(
        script.shown.contains("\nLICENSE  (overwritten)\n"),
        "{}",
        script.shown
    );

    std::fs::create_dir(folder.path().join("README.md")).unwrap();
    let mut script = Script::default();
    let error = ask_all(&args(&options), &catalog, &mut script).unwrap_err();
    assert!(matches!(error, Error::Blocked { .. }), "{error}");
    assert_eq!(script.asked, [""; 0]);
}
