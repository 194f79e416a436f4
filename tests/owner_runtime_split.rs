//! A package has two parts: the owner's files, few and nearly the same for all bindings, and `runtime/`, which
//! knows nothing of the package it is in.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::str;
use std::sync::LazyLock;

use clap::Parser;
use cuvec_new::{Args, Catalog, Templates};
use sha2::{Digest, Sha256};

use crate::combinations::{listing, names};
use crate::git::run_git;
use crate::project::Project;

/// Limits of the owner's files, in which the license and what tools write do not count.
const FILES: usize = 30;
const LINES: usize = 1200;

/// Files besides, with kernels in CUDA C++: the license, the record and its texts, and `Cargo.lock` of bindings in Rust.
const WRITTEN: usize = 4;

/// Lines of the file that a container or instructions for agents add.
const ADDED_LINES: usize = 60;

/// Files and lines that documentation adds.
const DOCS: [(&str, usize, usize); 2] = [("none", 0, 0), ("sphinx", 4, 90)];

/// All that an owner sees at the top of a package; `.github`, or `.gitlab-ci.yml` and `renovate.json`, are a choice.
const TOP: &[&str] = &[
    ".clang-format",
    ".cuvec-new.lock",
    ".cuvec-new.toml",
    ".devcontainer.json",
    ".gitattributes",
    ".github",
    ".gitignore",
    ".gitlab-ci.yml",
    ".pre-commit-config.yaml",
    ".readthedocs.yaml",
    "AGENTS.md",
    "CHANGELOG.md",
    "CMakeLists.txt",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "benchmarks",
    "docs",
    "kernels",
    "pyproject.toml",
    "python",
    "renovate.json",
    "runtime",
    "src",
    "tests",
];

/// The folders of the owner's that no binding tool has a say in.
const FUNCTIONS: [&str; 4] = ["benchmarks/", "kernels/", "python/", "tests/"];

type Files = BTreeMap<String, Vec<u8>>;

/// Bindings and kernel language of every package there is.
pub fn combinations() -> Vec<(String, String)> {
    let listing = listing();
    let languages = names(&listing["kernels"]);
    let pairs = names(&listing["bridges"]).into_iter();
    let pairs = pairs.flat_map(|it| {
        languages
            .iter()
            .map(move |kernels| (it.to_owned(), (*kernels).to_owned()))
    });
    let pairs: Vec<_> = pairs.collect();
    assert!(pairs.len() >= 14, "{pairs:?}");
    pairs
}

/// The files of a package, by path, as they would be written.
fn package((bridge, kernels): &(String, String), name: &str, options: &[&str]) -> Files {
    static CATALOG: LazyLock<Catalog> =
        LazyLock::new(|| Catalog::load(Templates::embedded()).unwrap());
    let line = ["cuvec-new", name, "--bridge", bridge, "--kernels", kernels];
    let identity = ["--author", "Ada Lovelace", "--email", "ada@example.org"];
    let mut line: Vec<_> = line.iter().chain(options).collect();
    if !options.contains(&"--author") {
        line.extend(&identity);
    }
    cuvec_new::files(&Args::parse_from(line), &CATALOG).unwrap()
}

/// Those below a folder, by their path in it.
fn below(files: &Files, folder: &str) -> Files {
    let inside = |(path, contents): (&String, &Vec<u8>)| {
        Some((path.strip_prefix(folder)?.to_owned(), contents.clone()))
    };
    files.iter().filter_map(inside).collect()
}

/// What git has or would take up below a folder of this repository.
pub fn tree(folder: &str) -> Files {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = run_git(
        root,
        &[
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            folder,
        ],
    );
    let file = |path: &str| {
        let contents = fs::read(root.join(path)).ok()?; // it may be deleted, and not committed
        Some((path.to_owned(), contents))
    };
    let files = listed.split('\0').filter(|it| !it.is_empty());
    below(&files.filter_map(file).collect(), folder)
}

/// Whether a file counts: neither the runtime nor what tools write. The record is `cuvec-new update`'s.
fn counted(path: &str) -> bool {
    let written = ["LICENSE", ".lock", ".ptx", ".cuvec-new.toml"];
    !path.starts_with("runtime/") && !written.iter().any(|name| path.ends_with(name))
}

/// The paths that two sets of files differ in, or only one of them has.
fn differences(a: &Files, b: &Files) -> Vec<String> {
    let paths = a.keys().chain(b.keys());
    let mut paths: Vec<_> = paths.filter(|path| a.get(*path) != b.get(*path)).collect();
    paths.sort();
    paths.dedup();
    paths.into_iter().cloned().collect()
}

#[test]
fn every_file_has_an_owner_and_the_owners_part_is_small() {
    let combinations = combinations();
    let mut large = Vec::new();
    for combination in &combinations {
        // What a provider brings is the same for all bindings but for lines.
        let all = ["github", "gitlab", "none"];
        let providers = if *combination == combinations[0] {
            &all[..]
        } else {
            &all[..1]
        };
        for (ci, docs) in providers.iter().flat_map(|ci| DOCS.map(|docs| (ci, docs))) {
            let (tool, more_files, more_lines) = docs;
            let files = package(combination, "mypkg", &["--ci", ci, "--docs", tool]);
            let what = format!("{combination:?} {ci} {tool}");
            for path in files.keys() {
                let top = path.split('/').next().unwrap();
                assert!(TOP.contains(&top), "{what}: whose is `{path}`?");
            }
            let owners = files.iter().filter(|(path, _)| counted(path));
            let lines_of = |contents: &[u8]| contents.iter().filter(|byte| **byte == b'\n').count();
            let lines: usize = owners.clone().map(|(_, contents)| lines_of(contents)).sum();
            let count = owners.count();
            let src = below(&files, "src/");
            let src = src.iter().filter(|(path, _)| counted(path));
            let src: usize = src.map(|(_, contents)| lines_of(contents)).sum();
            if count > FILES + more_files || lines > LINES + more_lines {
                large.push(format!(
                    "{what}: {count} files, {lines} lines, {src} of them in src/"
                ));
            }
        }
    }
    assert!(large.is_empty(), "too large: {large:#?}");
}

/// What pages say of it, wherever they do.
#[test]
fn pages_say_how_small_the_owners_part_is() {
    let (files, lines) = (
        format!("most {FILES} files"),
        format!("{},{:03}", LINES / 1000, LINES % 1000),
    );
    let [_, (tool, more_files, more_lines)] = DOCS;
    let whole = format!("{files} and {lines} lines, the license and what tools write");
    let docs = format!("adds {more_files} files and at most {more_lines} lines");
    let added = format!("one file of at most {ADDED_LINES}.");
    let apart = format!("{files} besides the license and what tools write");
    for (page, said) in [
        (
            "README.md",
            &[&whole, &format!("`--docs {tool}` {docs}")][..],
        ),
        (
            "templates/README.md",
            &[&whole, &format!("`docs/{tool}/` {docs}"), &added],
        ),
        ("CHANGELOG.md", &[&apart]),
        ("docs/explanation/runtime.md", &[&apart]),
    ] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap();
        for words in said {
            assert!(text.contains(words.as_str()), "{page}: {words}");
        }
    }
}

/// A container and instructions for agents are one file each, are not there unless asked for, and decide about nothing else.
#[test]
fn containers_and_instructions_add_a_file_each() {
    let options = [
        (["--container", "devcontainer"], ".devcontainer.json"),
        (["--agents", "agents-md"], "AGENTS.md"),
    ];
    for combination in &combinations() {
        for others in [&[][..], &["--cuda", "12"], &["--runtime", "wheel"]] {
            let without = package(combination, "mypkg", others);
            for (option, path) in options {
                let with = package(combination, "mypkg", &[&option[..], others].concat());
                let mut differ = differences(&with, &without);
                differ.retain(|path| !path.starts_with(".cuvec-new."));
                assert_eq!(differ, [path], "{combination:?} {others:?}");
                let text = str::from_utf8(&with[path]).unwrap();
                assert!(text.lines().count() <= ADDED_LINES, "{path}");
                let is_json = serde_json::from_str::<serde_json::Value>(text).is_ok();
                assert_eq!(is_json, path.ends_with(".json"), "{path}: {text}");
            }
        }
    }
}

#[test]
fn without_a_copy_a_package_is_the_owners_part_and_names_no_copy() {
    for combination in &combinations() {
        for ci in ["github", "gitlab", "none"] {
            let options = ["--ci", ci, "--runtime", "wheel"];
            let files = package(combination, "mypkg", &options);
            let what = format!("{combination:?} {ci}");
            assert!(below(&files, "runtime/").is_empty(), "{what}");
            let own: Vec<_> = files.iter().filter(|(path, _)| counted(path)).collect();
            assert!(own.len() <= FILES, "{what}: {}", own.len());
            if combination.1 == "cu" {
                let written = files.len() - own.len();
                assert!(written <= WRITTEN, "{what}: {written}");
            }
            for (path, contents) in own {
                let text = String::from_utf8_lossy(contents).replace("cuvec_runtime/", "");
                assert!(!text.contains("runtime/"), "{what}: {path}");
            }
        }
    }
}

/// A package without a copy builds with the runtime of the version that made it, in Python and in Rust.
#[test]
fn the_runtime_has_the_version_of_the_command() {
    let version = env!("CARGO_PKG_VERSION");
    let runtime = tree("runtime/");
    let text = |path: &str| std::str::from_utf8(&runtime[path]).unwrap();
    assert_eq!(text("VERSION").trim(), version);
    let workspace: toml::Table = text("Cargo.toml").parse().unwrap();
    assert_eq!(
        workspace["workspace"]["package"]["version"].as_str(),
        Some(version)
    );
    let crate_of_src: toml::Table = text("rust/Cargo.toml").parse().unwrap();
    let spec = &crate_of_src["dependencies"]["cuvec-spec"];
    assert_eq!(spec["version"].as_str(), Some(version));
    let files = package(&combinations()[0], "mypkg", &["--runtime", "wheel"]);
    let pyproject = String::from_utf8_lossy(&files["pyproject.toml"]);
    let required = format!("\"cuvec-runtime=={version}\"");
    assert_eq!(pyproject.matches(&required).count(), 2, "{pyproject}");
}

#[test]
fn every_package_has_the_runtime_of_this_repository() {
    let expected = tree("runtime/");
    assert!(expected.len() > 100, "{}", expected.len());
    let check = |combination: &(String, String), name: &str, options: &[&str]| {
        let mut runtime = below(&package(combination, name, options), "runtime/");
        runtime.remove("SHA256SUMS").unwrap();
        let differ = differences(&runtime, &expected);
        assert!(
            differ.is_empty(),
            "{combination:?} {options:?}: if the generator was built before these files changed, \
             `touch generator/build.rs`: {differ:?}"
        );
    };
    let combinations = combinations();
    for combination in &combinations {
        check(combination, "mypkg", &[]);
    }
    for license in ["Apache-2.0", "BSD-3-Clause", "MPL-2.0"] {
        check(&combinations[0], "mypkg", &["--license", license]);
    }
    for ci in ["gitlab", "none"] {
        check(&combinations[0], "mypkg", &["--ci", ci]);
    }
    let other = [
        ["--description", "Another description"],
        ["--author", "Grace Hopper"],
        ["--email", "grace@example.org"],
        ["--python", "3.13"],
    ];
    check(&combinations[0], "zz-another", other.as_flattened());
}

#[test]
fn nothing_in_the_runtime_is_a_template() {
    for (path, contents) in tree("runtime/") {
        assert!(!path.ends_with(".hbs"), "{path}");
        let text = String::from_utf8_lossy(&contents);
        for key in ["{{module}}", "{{name}}", "{{> "] {
            assert!(!text.contains(key), "{path} holds {key}");
        }
    }
}

#[test]
fn the_checksums_match_the_files() {
    let combination = &combinations()[0];
    let mut runtime = below(&package(combination, "mypkg", &[]), "runtime/");
    let sums = runtime.remove("SHA256SUMS").unwrap();
    let line = |(path, contents): (&String, &Vec<u8>)| {
        let sum = Sha256::digest(contents);
        let sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{sum}  {path}\n")
    };
    let expected: String = runtime.iter().map(line).collect();
    assert_eq!(String::from_utf8(sums).unwrap(), expected);
}

/// Tests of its crates have functions of their own, which may have these names.
#[test]
fn the_runtime_names_no_function_of_a_package() {
    for (path, contents) in tree("runtime/") {
        if path.contains("/tests/") || path.ends_with(".md") {
            continue;
        }
        let text = String::from_utf8_lossy(&contents);
        let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        assert!(!words.any(|word| word == "axpy"), "{path}");
    }
}

#[test]
fn a_function_of_both_parts_is_written_once() {
    for combination in &combinations() {
        let files = package(combination, "mypkg", &[]);
        let mut owners = below(&files, "kernels/");
        let tested = tree(&format!("tests/conformance/kernels/{}/", combination.1));
        owners.retain(|path, _| !path.ends_with(".ptx") && path != "Cargo.toml");
        assert!(!owners.is_empty(), "{combination:?}");
        for (path, contents) in owners {
            assert!(
                tested.get(&path) == Some(&contents),
                "{combination:?}: the conformance tests have another {path}"
            );
        }
    }
}

#[test]
fn functions_are_the_same_for_all_bindings() {
    let mut firsts: BTreeMap<String, (String, Files)> = BTreeMap::new();
    for combination in &combinations() {
        let files = package(combination, "mypkg", &[]);
        // The crate of the kernels is a member of the workspace of bindings in Rust.
        let own = |(path, _): &(&String, &Vec<u8>)| {
            FUNCTIONS.iter().any(|it| path.starts_with(it)) && !path.ends_with("Cargo.toml")
        };
        let own: Files = files
            .iter()
            .filter(own)
            .map(|(a, b)| (a.clone(), b.clone()))
            .collect();
        assert!(own.len() >= 7, "{combination:?}");
        let (bridge, kernels) = combination;
        let first = firsts
            .entry(kernels.clone())
            .or_insert((bridge.clone(), own.clone()));
        let differ = differences(&first.1, &own);
        assert!(differ.is_empty(), "{} and {bridge}: {differ:?}", first.0);
    }
}

/// But for `src/`, cargo's files, the record of how the package was made, and lines of the build.
#[test]
fn bindings_decide_about_nothing_else() {
    let all = combinations();
    let (_, kernels) = &all[0];
    let first = package(&all[0], "mypkg", &[]);
    for combination in all.iter().filter(|(_, it)| it == kernels) {
        let mut differ = differences(&first, &package(combination, "mypkg", &[]));
        let records = [
            ".cuvec-new.lock",
            ".cuvec-new.toml",
            "Cargo.lock",
            "Cargo.toml",
            "pyproject.toml",
        ];
        differ.retain(|path| !path.starts_with("src/") && !records.contains(&path.as_str()));
        assert!(differ.is_empty(), "{combination:?}: {differ:?}");
    }
}

/// cargo-generate fills in what a package says of itself, and the runtime says nothing of it.
#[test]
fn exported_templates_have_the_same_checksums() {
    let outcome = Project::bare().args(["export", "out"]).run().success();
    let made = package(&combinations()[0], "mypkg", &[]);
    for (bridge, kernels) in &combinations() {
        let exported = outcome.path(&format!("out/{bridge}-{kernels}/runtime/SHA256SUMS"));
        let exported = fs::read(exported).unwrap();
        assert!(exported == made["runtime/SHA256SUMS"], "{bridge} {kernels}");
    }
}
