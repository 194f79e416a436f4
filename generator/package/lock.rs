//! `.cuvec-new.lock`: the files of a package as they were made, so that an update knows what was edited since.
//!
//! After a comment comes a form feed for each file, its path on a line, and its text to the last byte. No answer and no
//! text holds a form feed, so nothing is escaped, counted or indented: the templates for `cargo generate` have the same
//! file with their placeholders in it, some of which fill several lines.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use super::rendered::{Rendered, insert};
use super::sum::sum;
use crate::answers::Record;
use crate::catalog::is_of_git;

pub const PATH: &str = ".cuvec-new.lock";

pub const HEAD: &str = "# The files of this package as `cuvec-new` made them, by which `cuvec-new update` knows the edits. \
                        Written by it; do not edit.\n";

const MARK: char = '\u{c}';

/// Between these words of a line is the sum of a file whose text is not kept.
const SUM: &str = " sha256:";

/// Texts of more bytes are made by programs, and merged by nobody.
const LONGEST: usize = 32 * 1024;

/// The files, sorted by path, and with them the lock if there is a record that it belongs to.
pub fn with_lock(mut files: Vec<Rendered>) -> Vec<Rendered> {
    if files.iter().any(|file| file.path == Record::PATH) {
        let own = files.iter().filter(|file| covers(&file.path));
        let entries: String = own.map(|file| entry(&file.path, &file.contents)).collect();
        let lock = Rendered::new(PATH, (HEAD.to_owned() + &entries).into_bytes());
        insert(&mut files, lock);
    }
    files
}

/// Checks whether a file is not about how the package was made.
pub fn covers(path: &str) -> bool {
    path != Record::PATH && path != PATH
}

pub fn entry(path: &str, contents: &[u8]) -> String {
    match std::str::from_utf8(contents) {
        Ok(text) if text.len() <= LONGEST && !text.contains(MARK) => {
            format!("{MARK}{path}\n{text}")
        }
        _ => format!("{MARK}{path}{SUM}{}\n", sum(contents)),
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum Made {
    Text(String),
    /// Its SHA-256: it is no text, or one that no one reads.
    Sum(String),
}

impl Made {
    /// Checks whether a file is still as it was made.
    pub fn is(&self, contents: &[u8]) -> bool {
        match self {
            Self::Text(text) => text.as_bytes() == contents,
            Self::Sum(of) => *of == sum(contents),
        }
    }
}

/// Whoever wrote a lock decides what an update compares with it, and removes.
fn is_in_a_package(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    parts.all(|part| matches!(part, Component::Normal(_))) && !is_of_git(path) && covers(path)
}

/// The files of a lock by their paths. The error is what is wrong with it.
pub fn parse(text: &str) -> Result<BTreeMap<String, Made>, String> {
    // Some settings of git change line ends, of the whole file.
    let text = match text.split('\n').next() {
        Some(head) if head.ends_with('\r') => &text.replace("\r\n", "\n"),
        _ => text,
    };
    let mut files = BTreeMap::new();
    for entry in text.split(MARK).skip(1) {
        let (line, text) = entry.split_once('\n').ok_or("it ends within a line")?;
        let (path, made) = match line.split_once(SUM) {
            Some((path, sum)) => (path, Made::Sum(sum.to_owned())),
            None => (line, Made::Text(text.to_owned())),
        };
        if !is_in_a_package(path) {
            return Err(format!("`{path}` is not a path of a package"));
        }
        if files.insert(path.to_owned(), made).is_some() {
            return Err(format!("it has `{path}` twice"));
        }
    }
    match files.is_empty() {
        true => Err("it has no files".to_owned()),
        false => Ok(files),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_of_git_are_no_edit() {
        let made = |text: &str| Made::Text(text.to_owned());
        assert_eq!(parse("\u{c}a\nx\r\ny\n").unwrap()["a"], made("x\r\ny\n"));
        assert_eq!(parse("\r\n\u{c}a\r\nx\r\n").unwrap()["a"], made("x\n"));
    }

    #[test]
    fn what_is_written_is_what_is_read() {
        let long = "x\n".repeat(LONGEST);
        let files = [
            (Record::PATH, "version = 1\n"),
            ("a b/c", "first\nlast, without an end"),
            ("d", ""),
            ("e", "form\u{c}feed"),
            ("f", &long),
        ];
        let rendered = files.map(|(path, text)| Rendered::new(path, text.into()));
        let files = with_lock(rendered.into());
        assert_eq!(files[0].path, PATH);
        let lock = parse(std::str::from_utf8(&files[0].contents).unwrap()).unwrap();
        let paths: Vec<_> = lock.keys().map(String::as_str).collect();
        assert_eq!(paths, ["a b/c", "d", "e", "f"]);
        for file in files.iter().filter(|file| covers(&file.path)) {
            assert!(lock[&file.path].is(&file.contents), "{}", file.path);
            assert!(!lock[&file.path].is(b"edited"), "{}", file.path);
        }
        assert!(matches!(lock["a b/c"], Made::Text(_)));
        assert!(matches!(lock["e"], Made::Sum(_)));
    }

    #[test]
    fn without_a_record_there_is_none() {
        assert_eq!(with_lock(vec![Rendered::new("a", vec![])]).len(), 1);
    }

    #[test]
    fn what_is_no_lock() {
        for (text, problem) in [
            ("", "it has no files"),
            ("\u{c}a", "it ends within a line"),
            ("\u{c}a\nx\u{c}a\ny", "it has `a` twice"),
            ("\u{c}../a\nx", "`../a` is not a path of a package"),
            ("\u{c}/a\nx", "`/a` is not a path of a package"),
            (
                "\u{c}.git/hooks/a\nx",
                "`.git/hooks/a` is not a path of a package",
            ),
        ] {
            assert_eq!(parse(text), Err(problem.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn line_ends_of_windows() {
        let lock = parse(&format!("{HEAD}\u{c}a\nx\ny\n").replace('\n', "\r\n")).unwrap();
        assert_eq!(lock["a"], Made::Text("x\ny\n".to_owned()));
    }
}
