//! The files of a package in a few lines, for a last look before they are written.

use std::collections::BTreeMap;

use super::print::{BOLD, DIM, styled};

/// Characters of `└── `.
const BRANCH: usize = 4;

/// Folders at the top with the number of files in them, then the files at the top.
pub fn outline<'a>(
    destination: &str,
    paths: impl Iterator<Item = &'a str>,
    columns: usize,
) -> String {
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    let mut files = Vec::new();
    for path in paths {
        match path.split_once('/') {
            Some((folder, _)) => *folders.entry(folder).or_default() += 1,
            None => files.push(path),
        }
    }
    let total = files.len() + folders.values().sum::<usize>();
    let width = folders
        .keys()
        .map(|folder| folder.len() + 1)
        .max()
        .unwrap_or(0);
    let mut lines = vec![format!(
        "{} {}",
        styled(BOLD, format!("{destination}/")),
        styled(DIM, count(total)),
    )];
    for (folder, inside) in &folders {
        let folder = format!("{folder}/");
        lines.push(format!(
            "├── {folder:width$} {}",
            styled(DIM, count(*inside))
        ));
    }
    for (n, row) in filled(&files, columns.saturating_sub(BRANCH))
        .iter()
        .enumerate()
    {
        lines.push(format!("{} {row}", if n == 0 { "└──" } else { "   " }));
    }
    lines.join("\n")
}

/// Rows of names that are not longer than that, unless one name is.
fn filled(names: &[&str], columns: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for name in names {
        match rows.last_mut() {
            Some(row) if row.len() + 2 + name.len() <= columns => {
                row.push_str("  ");
                row.push_str(name);
            }
            _ => rows.push((*name).to_owned()),
        }
    }
    rows
}

fn count(files: usize) -> String {
    match files {
        1 => "1 file".to_owned(),
        files => format!("{files} files"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_filled() {
        assert_eq!(filled(&["aaaa", "bbbb", "cc"], 10), ["aaaa  bbbb", "cc"]);
        assert_eq!(filled(&["aaaa", "bbbb", "cc"], 9), ["aaaa", "bbbb  cc"]);
        assert_eq!(filled(&["aaaa"], 2), ["aaaa"]);
    }

    #[test]
    fn folders_are_counted_and_files_named() {
        let paths = [
            ".gitignore",
            "LICENSE",
            "src/a.rs",
            "tests/b/c.py",
            "tests/d.py",
        ];
        let text =
            anstream::adapter::strip_str(&outline("my pkg", paths.into_iter(), 80)).to_string();
        let expected = "\
my pkg/ 5 files
├── src/   1 file
├── tests/ 2 files
└── .gitignore  LICENSE";
        assert_eq!(text, expected);
    }
}
