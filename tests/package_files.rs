//! The files of a package: few, and nearly the same for all bindings.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::str;
use std::sync::LazyLock;

use clap::Parser;
use cuvec_new::{Args, Catalog, Templates};

use crate::combinations::{listing, names};
use crate::git::run_git;

/// Limits of the files of a package and of the lines of its owner's, in which the license does not count, nor the runtime.
/// Files that tools write count in neither.
const FILES: usize = 34;
const LINES: usize = 1200;

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
    "compile_flags.txt",
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

pub type Files = BTreeMap<String, Vec<u8>>;

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
pub fn package((bridge, kernels): &(String, String), name: &str, options: &[&str]) -> Files {
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
pub fn below(files: &Files, folder: &str) -> Files {
    let inside = |(path, contents): (&String, &Vec<u8>)| {
        Some((path.strip_prefix(folder)?.to_owned(), contents.clone()))
    };
    files.iter().filter_map(inside).collect()
}

/// Returns the files below a folder of this repository that git has or would take up.
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

/// Checks whether tools write a file. The record is `cuvec-new update`'s.
fn is_written(path: &str) -> bool {
    [".lock", ".ptx", ".cuvec-new.toml"]
        .iter()
        .any(|name| path.ends_with(name))
}

/// Checks whether the lines of a file count.
fn counted(path: &str) -> bool {
    !path.starts_with("runtime/") && path != "LICENSE" && !is_written(path)
}

/// The paths that two sets of files differ in, or only one of them has.
pub fn differences(a: &Files, b: &Files) -> Vec<String> {
    let paths = a.keys().chain(b.keys());
    let mut paths: Vec<_> = paths.filter(|path| a.get(*path) != b.get(*path)).collect();
    paths.sort();
    paths.dedup();
    paths.into_iter().cloned().collect()
}

#[test]
fn every_file_is_known_and_there_are_few() {
    let combinations = combinations();
    let mut large = Vec::new();
    for combination in &combinations {
        // Files of a provider are the same for all bindings, except for some lines.
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
            let lines: usize = owners.map(|(_, contents)| lines_of(contents)).sum();
            let count = files.keys().filter(|path| !is_written(path)).count();
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

/// All of it, as `find mypkg -type f` counts.
#[test]
fn the_default_package_is_small_with_what_tools_write() {
    let default = ("pyo3".to_owned(), "cu".to_owned());
    let files = package(&default, "mypkg", &[]);
    assert!(files.len() <= FILES, "{:?}", files.keys());
}

/// Pages give these limits, wherever they do.
#[test]
fn pages_say_how_small_a_package_is() {
    let files = format!("at most {FILES} files");
    let lines = format!("at most {},{:03} lines", LINES / 1000, LINES % 1000);
    let [_, (tool, more_files, more_lines)] = DOCS;
    let docs = format!("adds {more_files} files and at most {more_lines} lines");
    let added = format!("one file of at most {ADDED_LINES}.");
    for (page, said) in [
        (
            "docs/reference/files.md",
            &[&files, &lines, &format!("`--docs {tool}` {docs}")][..],
        ),
        (
            "templates/README.md",
            &[&files, &lines, &format!("`docs/{tool}/` {docs}"), &added],
        ),
        ("CHANGELOG.md", &[&files]),
        ("docs/explanation/runtime.md", &[&files]),
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
        for others in [&[][..], &["--cuda", "12"], &["--runtime", "pypi"]] {
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
