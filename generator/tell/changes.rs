//! Changes by an update.

use std::collections::BTreeMap;

use serde::Serialize;

use super::diff::{patch, print_patch};
use super::print::{BOLD, GOOD, note, print, print_json, print_list, styled};
use crate::error::Result;
use crate::package::{FOLDER, lock};
use crate::wording::quote;

/// Fate of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    Changed,
    Added,
    Removed,
    Merged,
    Conflict,
    /// A new text beside the owner's.
    Beside,
    /// No package has it any more, but this one has edits.
    Kept,
    /// Its owner deleted it.
    LeftOut,
    /// In a copy of the runtime, which is removed.
    Edited,
    /// All of those edits.
    Patch,
}

impl What {
    fn heading(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Merged => "merged with your edits",
            Self::Conflict => "conflicts with your edits, marked in",
            Self::Beside => "new text beside yours, which no merge is known for",
            Self::Kept => "kept for your edits, though no longer part of a package",
            Self::LeftOut => "left out, for you deleted it",
            Self::Edited => "edited in the copy of the runtime, which is removed",
            Self::Patch => "those edits are kept in",
        }
    }
}

/// With `--json`, these fields under these names; fields may be added, none is renamed or removed.
#[derive(Debug, Serialize)]
pub struct Change {
    pub path: String,
    pub what: What,
    /// Contents; both are none where nothing is written.
    #[serde(skip)]
    pub old: Option<Vec<u8>>,
    #[serde(skip)]
    pub new: Option<Vec<u8>>,
}

#[derive(Debug, Serialize)]
pub struct Changes {
    pub name: String,
    pub path: String,
    /// Version of `cuvec-new`.
    pub from: Option<String>,
    pub to: &'static str,
    pub changes: Vec<Change>,
}

impl Changes {
    pub fn are_none(&self) -> bool {
        self.changes.is_empty()
    }

    pub fn with(&self, what: What) -> Vec<String> {
        let with = self.changes.iter().filter(|change| change.what == what);
        with.map(|change| change.path.clone()).collect()
    }

    pub fn json(&self) -> Result<()> {
        print_json(self)
    }

    /// Prints them as patches, but for the lock and what is not text: those are for programs.
    pub fn diff(&self) -> Result<()> {
        let binary = |it: &Change| {
            [&it.old, &it.new]
                .into_iter()
                .flatten()
                .any(|it| it.contains(&0))
        };
        let shown = |it: &&Change| it.old != it.new && it.path != lock::PATH && !binary(it);
        for change in self.changes.iter().filter(shown) {
            let (old, new) = (change.old.as_deref(), change.new.as_deref());
            print_patch(&patch(&change.path, old, new))?;
        }
        Ok(())
    }

    /// Lists the files; `written` says whether they were, and what else to do.
    pub fn list(&self, written: bool) -> Result<()> {
        if self.are_none() {
            return print(format!("`{}` in `{}` is up to date", self.name, self.path));
        }
        let (done, style) = match written {
            true => ("updated", GOOD),
            false => ("would update", BOLD),
        };
        let from = match &self.from {
            Some(from) if from != self.to => format!("from {from} to {}", self.to),
            _ => format!("to cuvec-new {}", self.to),
        };
        let (name, path) = (&self.name, &self.path);
        print(format!(
            "{} `{name}` in `{path}` {from}",
            styled(style, done)
        ))?;
        for (what, paths) in self.by_what() {
            print_list(what.heading(), &paths)?;
        }
        match written {
            true => Ok(()),
            false => print("nothing was written"),
        }
    }

    pub fn next(&self, in_git: bool) -> Result<()> {
        let mut commands = vec!["pip install .".to_owned()];
        if in_git {
            commands.insert(0, "git diff".to_owned());
        } else {
            note("it is not in git, so there is no way back");
        }
        if self.path != "." {
            commands.insert(0, format!("cd {}", quote(self.path.as_ref())));
        }
        print_list("next", &commands)
    }

    /// Paths under what becomes of them; those in `runtime/`, which nobody reads, as a number.
    fn by_what(&self) -> BTreeMap<What, Vec<String>> {
        let mut lists: BTreeMap<What, Vec<String>> = BTreeMap::new();
        let mut runtime: BTreeMap<What, usize> = BTreeMap::new();
        for change in &self.changes {
            if change.path.starts_with(FOLDER) && change.what != What::Edited {
                *runtime.entry(change.what).or_default() += 1;
            } else {
                lists
                    .entry(change.what)
                    .or_default()
                    .push(change.path.clone());
            }
        }
        for (what, count) in runtime {
            let files = if count == 1 { "file" } else { "files" };
            lists
                .entry(what)
                .or_default()
                .push(format!("{FOLDER} ({count} {files})"));
        }
        lists
    }
}
