//! The runtime in a package: an archive, the same in all packages, and the backend that unpacks it.

use std::fs;
use std::path::Path;

use flate2::read::GzDecoder;
use sha2::{Digest, Sha256};

use crate::package_files::{Files, below, combinations, differences, package, tree};
use crate::project::{Project, files};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Lines of the backend.
const LINES: usize = 40;

fn name() -> String {
    format!("cuvec_runtime-{VERSION}.tar.gz")
}

/// The two files of `runtime/`.
fn runtime(package: &Files) -> (Vec<u8>, String) {
    let mut files = below(package, "runtime/");
    let archive = files.remove(&name()).unwrap();
    let backend = files.remove("backend.py").unwrap();
    assert!(files.is_empty(), "{:?}", files.keys());
    (archive, String::from_utf8(backend).unwrap())
}

/// Files by their paths in the folder that an archive has.
fn unpacked(archive: &[u8]) -> Files {
    let mut tar = tar::Archive::new(GzDecoder::new(archive));
    let file = |entry: std::io::Result<tar::Entry<_>>| {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().to_str().unwrap().to_owned();
        let executable = entry.header().mode().unwrap() & 0o100 != 0;
        let mut contents = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut contents).unwrap();
        assert_eq!(executable, contents.starts_with(b"#!"), "{path}");
        (path, contents)
    };
    let files = tar.entries().unwrap().map(file).collect();
    below(&files, &format!("cuvec_runtime-{VERSION}/"))
}

fn sum(contents: &[u8]) -> String {
    let digest = Sha256::digest(contents);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn it_has_the_runtime_of_this_repository_without_its_tests() {
    let mut expected = tree("runtime/");
    expected.remove("check").unwrap();
    let all = expected.len();
    expected.retain(|path, _| !path.contains("/tests/"));
    assert!(expected.len() < all);
    assert!(expected.len() > 100, "{}", expected.len());
    let (archive, _) = runtime(&package(&combinations()[0], "mypkg", &[]));
    let mut packed = unpacked(&archive);
    packed.remove("PKG-INFO").unwrap();
    let differ = differences(&packed, &expected);
    assert!(
        differ.is_empty(),
        "if the generator was built before these files changed, `touch generator/build.rs`: {differ:?}"
    );
}

#[test]
fn it_says_what_its_pyproject_says() {
    let (archive, _) = runtime(&package(&combinations()[0], "mypkg", &[]));
    let files = unpacked(&archive);
    let text = |path: &str| std::str::from_utf8(&files[path]).unwrap();
    let (fields, description) = text("PKG-INFO").split_once("\n\n").unwrap();
    assert_eq!(description, text("README.md"));
    let pyproject: toml::Table = text("pyproject.toml").parse().unwrap();
    let project = |key: &str| pyproject["project"][key].as_str().unwrap();
    assert_eq!(
        fields.lines().collect::<Vec<_>>(),
        [
            "Metadata-Version: 2.4",
            &format!("Name: {}", project("name")),
            &format!("Version: {}", text("VERSION").trim()),
            &format!("Summary: {}", project("description")),
            &format!("License-Expression: {}", project("license")),
            &format!(
                "License-File: {}",
                pyproject["project"]["license-files"][0].as_str().unwrap()
            ),
            &format!("Requires-Python: {}", project("requires-python")),
            "Description-Content-Type: text/markdown",
        ]
    );
}

#[test]
fn all_packages_have_the_same() {
    let combinations = combinations();
    let (archive, backend) = runtime(&package(&combinations[0], "mypkg", &[]));
    let check = |combination: &(String, String), name: &str, options: &[&str]| {
        let other = runtime(&package(combination, name, options));
        assert!(other.0 == archive, "{combination:?} {options:?}");
        assert_eq!(other.1, backend, "{combination:?} {options:?}");
    };
    for combination in &combinations {
        check(combination, "mypkg", &[]);
    }
    let other = [
        ["--description", "Another description"],
        ["--author", "Grace Hopper"],
        ["--email", "grace@example.org"],
        ["--python", "3.13"],
        ["--license", "MPL-2.0"],
        ["--ci", "gitlab"],
        ["--docs", "sphinx"],
    ];
    check(&combinations[0], "zz-another", other.as_flattened());
}

/// `build.rs` packs the embedded one, `--templates` another one.
#[test]
fn it_is_packed_reproducibly() {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let project = Project::new("mypkg").arg("--no-git");
    let outcome = project.arg("--templates").arg(templates).run().success();
    let again = fs::read(outcome.path("mypkg/runtime").join(name())).unwrap();
    let (archive, _) = runtime(&package(&combinations()[0], "mypkg", &[]));
    assert!(again == archive, "{} {}", again.len(), archive.len());
}

#[test]
fn the_backend_is_short_and_names_its_hash() {
    let (archive, backend) = runtime(&package(&combinations()[0], "mypkg", &[]));
    assert!(backend.lines().count() <= LINES, "{backend}");
    let line = format!("\nSHA256 = \"{}\"\n", sum(&archive));
    assert!(backend.contains(&line), "{backend}");
}

#[test]
fn packages_of_pypi_have_none() {
    for combination in &combinations() {
        for ci in ["github", "gitlab", "none"] {
            let options = ["--ci", ci, "--runtime", "pypi"];
            let files = package(combination, "mypkg", &options);
            assert!(below(&files, "runtime/").is_empty(), "{combination:?} {ci}");
        }
    }
}

/// The command gives the archive the version of the files in it, in Python and in Rust.
#[test]
fn it_has_the_version_of_the_command() {
    let runtime = tree("runtime/");
    let text = |path: &str| std::str::from_utf8(&runtime[path]).unwrap();
    assert_eq!(text("VERSION").trim(), VERSION);
    let workspace: toml::Table = text("Cargo.toml").parse().unwrap();
    assert_eq!(
        workspace["workspace"]["package"]["version"].as_str(),
        Some(VERSION)
    );
    let crate_of_src: toml::Table = text("rust/Cargo.toml").parse().unwrap();
    let spec = &crate_of_src["dependencies"]["cuvec-spec"];
    assert_eq!(spec["version"].as_str(), Some(VERSION));
    let declare: toml::Table = text("declare/Cargo.toml").parse().unwrap();
    assert_eq!(declare["package"]["version"].as_str(), Some(VERSION));
    let files = package(&combinations()[0], "mypkg", &["--runtime", "pypi"]);
    let pyproject = String::from_utf8_lossy(&files["pyproject.toml"]);
    let required = format!("\"cuvec-runtime=={VERSION}\"");
    assert_eq!(pyproject.matches(&required).count(), 2, "{pyproject}");
}

#[test]
fn the_runtime_names_no_package_and_no_function() {
    for (path, contents) in tree("runtime/") {
        assert!(!path.ends_with(".hbs"), "{path}");
        let text = String::from_utf8_lossy(&contents);
        for key in ["{{module}}", "{{name}}", "{{> "] {
            assert!(!text.contains(key), "{path} holds {key}");
        }
        // Tests of its crates have functions of their own, which may have these names.
        if !path.contains("/tests/") && !path.ends_with(".md") {
            let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            assert!(!words.any(|word| word == "axpy"), "{path}");
        }
    }
}

/// cargo-generate fills in what a package says of itself, and the runtime says nothing of it.
#[test]
fn exported_templates_have_the_same() {
    let outcome = Project::bare().args(["export", "out"]).run().success();
    let made = package(&combinations()[0], "mypkg", &[]);
    for combination in &combinations() {
        let (bridge, kernels) = combination;
        let folder = outcome.path(&format!("out/{bridge}-{kernels}"));
        for (path, contents) in below(&made, "runtime/") {
            let exported = fs::read(folder.join("runtime").join(&path)).unwrap();
            assert!(exported == contents, "{bridge} {kernels}: {path}");
        }
        // Files of either provider and of documentation: cargo-generate deletes those that are not chosen.
        let of = |ci: &str| package(combination, "mypkg", &["--ci", ci, "--docs", "sphinx"]);
        let [github, gitlab] = ["github", "gitlab"].map(of);
        for path in files(&folder) {
            let made = path.replace("{{crate_name}}", "mypkg");
            let known = github.contains_key(&made) || gitlab.contains_key(&made);
            assert!(known || path.starts_with("cargo-generate."), "{path}");
        }
    }
}
