//! Tests the values that options take, those that they refuse, and the messages.

use snapbox::str;

use crate::project::{Outcome, Project};

/// Runs it, and checks that there is nothing afterwards.
pub fn refused(project: Project) -> Outcome {
    let outcome = project.run();
    assert_eq!(outcome.entries(""), [""; 0], "something was written");
    outcome
}

#[test]
fn a_name_that_is_a_keyword() {
    refused(Project::new("class")).failure(
        2,
        str![[r#"
error: invalid package name `class`: `class` is a Python keyword
hint: try `cuvec-new my-class`

"#]],
    );
}

#[test]
fn a_name_that_is_a_path() {
    refused(Project::new("libs/MyPkg")).failure(
        2,
        str![[r#"
error: invalid package name `libs/MyPkg`: it is a path
hint: NAME is not a path; try `cuvec-new mypkg --output libs/MyPkg`

"#]],
    );
}

#[test]
fn an_unknown_bridge() {
    refused(Project::new("mypkg").with_layers().bridge("PyO")).failure(
        2,
        str![[r#"
error: unknown bindings `PyO`
hint: did you mean `--bridge pyo3`? bindings are `pyo3`, `pybind11`

"#]],
    );
}

#[test]
fn an_unknown_kernel_language() {
    refused(Project::new("mypkg").with_layers().kernels("opencl")).failure(
        2,
        str![[r#"
error: unknown kernel language `opencl`
hint: kernel languages are `cu`, `rust`

"#]],
    );
}

#[test]
fn what_others_call_them() {
    for (option, word, name) in [
        ("--kernels", "cuda", "cu"),
        ("--kernels", "CUDA", "cu"),
        ("--kernels", "c++", "cu"),
        ("--bridge", "rust", "pyo3"),
        ("--bridge", "c++", "nanobind"),
        ("--cuda", "12.4", "12"),
    ] {
        let outcome = refused(Project::new("mypkg").args([option, word]));
        let hint = format!("hint: did you mean `{option} {name}`?");
        assert!(outcome.stderr.contains(&hint), "{}", outcome.stderr);
        assert_eq!(outcome.code, 2);
    }
    // The nearest number is no version that was meant.
    refused(Project::new("mypkg").args(["--cuda", "11"])).failure(
        2,
        str![[r#"
error: unknown CUDA version `11`
hint: CUDA versions are `13`, `12`

"#]],
    );
    refused(Project::new("mypkg").args(["--license", "GPL-3.0"])).failure(2, str![[r#"
error: unknown license `GPL-3.0`
hint: licenses are `MIT`, `Apache-2.0`, `BSD-3-Clause`, `MPL-2.0`; for another one choose any, then change LICENSE, README.md, and `license` in pyproject.toml

"#]]);
}

#[test]
fn an_unknown_license() {
    refused(
        Project::new("mypkg")
            .with_layers()
            .args(["--license", "mit"]),
    )
    .failure(
        2,
        str![[r#"
error: unknown license `mit`
hint: did you mean `--license MIT`? licenses are `MIT`, `0BSD`

"#]],
    );
}

#[test]
fn an_unknown_ci_provider() {
    refused(Project::new("mypkg").with_layers().args(["--ci", "nine"])).failure(
        2,
        str![[r#"
error: unknown CI provider `nine`
hint: did you mean `--ci none`? CI providers are `none`

"#]],
    );
}

#[test]
fn all_bindings_go_with_all_kernel_languages() {
    for bridge in ["pyo3", "pybind11"] {
        for (kernels, compiler) in [("cu", "nvcc"), ("rust", "rustc")] {
            let project = Project::new("mypkg")
                .with_layers()
                .bridge(bridge)
                .kernels(kernels);
            let about = project.run().success().read("mypkg/about.txt");
            let line = format!("layers = MIT none {kernels} {bridge}\nvalues = {compiler}\n");
            assert!(about.contains(&line), "{about}");
        }
    }
}

#[test]
fn an_old_python() {
    refused(Project::new("mypkg").args(["--python", "3.10"])).failure(
        2,
        str![[r#"
error: unsupported Python version `3.10`
hint: `--python` takes `3.11`, `3.12`, `3.13`, `3.14`, `3.15`

"#]],
    );
}

#[test]
fn a_description_of_two_lines() {
    refused(Project::new("mypkg").args(["--description", "one\ntwo"])).failure(
        2,
        str![[r#"
error: `--description` holds the character `\u{a}`
hint: give it as one line of plain text

"#]],
    );
}

#[test]
fn a_description_that_reorders_text() {
    refused(Project::new("mypkg").args(["--description", "a\u{202e}b"])).failure(
        2,
        str![[r#"
error: `--description` holds the character `\u{202e}`
hint: give it as one line of plain text

"#]],
    );
}

#[test]
fn a_description_that_is_too_long() {
    refused(Project::new("mypkg").args(["--description", &"x".repeat(513)])).failure(
        2,
        str![[r#"
error: `--description` has 513 characters
hint: 512 are allowed

"#]],
    );
}

#[test]
fn two_authors() {
    refused(Project::new("mypkg").args(["--author", "Ada, Bob"])).failure(
        2,
        str![[r#"
error: `--author` holds a comma, which would separate two authors
hint: such as `--author 'Ada Lovelace' --email ada@example.org`

"#]],
    );
}

#[test]
fn no_email_address() {
    refused(Project::new("mypkg").args(["--email", "ada"])).failure(
        2,
        str![[r#"
error: `--email` `ada` is not an address
hint: such as `--email ada@example.org`, or `--email ""` for none

"#]],
    );
}

#[test]
fn options_that_exclude_each_other() {
    for arguments in [
        &["list", "mypkg"][..],
        &["list", "--force"],
        &["list", "--try"],
        &["mypkg", "--dry-run", "--json", "--quiet"],
        &["mypkg", "--dry-run", "--try"],
        &["mypkg", "--dry-run", "--quiet"],
        &["mypkg", "--json"],
        &["mypkg", "other"],
        &["mypkg", "--output", ""],
        &["mypkg", "--no-such-option"],
    ] {
        let outcome = refused(Project::bare().args(arguments));
        assert_eq!(outcome.code, 2, "{arguments:?}");
        assert!(outcome.stderr.starts_with("error: "), "{}", outcome.stderr);
    }
}

#[test]
fn a_path_as_a_name_and_the_line_that_makes_it() {
    let hint = |project: Project, name: &str| {
        let outcome = refused(project.arg(name));
        let hint = outcome.stderr.split("try `").nth(1).map(str::to_owned);
        hint.unwrap_or_else(|| panic!("{}", outcome.stderr))
    };
    for (name, line) in [
        ("libs/foo/", "foo --output libs/foo"),
        ("../My Pkg", "my-pkg --output '../My Pkg'"),
        ("/opt/foo", "foo --output /opt/foo"),
        ("a\u{7}/b", "b --output DIR"),
    ] {
        assert_eq!(hint(Project::bare(), name), format!("cuvec-new {line}`\n"));
    }
    for name in [".", "./"] {
        let project = Project::bare().inside("home/Here It Is");
        assert_eq!(hint(project, name), "cuvec-new here-it-is --output .`\n");
    }
    let project = Project::bare().inside("home/there/here");
    assert_eq!(hint(project, ".."), "cuvec-new there --output ..`\n");
}

#[test]
fn a_folder_that_looks_like_an_option() {
    let outcome = Project::new("mypkg")
        .with_layers()
        .arg("--output=-d")
        .run()
        .success();
    assert!(
        outcome.stdout.contains("\n  cd ./-d\n"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn only_what_is_similar_is_offered() {
    let layer = |project: Project, id: &str| {
        project.layer(&format!("license/{id}/layer.toml"), "summary = \"\"")
    };
    for (asked, offered) in [
        ("GPL-3.0", None),
        ("GPL-2.0", None),
        ("BSD", Some("BSD-3-Clause")),
        ("Apache-2", Some("Apache-2.0")),
        ("apache2.0", Some("Apache-2.0")),
        ("MTI", Some("MIT")),
        ("bsd-3-claus", Some("BSD-3-Clause")),
        ("M", None),
        ("", None),
    ] {
        let project = Project::new("mypkg").with_layers();
        let project = ["MPL-2.0", "BSD-3-Clause", "Apache-2.0"]
            .into_iter()
            .fold(project, layer);
        let outcome = refused(project.args(["--license", asked]));
        let found = outcome.stderr.split("did you mean `--license ").nth(1);
        let found = found.map(|rest| rest.split('`').next().unwrap());
        assert_eq!(found, offered, "{asked}");
    }
}

#[test]
fn json_alone() {
    refused(Project::new("mypkg").arg("--json")).failure(
        2,
        str![[r#"
error: `--json` is for `--dry-run` and for the command `list`
hint: try `cuvec-new mypkg --dry-run --json`, or `cuvec-new list --json`

"#]],
    );
}

#[test]
fn an_email_address_that_is_hidden_or_endless() {
    for (address, problem) in [
        ("a\u{202e}b@c", "holds the character `\\u{202e}`"),
        ("a@b\u{2066}c", "holds the character `\\u{2066}`"),
    ] {
        let outcome = refused(Project::new("mypkg").args(["--email", address]));
        let expected =
            format!("error: `--email` {problem}\nhint: give it as one line of plain text\n");
        outcome.failure(2, expected);
    }
    let long = format!("{}@example.org", "a".repeat(300));
    refused(Project::new("mypkg").args(["--email", &long])).failure(
        2,
        str![[r#"
error: `--email` has 312 characters
hint: 254 are allowed

"#]],
    );
}

/// In a README, the rest of the page would be missing.
#[test]
fn a_description_that_hides_what_follows_it() {
    for (text, what) in [
        ("Kernels <!-- for us", "<!--"),
        ("<? php", "<?"),
        ("<!DOCTYPE html>", "<!DOCTYPE"),
        ("fast <Details open> kernels", "<Details"),
        ("<script", "<script"),
        ("``` all code", "```"),
        ("~~~", "~~~"),
    ] {
        let outcome = refused(Project::new("mypkg").args(["--description", text]));
        let expected = format!(
            "error: `--description` holds `{what}`, which would hide the rest of a README\n\
             hint: leave it out\n"
        );
        outcome.failure(2, expected);
    }
    for text in [
        "a<b and c>d",
        "std::vector<float>",
        "use `x`",
        "a ~~~ b",
        "<3",
    ] {
        let project = Project::new("mypkg")
            .with_layers()
            .args(["--description", text]);
        project.run().success();
    }
}
