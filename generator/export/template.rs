//! One template folder: all licences and CI providers in one set of files.

use std::collections::{BTreeMap, BTreeSet};

use super::{config, liquid, lock, placeholders};
use crate::catalog::Catalog;
use crate::error::Result;
use crate::kind::Kind;
use crate::layer::text;
use crate::render::Rendered;

/// The package for one licence and one CI provider.
pub struct Variant<'a> {
    pub license: &'a str,
    pub ci: &'a str,
    pub files: Vec<Rendered<'a>>,
}

/// Contents of a file for each licence and CI provider that has it.
type Contents = BTreeMap<(String, String), Vec<u8>>;

pub struct Template(BTreeMap<String, Contents>);

impl Template {
    pub fn new(variants: Vec<Variant>) -> Self {
        let mut files: BTreeMap<String, Contents> = BTreeMap::new();
        for variant in variants {
            for file in variant.files {
                let contents = files.entry(placeholders::path(&file.path)).or_default();
                let key = (variant.license.to_owned(), variant.ci.to_owned());
                contents.insert(key, file.contents.into_owned());
            }
        }
        Self(files)
    }

    /// Files of the folder, the configuration among them.
    pub fn files(self, catalog: &Catalog) -> Result<Vec<(String, Vec<u8>)>> {
        let ignored = self.ignored(catalog);
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
            let filled = fill(&path, contents)?;
            files.push((path, filled.into_bytes()));
        }
        let include: Vec<_> = include.into_iter().collect();
        let config = config::template(catalog, &include, &ignored);
        files.push((config::FILE.to_owned(), config.into_bytes()));
        Ok(files)
    }

    /// For each licence and CI provider: what the others have and it has not.
    fn ignored(&self, catalog: &Catalog) -> Vec<(Kind, String, BTreeSet<String>)> {
        let mut ignored = Vec::new();
        for kind in [Kind::License, Kind::Ci] {
            for name in catalog.names(kind) {
                let has = |contents: &Contents| {
                    contents.keys().any(|(license, ci)| match kind {
                        Kind::License => license == name,
                        _ => ci == name,
                    })
                };
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
    let mut licenses: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for ((license, ci), contents) in contents {
        let mut template = liquid::template(text(path, &contents)?);
        if crate::lock::is_lock(path) {
            template = lock::template(&template);
        }
        licenses.entry(license).or_default().push((ci, template));
    }
    let licenses = licenses.into_iter();
    let licenses = licenses.map(|(license, texts)| (license, merged("ci", texts)));
    Ok(merged("license", licenses.collect()))
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
