//! Properties of any name, accepted or not.

use std::io::Write;
use std::process::{Command, Stdio};

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Reads names and modules, and prints those that Python or PyPI would not take.
const PYTHON: &str = r#"
import keyword, re, sys
# The pattern of the specification of names.
valid = re.compile(r"[A-Z0-9]|[A-Z0-9][A-Z0-9._-]*[A-Z0-9]", re.IGNORECASE)
for line in sys.stdin:
    name, module = line.split()
    importable = module.isidentifier() and not keyword.iskeyword(module) and not keyword.issoftkeyword(module)
    normalized = re.sub(r"[-_.]+", "-", name).lower()
    if not (valid.fullmatch(name) and importable and normalized == module.replace("_", "-")):
        print(name)
    if module in sys.stdlib_module_names:
        print(name)
"#;

/// Names as people type them, words that mean something, and noise.
fn any_name() -> impl Strategy<Value = String> {
    let words = "class match json sys numpy tests core fn nul com7 print mypkg a b2".split(' ');
    let words: Vec<_> = words.collect();
    prop_oneof![
        3 => "[a-z][a-z0-9_-]{0,20}",
        2 => "[A-Za-z0-9._ /-]{0,70}",
        2 => vec(prop::sample::select(words), 1..4).prop_map(|words| words.join("-")),
        1 => "\\PC{0,70}",
        1 => any::<String>(),
    ]
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    }
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn a_refused_name_comes_with_one_that_is_accepted(raw in any_name()) {
        if let Err(error) = Name::parse(&raw) {
            let offered = error.suggestion();
            prop_assert!(Name::parse(offered).is_ok(), "`{offered}` for {raw:?}");
            let message = error.to_string() + &error.hint();
            prop_assert!(!message.contains(char::is_control), "{message:?}");
        }
    }

    #[test]
    fn an_accepted_name_is_used_as_it_is(raw in any_name()) {
        if let Ok(name) = Name::parse(&raw) {
            prop_assert_eq!(name.distribution(), &raw);
            prop_assert_eq!(name.module().replace('_', "-"), raw.replace('_', "-"));
        }
    }
}

proptest! {
    #![proptest_config(config(2))]

    /// Without a Python, nothing is compared.
    #[test]
    fn python_can_import_what_is_accepted(raws in vec(any_name(), 2000)) {
        let names: Vec<_> = raws.iter().filter_map(|raw| Name::parse(raw).ok()).collect();
        prop_assert!(names.len() > 300, "only {} of the names were accepted", names.len());
        let lines: String = names
            .iter()
            .map(|name| format!("{name} {}\n", name.module()))
            .collect();
        if let Some(bad) = refused_by_python(&lines) {
            prop_assert_eq!(bad, "");
        }
    }
}

fn refused_by_python(lines: &str) -> Option<String> {
    let python = Command::new("python3")
        .args(["-c", PYTHON])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut python) = python else {
        eprintln!("skipped: no `python3`");
        return None;
    };
    python.stdin.take()?.write_all(lines.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(String::from_utf8(output.stdout).unwrap())
}
