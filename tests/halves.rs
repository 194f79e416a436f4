//! A package has two halves: the owner's, which is small and nearly the same whatever the bridge, and `runtime/`, which
//! knows nothing of the package it is in.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::project::{Project, files};

/// Limits of the owner's half, in which its licence and what a tool writes into it do not count.
const FILES: usize = 30;
const LINES: usize = 1200;

/// All that an owner sees at the top of a package; `.github` and `.gitlab-ci.yml` are a choice.
const TOP: &[&str] = &[
    ".clang-format",
    ".cuvec-new.lock",
    ".cuvec-new.toml",
    ".gitattributes",
    ".github",
    ".gitignore",
    ".gitlab-ci.yml",
    ".pre-commit-config.yaml",
    "CHANGELOG.md",
    "CMakeLists.txt",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "benchmarks",
    "kernels",
    "pyproject.toml",
    "python",
    "runtime",
    "src",
    "tests",
];

/// What a runtime has, for its reader and for whoever replaces it.
const PAPERS: [&str; 5] = [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "SHA256SUMS",
    "VERSION",
];

/// The folders of the owner's that no bridge has a say in.
const FUNCTIONS: [&str; 4] = ["benchmarks/", "kernels/", "python/", "tests/"];

type Files = BTreeMap<String, Vec<u8>>;

/// Bridge and kernel kind of every package there is.
pub fn combinations() -> Vec<(String, String)> {
    let outcome = Project::bare().args(["--list", "--json"]).run().success();
    let listing: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let bridges = listing["bridges"].as_array().unwrap().iter();
    let pairs = bridges.flat_map(|bridge| {
        let kernels = bridge["kernels"].as_array().unwrap().iter();
        kernels.map(move |kernels| (text(&bridge["name"]), text(kernels)))
    });
    let pairs: Vec<_> = pairs.collect();
    assert!(pairs.len() >= 9, "{pairs:?}");
    pairs
}

/// The files of a package, by path.
fn package((bridge, kernels): &(String, String), name: &str, options: &[&str]) -> Files {
    let project = Project::new(name).bridge(bridge).kernels(kernels);
    let outcome = project.arg("--no-git").args(options).run().success();
    let folder = outcome.path(name);
    let read = |path: String| (path.clone(), fs::read(folder.join(path)).unwrap());
    files(&folder).into_iter().map(read).collect()
}

/// Those below a folder, by their path in it.
fn below(files: &Files, folder: &str) -> Files {
    let inside = |(path, contents): (&String, &Vec<u8>)| {
        Some((path.strip_prefix(folder)?.to_owned(), contents.clone()))
    };
    files.iter().filter_map(inside).collect()
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
fn every_file_is_in_a_half_and_the_owners_is_small() {
    let combinations = combinations();
    for combination in &combinations {
        // What a provider brings is the same for all bridges but for lines.
        let all = ["github", "gitlab", "none"];
        let providers = if *combination == combinations[0] {
            &all[..]
        } else {
            &all[..1]
        };
        for ci in providers {
            let files = package(combination, "mypkg", &["--ci", ci]);
            let what = format!("{combination:?} {ci}");
            for path in files.keys() {
                let top = path.split('/').next().unwrap();
                assert!(TOP.contains(&top), "{what}: whose is `{path}`?");
            }
            let counted = |path: &str| {
                let written = ["LICENSE", "Cargo.lock", "kernels.ptx", ".cuvec-new.lock"];
                !path.starts_with("runtime/") && !written.iter().any(|name| path.ends_with(name))
            };
            let owners = files.iter().filter(|(path, _)| counted(path));
            let lines = |contents: &[u8]| contents.iter().filter(|byte| **byte == b'\n').count();
            let lines: usize = owners.clone().map(|(_, contents)| lines(contents)).sum();
            let count = owners.count();
            assert!(count <= FILES, "{what}: {count} files are the owner's");
            assert!(lines <= LINES, "{what}: {lines} lines are the owner's");
        }
    }
}

#[test]
fn a_runtime_has_its_papers() {
    for combination in &combinations() {
        let runtime = below(&package(combination, "mypkg", &[]), "runtime/");
        for paper in PAPERS {
            assert!(runtime.contains_key(paper), "{combination:?}: no {paper}");
        }
        let folders: Vec<_> = runtime
            .keys()
            .filter_map(|path| path.split_once('/'))
            .collect();
        for folder in ["cmake", "native", "python", "tests"] {
            assert!(folders.iter().any(|(top, _)| *top == folder), "{folder}");
        }
        let readme = String::from_utf8_lossy(&runtime["README.md"]);
        assert!(readme.lines().count() <= 80, "README.md is short");
    }
}

#[test]
fn the_sums_of_a_runtime_are_those_of_its_files() {
    for combination in &combinations() {
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
}

#[test]
fn a_runtime_knows_nothing_of_its_package() {
    let other = [
        ["--description", "Another description"],
        ["--author", "Grace Hopper"],
        ["--email", "grace@example.org"],
        ["--license", "Apache-2.0"],
        ["--python", "3.13"],
        ["--ci", "none"],
    ];
    for combination in &combinations() {
        let first = below(&package(combination, "mypkg", &[]), "runtime/");
        let second = below(
            &package(combination, "zz-another", other.as_flattened()),
            "runtime/",
        );
        let differ = differences(&first, &second);
        assert!(differ.is_empty(), "{combination:?}: {differ:?}");
    }
}

#[test]
fn a_runtime_knows_none_of_the_functions() {
    for combination in &combinations() {
        let files = package(combination, "mypkg", &[]);
        let names = below(&files, "kernels/").into_keys();
        let names: Vec<_> = names
            .filter(|path| !path.ends_with(".ptx"))
            .filter_map(|path| Some(path.split_once('.')?.0.to_owned()))
            .collect();
        assert_eq!(names, ["axpy", "dot"], "{combination:?}");
        for (path, contents) in below(&files, "runtime/") {
            // They have functions of their own, which may have these names.
            if path.starts_with("tests/") || path.contains("/tests/") || path == "SHA256SUMS" {
                continue;
            }
            let text = String::from_utf8_lossy(&contents);
            let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            // The other one is also a word, and a method of NumPy's.
            assert!(
                !words.clone().any(|word| word == "axpy"),
                "{combination:?}: {path}"
            );
            let called = ["::dot(", "`dot`", "dot_f"];
            assert!(
                !called.iter().any(|it| text.contains(it)),
                "{combination:?}: {path}"
            );
        }
    }
}

#[test]
fn a_function_in_both_halves_is_written_once() {
    for combination in &combinations() {
        let files = package(combination, "mypkg", &[]);
        let mut owners = below(&files, "kernels/");
        let runtimes = below(&files, "runtime/tests/kernels/");
        owners.retain(|path, _| !path.ends_with(".ptx"));
        assert!(!owners.is_empty(), "{combination:?}");
        for (path, contents) in owners {
            assert!(
                runtimes.get(&path) == Some(&contents),
                "{combination:?}: the runtime's tests have another {path}"
            );
        }
    }
}

#[test]
fn functions_are_the_same_whatever_the_bridge() {
    let mut firsts: BTreeMap<String, (String, Files)> = BTreeMap::new();
    for combination in &combinations() {
        let files = package(combination, "mypkg", &[]);
        let own = |(path, _): &(&String, &Vec<u8>)| FUNCTIONS.iter().any(|it| path.starts_with(it));
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

/// Those over the same host: what the bridge brings is in folders and files that are named after it.
#[test]
fn a_runtime_differs_in_its_bridge_alone() {
    let bridges = ["nanobind", "cpython", "ctypes", "pybind11", "swig"];
    let runtime = |bridge: &str| {
        let combination = (bridge.to_owned(), "cu".to_owned());
        let mut files = below(&package(&combination, "mypkg", &[]), "runtime/");
        files.retain(|path, _| {
            let of_bridge = [
                "native/bridge/",
                "python/cuvec/_core.py",
                "python/cuvec/_native/",
                "SHA256SUMS",
            ];
            let found = [
                "cmake/Bridge.cmake",
                "cmake/Python.cmake",
                "cmake/Swig.cmake",
            ];
            let tests = format!("tests/test_{bridge}_");
            !of_bridge
                .iter()
                .chain(&found)
                .any(|it| path.starts_with(it))
                && !path.starts_with(&tests)
        });
        files
    };
    let first = runtime(bridges[0]);
    for bridge in &bridges[1..] {
        let other = runtime(bridge);
        let mut differ = differences(&first, &other);
        // A bridge may promise more than the contract.
        let both = |path: &String| first.contains_key(path) && other.contains_key(path);
        differ.retain(|path| !path.starts_with("tests/") || both(path));
        assert!(differ.is_empty(), "{bridge}: {differ:?}");
    }
}

/// cargo-generate fills in what a package says of itself, and that is not in a runtime: sums hold there too.
#[test]
fn exported_templates_have_the_same_sums() {
    let outcome = Project::bare().args(["export", "out"]).run().success();
    for combination in &combinations() {
        let (bridge, kernels) = combination;
        let exported = outcome.read(&format!("out/{bridge}-{kernels}/runtime/SHA256SUMS"));
        let made = package(combination, "mypkg", &[]);
        let made = String::from_utf8_lossy(&made["runtime/SHA256SUMS"]);
        let differ: Vec<_> = made
            .lines()
            .filter(|line| !exported.contains(line))
            .collect();
        assert!(differ.is_empty(), "{combination:?}: {differ:?}");
        assert_eq!(exported.len(), made.len(), "{combination:?}");
    }
}
