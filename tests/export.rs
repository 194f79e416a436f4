//! `cuvec-new export`: template folders for `cargo generate`. That they make the same packages is shown by
//! `ci/package/test_export.py`, with cargo-generate itself.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use snapbox::{IntoData, str};

use crate::options::refused;
use crate::project::{Project, entries, files};

fn export(folder: &str) -> Project {
    Project::bare().args(["export", folder]).with_layers()
}

#[test]
fn says_what_was_written() {
    let outcome = export("to/my templates/").run().success();
    snapbox::assert_data_eq!(
        outcome.stdout.clone(),
        str![[r#"
exported 4 templates in `to/my templates/`:
  pyo3-cu
  pyo3-rust
  pybind11-cu
  pybind11-rust
next:
  cargo generate --path 'to/my templates/' --name mypkg

"#]]
    );
    let folders = [
        "cargo-generate.toml",
        "pybind11-cu",
        "pybind11-rust",
        "pyo3-cu",
        "pyo3-rust",
    ];
    assert_eq!(outcome.entries("to/my templates"), folders);
    assert_eq!(
        files(&outcome.path("to/my templates/pyo3-cu")),
        [
            "Cargo.lock",
            "LICENSE",
            "about.txt",
            "cargo-generate.rhai",
            "cargo-generate.toml",
            "python/{{crate_name}}/__init__.py",
            "src/lib.rs",
        ]
    );
}

#[test]
fn what_cargo_generate_asks() {
    let outcome = export("out").run().success();
    snapbox::assert_data_eq!(
        outcome.read("out/cargo-generate.toml"),
        str![[r#"
[template]
sub_templates = [
  "pyo3-cu",
  "pyo3-rust",
  "pybind11-cu",
  "pybind11-rust",
]

"#]]
    );
    snapbox::assert_data_eq!(
        outcome.read("out/pyo3-cu/cargo-generate.toml"),
        str![[r#"
[template]
cargo_generate_version = ">=0.23"
include = [
  "/LICENSE",
  "/about.txt",
  "/python///{//{crate_name//}//}",
]

[hooks]
init = ["cargo-generate.rhai"]
pre = ["cargo-generate.rhai"]

[placeholders]
description = { type = "string", prompt = "One line for PyPI and the README", default = "Python package with GPU kernels", regex = "^[^//p{Cc}//u{2028}//u{2029}//u{202A}-//u{202E}//u{2066}-//u{2069}//u{FEFF}]*$" }
author = { type = "string", prompt = "Author", regex = "^[^//p{Cc}//u{2028}//u{2029}//u{202A}-//u{202E}//u{2066}-//u{2069}//u{FEFF},<>@]+$" }
email = { type = "string", prompt = "Email address of the author, empty for none", default = "", regex = "^[^//p{Cc}//u{2028}//u{2029}//u{202A}-//u{202E}//u{2066}-//u{2069}//u{FEFF} ()<>//[//]:;,/////"]*$" }
cuda = { type = "string", prompt = "CUDA version", choices = ["13"], default = "13" }
license = { type = "string", prompt = "License", choices = ["MIT", "0BSD"], default = "MIT" }
ci = { type = "string", prompt = "CI provider", choices = ["none"], default = "none" }
docs = { type = "string", prompt = "Documentation tool", choices = ["none"], default = "none" }
python = { type = "string", prompt = "Lowest Python", choices = ["3.11", "3.12", "3.13", "3.14", "3.15"], default = "3.11" }

[conditional.'license == "0BSD"']
ignore = [
  "LICENSE",
]

"#]]
    );
    let script = outcome.read("out/pyo3-cu/cargo-generate.rhai");
    assert!(script.contains("abort("), "{script}");
}

#[test]
fn says_nothing_with_quiet() {
    for arguments in [["export", "out", "--quiet"], ["--quiet", "export", "out"]] {
        let outcome = Project::bare()
            .args(arguments)
            .with_layers()
            .run()
            .success();
        assert_eq!(outcome.stdout + &outcome.stderr, "");
    }
}

#[test]
fn answers_are_placeholders() {
    let outcome = export("out").run().success();
    snapbox::assert_data_eq!(
        outcome.read("out/pyo3-cu/about.txt"),
        str![[r#"
name = {{project-name}}
module = {{crate_name}}
description = "{{description | replace: '\', '\\' | replace: '"', '\"'}}"
docstring = {{description | replace: '\', '\\' | replace: '"', '\"'}}
authors = [{ name = "{{author | replace: '\', '\\' | replace: '"', '\"'}}"{% if email != "" %}, email = "{{email | replace: '\', '\\' | replace: '"', '\"'}}"{% endif %} }]
python = {{python}} {{python | remove: "."}}
layers = {{license}} {{ci}} cu pyo3
values = nvcc
edit `src/lib.rs` of {{crate_name}}

"#]].raw()
    );
}

#[test]
fn a_choice_of_cargo_generate_chooses_text_and_files() {
    let project = export("out")
        .layer("license/0BSD/NOTICE", "free\n")
        .layer("license/0BSD/LICENSE.hbs", "Copyright {{author}}\n");
    let outcome = project.run().success();
    assert_eq!(
        outcome.read("out/pyo3-cu/LICENSE"),
        "{% if license == \"0BSD\" %}Copyright {{author}}\n\
         {% elsif license == \"MIT\" %}Copyright {{\"now\" | date: \"%Y\"}} {{author}}\n{% endif %}"
    );
    let config: toml::Table = outcome
        .read("out/pyo3-cu/cargo-generate.toml")
        .parse()
        .unwrap();
    let ignored = &config["conditional"]["license == \"MIT\""]["ignore"];
    assert_eq!(ignored.as_array().unwrap(), &["NOTICE".into()]);
    let license = &config["placeholders"]["license"];
    assert_eq!(
        license["choices"].as_array().unwrap(),
        &["MIT".into(), "0BSD".into()]
    );
    assert_eq!(license["default"], "MIT".into());
}

/// The lock of a package, with what cargo-generate asks for in it.
#[test]
fn the_lock_is_a_template_too() {
    let project = export("out")
        .layer("common/.cuvec-new.toml.hbs", "[answers]\n{{answers}}\n")
        .layer("common/about.txt.hbs", "by {{author}}")
        .layer("license/0BSD/NOTICE", "{{free}}\n");
    let outcome = project.run().success();
    let lock = outcome.read("out/pybind11-cu/.cuvec-new.lock");
    let (_, entries) = lock.split_once('\n').unwrap();
    snapbox::assert_data_eq!(
        entries.replace('\u{c}', "==> "),
        str![[r#"
{% if license == "0BSD" %}{% elsif license == "MIT" %}==> LICENSE
Copyright {{"now" | date: "%Y"}} {{author}}
{% endif %}{% if license == "0BSD" %}==> NOTICE
{{"{"}}{free}}
{% elsif license == "MIT" %}{% endif %}==> about.txt
by {{author}}==> python/{{crate_name}}/__init__.py
"""{{"{"}}{not rendered}}"""

"#]]
        .raw()
    );
    let config = outcome.read("out/pybind11-cu/cargo-generate.toml");
    assert!(config.contains("\"/.cuvec-new.lock\""), "{config}");
}

#[test]
fn braces_of_others_are_kept() {
    let project = export("out")
        .layer("common/copied.yml", "${{ matrix.os }} {% raw %}\n")
        .layer(
            "common/filled.yml.hbs",
            "$\\{{ matrix.os }} {% raw %} {{name}}\n",
        );
    let outcome = project.run().success();
    assert_eq!(
        outcome.read("out/pyo3-cu/copied.yml"),
        "${{ matrix.os }} {% raw %}\n"
    );
    assert_eq!(
        outcome.read("out/pyo3-cu/filled.yml"),
        "${{\"{\"}}{ matrix.os }} {{\"{\"}}% raw %} {{project-name}}\n"
    );
    let config = outcome.read("out/pyo3-cu/cargo-generate.toml");
    assert!(config.contains("\"/filled.yml\""), "{config}");
    assert!(!config.contains("copied.yml"), "{config}");
}

#[test]
fn nothing_of_ours_is_left_in_the_real_templates() {
    let outcome = Project::bare().args(["export", "out"]).run().success();
    let files = files(&outcome.path("out"));
    assert!(files.len() > 500);
    for file in files {
        let contents = fs::read(outcome.path("out").join(&file)).unwrap();
        // An archive has any bytes.
        let text = file.clone() + &String::from_utf8(contents).unwrap_or_default();
        let name =
            text.contains("placeholder-of-the-name") || text.contains("placeholder_of_the_name");
        assert!(
            !name && !text.contains(['\u{e000}', '\u{e001}', '\u{e002}']),
            "{file}"
        );
    }
}

#[test]
fn whatever_exists_is_refused() {
    let kept = |project: Project| {
        let outcome = project.run().failure(
            1,
            str![[r#"
error: `out` already exists
hint: choose a folder that does not exist yet

"#]],
        );
        assert_eq!(outcome.entries(""), ["out"]);
        outcome
    };
    assert_eq!(kept(export("out").file("out", "mine")).read("out"), "mine");
    let outcome = kept(export("out").file("out/mine", ""));
    assert_eq!(outcome.entries("out"), ["mine"]);

    let project = export("out");
    fs::create_dir(project.path("out")).unwrap();
    assert_eq!(kept(project).entries("out"), [""; 0]);

    let project = export("out");
    symlink("nowhere", project.path("out")).unwrap();
    assert!(kept(project).path("out").is_symlink());
}

#[test]
fn a_file_above_the_folder() {
    let outcome = export("a/b/c").file("a", "mine").run().failure(
        1,
        str![[r#"
error: destination `a/b/c` cannot hold the files: `a` is not a folder
hint: choose another folder

"#]],
    );
    assert_eq!(outcome.read("a"), "mine");
}

#[test]
fn a_broken_template_leaves_nothing() {
    let project = export("a/out").layer("bridge/pybind11/b.txt.hbs", "{{no_such_key}}\n");
    let outcome = refused(project);
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.stderr.contains("bridge/pybind11/b.txt.hbs"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_file_that_cannot_be_written_whole_leaves_nothing() {
    // As on a full disk, but of one process only. XFSZ would kill it otherwise.
    let project = export("a/out").layer("common/large.txt", &"x".repeat(5000));
    let (root, layers) = (project.path(""), project.path("layers/templates"));
    let output = Command::new("bash")
        .args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_cuvec-new"))
        .args(["export", "a/out", "--templates"])
        .arg(layers)
        .current_dir(&root)
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: failed to write `a/out/pyo3-cu/large.txt`: File too large (os error 27)\n"
    );
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(entries(&root), [""; 0]);
}

#[test]
fn a_folder_one_may_not_write_to() {
    // Not even root may.
    let outcome = refused(export("/sys/out"));
    let hint = "\nhint: choose a folder you may write to\n";
    assert!(outcome.stderr.ends_with(hint), "{}", outcome.stderr);
    assert_eq!(outcome.code, 1);
}
