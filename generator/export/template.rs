//! One template folder: all licenses, CI providers and documentation tools in one set of files.

use std::collections::{BTreeMap, BTreeSet};

use super::{check, config, liquid, placeholders};
use crate::catalog::{Catalog, Exported, Kind, text};
use crate::error::Result;
use crate::package::{Rendered, lock};

/// The package for one choice of what `cargo generate` asks for.
pub struct Variant<'a> {
    /// A name for each kind that is asked for, in their order.
    pub names: Vec<String>,
    pub files: Vec<Rendered<'a>>,
}

/// Contents of a file for each choice that has it.
type Contents = BTreeMap<Vec<String>, Vec<u8>>;

pub struct Template(BTreeMap<String, Contents>);

impl Template {
    pub fn new(variants: Vec<Variant>) -> Self {
        let mut files: BTreeMap<String, Contents> = BTreeMap::new();
        for variant in variants {
            for file in variant.files {
                let contents = files.entry(placeholders::path(&file.path)).or_default();
                contents.insert(variant.names.clone(), file.contents.into_owned());
            }
        }
        Self(files)
    }

    /// Files of the folder, the configuration among them.
    pub fn files(self, catalog: &Catalog) -> Result<Vec<(String, Vec<u8>)>> {
        let ignored = self.ignored(catalog);
        let lock = self.lock()?;
        let mut include = BTreeSet::new();
        let mut files = Vec::new();
        for (path, contents) in self.0 {
            let (first, differ) = {
                let mut all = contents.values();
                let first = all.next().cloned().unwrap_or_default();
                let differ = all.any(|it| *it != first);
                (first, differ)
            };
            // cargo-generate cannot copy what lies in a folder with a placeholder: it has to fill it in.
            let folder = path.find("{{").map(|start| folder_from(&path, start));
            let renders = std::str::from_utf8(&first).is_ok_and(liquid::is_template);
            if !differ && !renders && folder.is_none() {
                files.push((path, first));
                continue;
            }
            include.insert(folder.unwrap_or(&path).to_owned());
            let filled = match path.as_str() {
                lock::PATH => lock.clone(),
                _ => fill(&path, contents)?,
            };
            files.push((path, filled.into_bytes()));
        }
        let script = check::script();
        files.push((check::FILE.to_owned(), script.into_bytes()));
        let include: Vec<_> = include.into_iter().collect();
        let config = config::template(catalog, &include, &ignored);
        files.push((config::FILE.to_owned(), config.into_bytes()));
        Ok(files)
    }

    /// The lock with placeholders: file by file, for then it is no longer than one package's.
    fn lock(&self) -> Result<String> {
        let choices: BTreeSet<_> = self.0.values().flat_map(BTreeMap::keys).collect();
        let mut lock = lock::HEAD.to_owned();
        for (path, contents) in self.0.iter().filter(|(path, _)| lock::covers(path)) {
            let in_text = placeholders::path_in_text(path);
            let entry = |names: &&Vec<String>| {
                let contents = contents.get(*names);
                let entry = contents.map(|it| lock::entry(&in_text, it).into_bytes());
                ((**names).clone(), entry.unwrap_or_default())
            };
            lock += &fill(path, choices.iter().map(entry).collect())?;
        }
        Ok(lock)
    }

    /// For each member of a kind that is asked for: what the others have and it has not.
    fn ignored(&self, catalog: &Catalog) -> Vec<(Kind, String, BTreeSet<String>)> {
        let mut ignored = Vec::new();
        for (at, kind) in Kind::exported(Exported::Question).enumerate() {
            for name in catalog.names(kind) {
                let has = |contents: &Contents| contents.keys().any(|names| names[at] == name);
                let (kept, left): (Vec<_>, Vec<_>) = self.0.iter().partition(|(_, it)| has(it));
                let kept: Vec<_> = kept.iter().map(|(path, _)| path.as_str()).collect();
                let left = left.iter().map(|(path, _)| topmost(path, &kept));
                ignored.push((kind, name.to_owned(), left.map(str::to_owned).collect()));
            }
        }
        ignored
    }
}

/// The highest folder around the file that holds none of the others, or the file.
fn topmost<'a>(path: &'a str, others: &[&str]) -> &'a str {
    let mut folders = path.match_indices('/').map(|(end, _)| &path[..=end]);
    let folder = folders.find(|folder| !others.iter().any(|other| other.starts_with(folder)));
    folder.map_or(path, |folder| folder.trim_end_matches('/'))
}

/// The path up to the end of the part that holds the placeholder at `start`.
fn folder_from(path: &str, start: usize) -> &str {
    let end = path[start..]
        .find('/')
        .map_or(path.len(), |end| start + end);
    &path[..end]
}

/// One text with all variants of it, as Liquid.
fn fill(path: &str, contents: Contents) -> Result<String> {
    let mut texts = BTreeMap::new();
    for (names, contents) in contents {
        let template = liquid::template(text(path, &contents)?);
        texts.insert(names, template);
    }
    // The last question varies fastest.
    let kinds: Vec<_> = Kind::exported(Exported::Question).collect();
    for kind in kinds.into_iter().rev() {
        let mut groups: BTreeMap<Vec<String>, Vec<(String, String)>> = BTreeMap::new();
        for (mut names, text) in texts {
            let name = names.pop().unwrap_or_default();
            groups.entry(names).or_default().push((name, text));
        }
        let merge = |(names, texts)| (names, merged(kind.folder(), texts));
        texts = groups.into_iter().map(merge).collect();
    }
    Ok(texts.into_values().collect())
}

/// The lines that all texts begin and end with, and between them a choice.
fn merged(key: &str, texts: Vec<(String, String)>) -> String {
    let lines =
        |text: &'_ str| -> Vec<String> { text.split_inclusive('\n').map(str::to_owned).collect() };
    let texts: Vec<_> = texts
        .into_iter()
        .map(|(name, text)| (name, lines(&text)))
        .collect();
    let first = texts[0].1.clone();
    let shortest = texts.iter().map(|(_, it)| it.len()).min().unwrap_or(0);
    let same = |at: &dyn Fn(&[String]) -> usize| {
        texts.iter().all(|(_, it)| it[at(it)] == first[at(&first)])
    };
    if texts.iter().all(|(_, it)| *it == first) {
        return first.concat();
    }
    let head = (0..shortest).take_while(|line| same(&|_| *line)).count();
    let tail = (1..=shortest - head)
        .take_while(|line| same(&|it| it.len() - line))
        .count();
    let middle = texts
        .iter()
        .map(|(name, it)| (name.clone(), it[head..it.len() - tail].concat()));
    let middle = liquid::choice(key, middle);
    [
        first[..head].concat(),
        middle,
        first[first.len() - tail..].concat(),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_are_ignored_hold_nothing_else() {
        assert_eq!(topmost("a/b/c.txt", &["d/e"]), "a");
        assert_eq!(topmost("a/b/c.txt", &["a/x"]), "a/b");
        assert_eq!(topmost("a/b/c.txt", &["a/b/x"]), "a/b/c.txt");
    }

    #[test]
    fn the_part_with_the_placeholder_is_whole() {
        assert_eq!(folder_from("a/{{b}}/c.txt", 2), "a/{{b}}");
        assert_eq!(folder_from("a/{{b}}.txt", 2), "a/{{b}}.txt");
    }

    #[test]
    fn what_texts_share_is_written_once() {
        let of = |texts: &[(&str, &str)]| {
            let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
            merged("key", texts.iter().map(owned).collect())
        };
        assert_eq!(of(&[("x", "1\n2\n"), ("y", "1\n2\n")]), "1\n2\n");
        let both = of(&[("x", "1\n2\n4\n"), ("y", "1\n3\n3\n4\n")]);
        assert!(both.starts_with("1\n{%"), "{both}");
        assert!(both.ends_with("%}4\n"), "{both}");
        assert_eq!(both.matches("3\n3\n").count(), 1, "{both}");
        assert_eq!(both.matches("1\n").count(), 1, "{both}");
    }
}
