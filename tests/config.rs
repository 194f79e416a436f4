//! `~/.config/cuvec-new/config.toml`: the user's own answers to what nobody says.

use snapbox::str;

use crate::project::Project;

const PATH: &str = "cuvec-new/config.toml";

fn with(settings: &str) -> Project {
    let project = Project::new("mypkg");
    project.env("XDG_CONFIG_HOME", ".").file(PATH, settings)
}

#[test]
fn its_answers_are_defaults() {
    let settings =
        "author = \"Grace\"\nemail = \"\"\nlicense = \"Apache-2.0\"\npython = \"3.13\"\n";
    let outcome = with(settings).args(["--python", "3.12"]).run().success();
    let record = outcome.read("mypkg/.cuvec-new.toml");
    for line in [
        "author = \"Grace\"",
        "license = \"Apache-2.0\"",
        "python = \"3.12\"",
    ] {
        assert!(record.contains(line), "{record}");
    }
    assert!(!outcome.stdout.contains("author: "), "{}", outcome.stdout);
}

#[test]
fn settings_are_in_the_home_folder() {
    let project = Project::new("mypkg");
    let path = format!("home/.config/{PATH}");
    let outcome = project.file(&path, "author = \"Grace\"\n").run().success();
    assert!(outcome.read("mypkg/.cuvec-new.toml").contains("Grace"));
}

#[test]
fn what_is_wrong_with_it() {
    with("licens = \"MIT\"\n").run().failure(2, str![[r#"
error: `./cuvec-new/config.toml`: unknown key `licens`, did you mean `license`?
hint: it has lines such as `author = "Ada Lovelace"`; keys are as in `.cuvec-new.toml` of a package, without `name` and `description`

"#]]);
    with("name = \"other\"\n").run().failure(2, str![[r#"
error: `./cuvec-new/config.toml`: `name` is different for each package
hint: it has lines such as `author = "Ada Lovelace"`; keys are as in `.cuvec-new.toml` of a package, without `name` and `description`

"#]]);
    // Nobody has typed it.
    with("bridge = \"rust\"\n").run().failure(2, str![[r#"
error: `./cuvec-new/config.toml`: unknown bindings `rust`
hint: did you mean `--bridge pyo3`? bindings are `pyo3`, `cpython`, `ctypes`, `cxx`, `nanobind`, `pybind11`, `swig`

"#]]);
    with("python = \"3.10\"\n").run().failure(
        2,
        str![[r#"
error: `./cuvec-new/config.toml`: unsupported Python version `3.10`
hint: `--python` takes `3.11`, `3.12`, `3.13`, `3.14`, `3.15`

"#]],
    );
    with("author = 1\n").run().failure(2, str![[r#"
error: `./cuvec-new/config.toml`: invalid type: integer `1`, expected a string
hint: it has lines such as `author = "Ada Lovelace"`; keys are as in `.cuvec-new.toml` of a package, without `name` and `description`

"#]]);
}

#[test]
fn the_page_of_settings_names_all_keys() {
    let record = Project::new("mypkg").run().success();
    let record = record.read("mypkg/.cuvec-new.toml");
    let (_, answers) = record.split_once("[answers]").unwrap();
    let keys = answers.lines().filter_map(|it| it.split_once(" = "));
    let keys: Vec<_> = keys
        .map(|(key, _)| key)
        .filter(|key| !["name", "description"].contains(key))
        .collect();
    assert!(keys.len() > 8, "{keys:?}");
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/environment.md");
    let page = std::fs::read_to_string(page).unwrap();
    let line = page.lines().find(|it| it.starts_with("Keys are "));
    let line = line.unwrap().split_once('.').unwrap().0;
    let mut named: Vec<_> = line.split('`').skip(1).step_by(2).collect();
    named.sort_unstable();
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    assert_eq!(named, sorted);
}
