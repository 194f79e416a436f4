//! Mistakes in templates are found, and said in the words of those who write them.

use std::fs;

use snapbox::str;

use crate::project::{Outcome, Project};

fn broken(path: &str, contents: &str) -> Outcome {
    let outcome = Project::new("mypkg")
        .with_layers()
        .layer(path, contents)
        .run();
    assert_eq!(outcome.entries(""), [""; 0]);
    outcome
}

#[test]
fn layers_make_a_package() {
    let outcome = Project::new("my-pkg").with_layers().run().success();
    let year = outcome.read("my-pkg/LICENSE");
    assert!(
        year.starts_with("Copyright 20") && year.ends_with(" Ada Lovelace\n"),
        "{year}"
    );
    snapbox::assert_data_eq!(
        outcome.read("my-pkg/about.txt"),
        str![[r#"
name = my-pkg
module = my_pkg
description = "Python package with GPU kernels"
docstring = Python package with GPU kernels
authors = [{ name = "Ada Lovelace", email = "ada@example.org" }]
python = 3.11 311
layers = MIT none cu pyo3
values = nvcc
edit `src/lib.rs` of my_pkg

"#]]
    );
}

#[test]
fn only_hbs_files_are_rendered() {
    let outcome = Project::new("mypkg").with_layers().run().success();
    assert_eq!(outcome.read("mypkg/src/lib.rs"), "// {{ verbatim }}\n");
    assert_eq!(
        outcome.read("mypkg/python/mypkg/__init__.py"),
        "\"\"\"{{not rendered}}\"\"\"\n"
    );
}

#[test]
fn missing_value() {
    broken("common/bad.txt.hbs", "first line\n{{nothing}}\n").failure(
        1,
        str![[r#"
error: broken template `common/bad.txt.hbs`: line 2: there is no value `nothing`
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn missing_value_of_a_helper() {
    broken("common/bad.txt.hbs", "{{toml nothing}}\n").failure(
        1,
        str![[r#"
error: broken template `common/bad.txt.hbs`: line 1: there is no value `nothing`
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn missing_value_in_a_partial() {
    broken("bridge/pyo3/partials/recipe.md", "{{nothing}}").failure(
        1,
        str![[r#"
error: broken template `common/about.txt.hbs`: line 1: there is no value `nothing` (in the partial `recipe`)
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn missing_partial() {
    broken("common/bad.txt.hbs", "{{> nothing}}\n").failure(
        1,
        str![[r#"
error: broken template `common/bad.txt.hbs`: line 1: Partial not found nothing
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn bad_syntax() {
    broken("common/bad.txt.hbs", "first\nsecond\nx {{name} y\n").failure(
        1,
        str![[r#"
error: broken template `common/bad.txt.hbs`: line 3: invalid handlebars syntax: expected identifier, helper_parameter, or trailing_tilde_to_omit_whitespace
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn bad_syntax_in_a_partial() {
    broken("bridge/pyo3/partials/recipe.md", "first\n{{").failure(
        1,
        str![[r#"
error: broken template `bridge/pyo3/partials/recipe`: line 2: invalid handlebars syntax: expected identifier, subexpression, leading_tilde_to_omit_whitespace, or path_inline
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn a_template_that_branches() {
    broken("common/bad.txt.hbs", "{{#if name}}x{{/if}}\n").failure(
        1,
        str![[r#"
error: broken template `common/bad.txt.hbs`: line 1: Helper not found if
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn two_owners_of_a_path() {
    broken("bridge/pyo3/LICENSE", "").failure(
        1,
        str![[r#"
error: broken template `bridge/pyo3/LICENSE`: `license/MIT/LICENSE.hbs` gives the file `LICENSE` as well
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn a_file_where_the_archive_needs_a_folder() {
    let archive = concat!(
        "runtime/cuvec_runtime-",
        env!("CARGO_PKG_VERSION"),
        ".tar.gz"
    );
    let project = Project::new("mypkg").with_layers().bundled();
    project.layer("common/runtime", "").run().failure(
        1,
        format!(
            "error: broken template `{archive}`: `common/runtime` gives a file where it needs a folder\n\
             hint: `templates/README.md` in the source of cuvec-new says what a layer may hold\n"
        ),
    );
}

/// Files in the archive of a package.
fn packed(outcome: &Outcome) -> Vec<String> {
    let name = concat!("cuvec_runtime-", env!("CARGO_PKG_VERSION"));
    let archive = fs::File::open(outcome.path(&format!("mypkg/runtime/{name}.tar.gz"))).unwrap();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(archive));
    let path = |entry: std::io::Result<tar::Entry<_>>| {
        let entry = entry.unwrap();
        let path = entry.path().unwrap();
        path.strip_prefix(name)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    };
    archive.entries().unwrap().map(path).collect()
}

/// Without leftovers of builds and tests.
#[test]
fn the_runtime_beside_the_templates_is_packed() {
    let outcome = Project::new("mypkg")
        .with_layers()
        .arg("--no-git")
        .runtime("core/{{module}}.hbs", "{{name}}\n")
        .runtime("core/target/debug/a.o", "built")
        .runtime("tests/__pycache__/a.pyc", "built")
        .run()
        .success();
    assert_eq!(packed(&outcome), ["PKG-INFO", "core/{{module}}.hbs"]);
}

#[test]
fn without_a_runtime_beside_them_it_is_the_built_in_one() {
    let project = Project::new("mypkg")
        .with_layers()
        .bundled()
        .arg("--no-git");
    fs::remove_dir(project.path("layers/runtime")).unwrap();
    let outcome = project.run().success();
    assert!(packed(&outcome).contains(&"VERSION".to_owned()));
}

#[test]
fn a_file_where_another_layer_has_a_folder() {
    broken("common/src", "").failure(
        1,
        str![[r#"
error: broken template `bridge/pyo3/src/lib.rs`: `common/src` gives a file where it needs a folder
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn a_value_given_twice() {
    broken(
        "bridge/pyo3/layer.toml",
        "summary = \"\"\ndefault = true\nvalues.compiler = \"\"",
    )
    .failure(
        1,
        str![[r#"
error: broken template `bridge/pyo3/layer.toml`: the value `compiler` is given twice
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn a_value_with_the_name_of_an_answer() {
    broken(
        "ci/none/layer.toml",
        "summary = \"\"\ndefault = true\nvalues.email = \"\"",
    )
    .failure(
        1,
        str![[r#"
error: broken template `ci/none/layer.toml`: the value `email` is given twice
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn a_partial_given_twice() {
    broken("ci/none/partials/recipe.md", "").failure(
        1,
        str![[r#"
error: broken template `bridge/pyo3/partials/recipe`: another layer has a partial of this name
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn a_folder_without_manifest() {
    broken("bridge/swig/module.i", "").failure(
        1,
        str![[r#"
error: broken template `bridge/swig`: the layer has no `layer.toml`
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn a_folder_that_is_no_kind() {
    broken("bridges/swig/layer.toml", "").failure(
        1,
        str![[r#"
error: broken template `bridges`: the folder is no kind of layer
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

/// Bindings that name a base have its files and values, others do not.
#[test]
fn a_base() {
    let package = |bridge| {
        let project = Project::new("mypkg").with_layers().bridge(bridge);
        project
            .layer(
                "base/cpp/layer.toml",
                "summary = \"what C++ has\"\n[values]\nnvcc = \"13\"",
            )
            .layer("base/cpp/src/{{module}}.h.hbs", "// nvcc {{nvcc}}\n")
            .layer(
                "bridge/pybind11/layer.toml",
                "summary = \"C++ bindings\"\nbase = \"cpp\"",
            )
    };
    let outcome = package("pybind11").run().success();
    assert_eq!(outcome.read("mypkg/src/mypkg.h"), "// nvcc 13\n");
    let outcome = package("pyo3").run().success();
    assert!(!outcome.path("mypkg/src/mypkg.h").exists());
    // Every path has one layer.
    let other = package("pybind11").layer("bridge/pybind11/src/mypkg.h", "");
    let problem = "`base/cpp/src/{{module}}.h.hbs` gives the file `src/mypkg.h` as well";
    let problem = format!("error: broken template `bridge/pybind11/src/mypkg.h`: {problem}\n");
    let stderr = other.run().stderr;
    assert!(stderr.starts_with(&problem), "{stderr}");
}

#[test]
fn a_base_that_is_not_there_or_not_named() {
    let base = "summary = \"\"\nbase = \"cpp\"";
    for (file, text, problem) in [
        (
            "bridge/pybind11/layer.toml",
            base,
            "`bridge/pybind11/layer.toml`: there is no layer `base/cpp`",
        ),
        (
            "base/cpp/layer.toml",
            "summary = \"\"",
            "`base/cpp`: no layer names this base",
        ),
        (
            "base/c/layer.toml",
            base,
            "`base/c/layer.toml`: `base` means nothing here",
        ),
    ] {
        let stderr = broken(file, text).stderr;
        let problem = format!("error: broken template {problem}\n");
        assert!(stderr.starts_with(&problem), "{stderr}");
    }
}

#[test]
fn an_unknown_key() {
    broken("bridge/pyo3/layer.toml", "summary = \"\"\ndefalt = true").failure(
        1,
        str![[r#"
error: broken template `bridge/pyo3/layer.toml`: TOML parse error at line 2, column 1
  |
2 | defalt = true
  | ^^^^^^
unknown field `defalt`, expected one of `summary`, `default`, `aliases`, `base`, `bundled`, `values`
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn two_defaults() {
    broken(
        "bridge/pybind11/layer.toml",
        "summary = \"\"\ndefault = true",
    )
    .failure(
        1,
        str![[r#"
error: broken template `bridge`: two layers are the default
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn a_path_with_another_value() {
    broken("common/{{bridge}}.txt", "").failure(
        1,
        str![[r#"
error: broken template `common/{{bridge}}.txt`: a path may hold `{{module}}` and nothing else
hint: `templates/README.md` in the source of cuvec-new says what a layer may hold

"#]],
    );
}

#[test]
fn no_such_folder() {
    Project::new("mypkg")
        .args(["--templates", "nowhere"])
        .run()
        .failure(
            1,
            str![[r#"
error: failed to read the template folder `nowhere`: No such file or directory (os error 2)

"#]],
        );
}

/// Nothing but the folder knows of it.
#[test]
fn a_new_layer_is_a_folder() {
    let project = |project: Project| {
        project
            .with_layers()
            .layer("license/Zlib/layer.toml", "summary = \"shortest\"")
            .layer("license/Zlib/LICENSE.hbs", "{{author}}, Zlib\n")
            .layer("ci/forge/layer.toml", "summary = \"Forge\"")
            .layer("ci/forge/.forge.yml", "on: push\n")
            .layer("bridge/zig/layer.toml", "summary = \"Zig\"")
            .layer(
                "bridge/zig/partials/recipe.md",
                "edit `src/{{module}}.zig`\n",
            )
            .layer("bridge/zig/src/{{module}}.zig", "// zig\n")
    };
    let listing = project(Project::bare().args(["list", "--json"]))
        .run()
        .success();
    let listing: serde_json::Value = serde_json::from_str(&listing.stdout).unwrap();
    for (kind, name) in [("licenses", "Zlib"), ("ci", "forge"), ("bridges", "zig")] {
        let members = listing[kind].as_array().unwrap();
        assert!(members.iter().any(|it| it["name"] == name), "{listing}");
    }
    let options = ["--license", "Zlib", "--ci", "forge", "--bridge", "zig"];
    let outcome = project(Project::new("mypkg").args(options)).run().success();
    assert_eq!(outcome.read("mypkg/LICENSE"), "Ada Lovelace, Zlib\n");
    assert_eq!(outcome.read("mypkg/src/mypkg.zig"), "// zig\n");
    assert!(outcome.path("mypkg/.forge.yml").exists());
    assert!(
        outcome
            .read("mypkg/about.txt")
            .contains("layers = Zlib forge cu zig\n")
    );
    let outcome = project(Project::bare().args(["export", "out"]))
        .run()
        .success();
    let config = outcome.read("out/zig-cu/cargo-generate.toml");
    for text in [
        "choices = [\"MIT\", \"0BSD\", \"Zlib\"]",
        "choices = [\"none\", \"forge\"]",
    ] {
        assert!(config.contains(text), "{config}");
    }
}
