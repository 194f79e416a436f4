//! Text of the user comes out as it went in, whatever it holds.

use serde_json::Value;

use crate::project::Project;

const TEXTS: [&str; 8] = [
    "plain",
    r#"say "hi""#,
    r"back\slash \n",
    "{{module}} and ${{ secrets.TOKEN }}",
    "Größe · 速い · 🚀",
    "'''single''' \"\"\"double\"\"\"",
    "# no comment",
    "ends with a backslash \\",
];

fn toml(text: &str) -> toml::Table {
    text.parse()
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn pyproject_and_answers_hold_the_text() {
    for text in TEXTS {
        let author = text.replace(['<', '>', '@', ','], "");
        let outcome = Project::new("mypkg")
            .args([
                "--no-git",
                "--description",
                text,
                "--author",
                &author,
                "--email",
                "o'neil+x@example.org",
            ])
            .run()
            .success();

        let pyproject = toml(&outcome.read("mypkg/pyproject.toml"));
        let project = &pyproject["project"];
        assert_eq!(project["description"].as_str(), Some(text));
        assert_eq!(project["authors"][0]["name"].as_str(), Some(&*author));
        assert_eq!(
            project["authors"][0]["email"].as_str(),
            Some("o'neil+x@example.org")
        );

        let answers = toml(&outcome.read("mypkg/.cuvec-new.toml"));
        assert_eq!(answers["answers"]["description"].as_str(), Some(text));
        assert_eq!(answers["answers"]["author"].as_str(), Some(&*author));
    }
}

#[test]
fn no_email_leaves_no_key() {
    let outcome = Project::new("mypkg").args(["--email", ""]).run().success();
    let pyproject = toml(&outcome.read("mypkg/pyproject.toml"));
    let author = pyproject["project"]["authors"][0].as_table().unwrap();
    assert_eq!(author.keys().collect::<Vec<_>>(), ["name"]);
}

#[test]
fn docstrings_stay_closed() {
    let outcome = Project::new("mypkg")
        .with_layers()
        .args(["--description", r#"a "b" \"#])
        .run()
        .success();
    let about = outcome.read("mypkg/about.txt");
    assert!(about.contains("docstring = a \\\"b\\\" \\\\\n"), "{about}");
}

#[test]
fn surrounding_blanks_are_dropped() {
    let outcome = Project::new("mypkg")
        .args([
            "--dry-run",
            "--json",
            "--author",
            " Ada ",
            "--description",
            " x ",
        ])
        .run()
        .success();
    let _: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let outcome = outcome
        .again("mypkg")
        .args(["--author", " Ada ", "--description", " x "])
        .run();
    let pyproject = toml(&outcome.success().read("mypkg/pyproject.toml"));
    assert_eq!(pyproject["project"]["description"].as_str(), Some("x"));
    assert_eq!(
        pyproject["project"]["authors"][0]["name"].as_str(),
        Some("Ada")
    );
}
