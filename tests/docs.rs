//! The sessions in docs/: every block of `console` is typed, all of a page in one folder, and shows what is printed.
//!
//! `…` stands for any letters, and `...` for any lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::project::{Project, command, files};

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let pages = files(&folder).into_iter();
    let pages = pages.filter(|file| file.ends_with(".md"));
    pages.map(|file| folder.join(file)).collect()
}

/// The exit code and all that a line prints.
fn typed(line: &str, root: &Path, folder: &Path) -> (i32, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_cuvec-new"));
    let mut shell = Command::new("bash");
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    for (key, value) in command(root).get_envs() {
        shell.env(key, value.unwrap_or_default());
    }
    shell.env("PATH", path).current_dir(folder);
    // Pages show what is said where kernels in Rust cannot be compiled.
    shell.env("KERNELS_RUSTC", root.join("no-rustc"));
    let output = shell.args(["-c", &format!("{line} 2>&1")]).output();
    let output = output.unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let lines = printed.lines().map(|line| format!("{}\n", line.trim_end()));
    let printed: String = lines.collect();
    (output.status.code().unwrap(), printed)
}

/// The session as it is today. After `cd`, the page continues in that folder.
fn repeated(session: &str, root: &Path, folder: &mut PathBuf) -> String {
    let mut shown = String::new();
    for step in session.split("$ ").skip(1) {
        let (line, expected) = step.split_once('\n').unwrap();
        let typed_line = match line.strip_prefix("cd ") {
            Some(name) => {
                folder.push(name);
                ":"
            }
            None => line,
        };
        let (code, printed) = typed(typed_line, root, folder);
        assert_eq!(code != 0, printed.starts_with("error: "), "{printed}");
        // Kept as it is written if it is right.
        let same = matches(&printed, expected);
        shown += &format!("$ {line}\n");
        shown += if same { expected } else { &printed };
    }
    shown
}

fn matches(printed: &str, pattern: &str) -> bool {
    let pattern: Vec<_> = pattern.lines().collect();
    let lines: Vec<_> = printed.lines().collect();
    lines_match(&lines, &pattern)
}

fn lines_match(lines: &[&str], pattern: &[&str]) -> bool {
    match (pattern, lines) {
        ([], lines) => lines.is_empty(),
        (["...", rest @ ..], lines) => {
            (0..=lines.len()).any(|skipped| lines_match(&lines[skipped..], rest))
        }
        ([_, ..], []) => false,
        ([first, rest @ ..], [line, others @ ..]) => {
            line_matches(line, first) && lines_match(others, rest)
        }
    }
}

fn line_matches(line: &str, pattern: &str) -> bool {
    let (head, tail) = match pattern.split_once("…") {
        None => return line == pattern,
        Some(parts) => parts,
    };
    let Some(rest) = line.strip_prefix(head) else {
        return false;
    };
    let mut ends = rest.char_indices().map(|(at, _)| at);
    ends.any(|at| line_matches(&rest[at..], tail)) || line_matches("", tail)
}

/// With `SNAPSHOTS=overwrite` the pages are brought up to date.
#[test]
fn sessions_show_what_is_printed() {
    let mut sessions = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let root = TempDir::new().unwrap();
        let mut folder = root.path().to_owned();
        let mut today = String::new();
        for (index, part) in text.split("```console\n").enumerate() {
            if index == 0 {
                today += part;
                continue;
            }
            let (session, rest) = part.split_once("```").unwrap();
            today += &format!(
                "```console\n{}```{rest}",
                repeated(session, root.path(), &mut folder)
            );
            sessions += 1;
        }
        if today != text && std::env::var("SNAPSHOTS").is_ok_and(|it| it == "overwrite") {
            fs::write(&page, &today).unwrap();
        } else {
            snapbox::assert_data_eq!(today, snapbox::Data::text(text).raw());
        }
    }
    assert!(sessions > 10, "{sessions}");
}

/// As in a new package, with each choice that adds files.
#[test]
fn every_file_of_a_package_is_explained() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/files.md"));
    let page = page.unwrap();
    for options in [
        &[][..],
        &["--kernels", "rust", "--ci", "gitlab", "--bridge", "swig"],
    ] {
        let project = Project::new("mypkg")
            .args(["--dry-run", "--json"])
            .args(options);
        let preview: Value = serde_json::from_str(&project.run().success().stdout).unwrap();
        let files = preview["files"].as_array().unwrap().iter();
        let files = files.map(|file| file["path"].as_str().unwrap());
        for file in files {
            // With the name of the other language, without the version, or in a folder of the owner's.
            let file = file
                .replace(".rs", ".cu")
                .replace(env!("CARGO_PKG_VERSION"), "X");
            let file = if file.starts_with("src/") {
                "src/"
            } else {
                &file
            };
            let named = file
                .rsplit_once('/')
                .is_some_and(|(_, name)| page.contains(&format!("`{name}`")));
            assert!(named || page.contains(&format!("`{file}`")), "{file}");
        }
    }
}

#[test]
fn wildcards() {
    assert!(matches("a 12 b\nx\ny\nz\n", "a … b\n...\nz\n"));
    assert!(matches("a\n", "a…\n"));
    assert!(!matches("a\nb\n", "a\n"));
    assert!(!matches("a\n", "b…\n"));
}
