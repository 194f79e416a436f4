use super::*;

fn refused(raw: &str) -> InvalidName {
    match Name::parse(raw) {
        Ok(name) => panic!("`{name}` was accepted"),
        Err(error) => error,
    }
}

#[test]
fn accepted() {
    let longest = "a".repeat(MAX_LENGTH);
    for name in [
        "a",
        "mypkg",
        "my-pkg",
        "my_pkg",
        "a1",
        "my-pkg_2",
        "pypi",
        "numpy-tools",
        "gpu3d",
        "classes",
        &longest,
    ] {
        assert_eq!(Name::parse(name).unwrap().distribution(), name);
    }
}

#[test]
fn dashes_become_underscores_in_the_module_only() {
    let name = Name::parse("my-fast-pkg").unwrap();
    assert_eq!(name.distribution(), "my-fast-pkg");
    assert_eq!(name.module(), "my_fast_pkg");
}

#[test]
fn shapes_and_what_is_offered_instead() {
    let long = "a".repeat(70);
    let cases = [
        ("", Problem::Empty, "my-package"),
        ("my/pkg", Problem::Path, "pkg"),
        ("../pkg/", Problem::Path, "pkg"),
        (r"c:\pkg", Problem::Path, "pkg"),
        ("my pkg", Problem::Character(" ".into()), "my-pkg"),
        (" mypkg", Problem::Character(" ".into()), "mypkg"),
        ("my\npkg", Problem::Character("\\n".into()), "mypkg"),
        ("{{name}}", Problem::Character("{".into()), "name"),
        ("café", Problem::Character("é".into()), "cafe"),
        ("北京", Problem::Character("北".into()), "bei-jing"),
        ("ﬁle", Problem::Character("ﬁ".into()), "file"),
        ("💥", Problem::Character("💥".into()), "boom"),
        ("my.pkg", Problem::Dot, "my-pkg"),
        (".", Problem::Path, "my-package"),
        ("..", Problem::Path, "my-package"),
        ("a.", Problem::Dot, "a"),
        ("MyPkg", Problem::Uppercase, "mypkg"),
        ("None", Problem::Uppercase, "none"),
        ("3d-tools", Problem::Digit, "py3d-tools"),
        ("-x", Problem::Edge, "x"),
        ("_x", Problem::Edge, "x"),
        ("x-", Problem::Edge, "x"),
        ("_", Problem::Edge, "my-package"),
        ("a--b", Problem::Separators("--".into()), "a-b"),
        ("a__b", Problem::Separators("__".into()), "a_b"),
        ("a-_b", Problem::Separators("-_".into()), "a-b"),
        (&long, Problem::Length(70), &long[..64]),
    ];
    for (raw, problem, suggestion) in cases {
        let error = refused(raw);
        assert_eq!(error.problem, problem, "{raw}");
        assert_eq!(error.suggestion, suggestion, "{raw}");
    }
}

#[test]
fn reserved_words_and_why() {
    use reserved::Reason::*;
    let cases = [
        ("update", Command),
        ("list", Command),
        ("class", PythonKeyword),
        ("match", PythonKeyword),
        ("type", PythonKeyword),
        ("lazy", PythonKeyword),
        ("json", StandardLibrary),
        ("sys", StandardLibrary),
        ("distutils", StandardLibrary),
        ("annotationlib", StandardLibrary),
        ("test", Command),
        ("new", Command),
        ("init", Command),
        ("print", Builtin),
        ("frozendict", Builtin),
        ("numpy", Package),
        ("cuda", Package),
        ("cuvec", Package),
        ("scikit-build-core", Package),
        ("tests", Folder),
        ("runtime", Folder),
        ("core", Cargo),
        ("proc-macro", Cargo),
        ("fn", RustKeyword),
        ("false", RustKeyword),
        ("nul", WindowsDevice),
        ("com7", WindowsDevice),
    ];
    for (raw, reason) in cases {
        let word = module(raw);
        let error = refused(raw);
        assert_eq!(error.problem, Problem::Reserved { word, reason }, "{raw}");
        assert_eq!(error.suggestion, format!("my-{raw}"));
    }
}

/// The lists are compared with whatever Python is there; without one, nothing is.
#[test]
fn no_python_word_is_forgotten() {
    let script = "import builtins, keyword, sys; \
                  print(*sys.stdlib_module_names, *keyword.kwlist, *keyword.softkwlist, *dir(builtins))";
    let python = std::process::Command::new("python3")
        .args(["-c", script])
        .output();
    let Ok(output) = python else {
        return eprintln!("skipped: no `python3`");
    };
    let words = String::from_utf8(output.stdout).unwrap();
    let accepted: Vec<_> = words
        .split_whitespace()
        .filter(|word| Name::parse(word).is_ok())
        .collect();
    assert!(accepted.is_empty(), "{accepted:?}");
}

#[test]
fn what_is_offered_instead_of_long_names() {
    let number = "9".to_owned() + &"a".repeat(MAX_LENGTH - 1);
    let shortened = "a".repeat(MAX_LENGTH - "-kernels".len() - 1);
    assert_eq!(suggest::similar(&number), format!("py9{shortened}"));
    let far = " ".repeat(MAX_LENGTH + 20) + "xyzw";
    assert_eq!(suggest::similar(&far), "xyzw");
}

#[test]
fn names_are_shown_in_one_short_line() {
    let message = refused(&"x\n".repeat(200)).to_string();
    assert!(!message.contains('\n') && message.len() < 250, "{message}");
    assert_eq!(shown(&"a".repeat(MAX_LENGTH)), "a".repeat(MAX_LENGTH));
    let longer = "a".repeat(MAX_LENGTH) + "…";
    assert_eq!(shown(&"a".repeat(MAX_LENGTH + 1)), longer);
}
