//! Workspaces of cargo and uv around a package, which take it for a member by their patterns.

use std::path::{Path, PathBuf};

use crate::read;

/// A workspace that a folder of a package is taken for a member of.
#[derive(Debug, PartialEq, Eq)]
pub struct Membership {
    pub manifest: PathBuf,
    /// The folder, as the workspace names it.
    pub member: String,
    kind: &'static Kind,
}

impl Membership {
    pub fn fact(&self) -> String {
        let Self {
            manifest,
            member,
            kind,
        } = self;
        format!(
            "`{}` takes `{member}` for a member, {}",
            manifest.display(),
            kind.trouble
        )
    }

    pub fn hint(&self) -> String {
        let table = self.kind.table.join(".");
        format!("write there, in [{table}]: exclude = [\"{}\"]", self.member)
    }

    /// Tells whether nothing can be built so.
    pub fn is_problem(&self) -> bool {
        self.kind.is_problem
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Kind {
    manifest: &'static str,
    table: &'static [&'static str],
    /// Folders of a package that may be members.
    members: &'static [&'static str],
    trouble: &'static str,
    is_problem: bool,
}

const KINDS: [Kind; 2] = [
    Kind {
        manifest: "Cargo.toml",
        table: &["workspace"],
        members: &["", "kernels", "src"],
        trouble: "but it is a workspace of its own: no command of cargo works in either",
        is_problem: true,
    },
    Kind {
        manifest: "pyproject.toml",
        table: &["tool", "uv", "workspace"],
        members: &[""],
        trouble: "and so uv locks and installs it with the others",
        is_problem: false,
    },
];

/// All around a package, the nearest of each kind.
pub fn memberships(package: &Path) -> Vec<Membership> {
    let Ok(package) = package.canonicalize() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for kind in &KINDS {
        let folders = kind.members.iter().map(|it| package.join(it));
        let members = folders.filter(|it| it.join(kind.manifest).is_file());
        let of = |member: PathBuf| {
            let mut around = package.ancestors().skip(1);
            around.find_map(|root| membership(&member, root, kind))
        };
        found.extend(members.filter_map(of));
    }
    found
}

fn membership(member: &Path, root: &Path, kind: &'static Kind) -> Option<Membership> {
    let text = read::text(&root.join(kind.manifest)).ok()?;
    let whole: toml::Table = toml::from_str(&text).ok()?;
    let mut tables = kind.table.iter();
    let first = whole.get(*tables.next()?)?;
    let workspace = tables.try_fold(first, |it, key| it.get(key))?;
    let parts = member.strip_prefix(root).ok()?.iter();
    let parts: Vec<_> = parts.map(|it| it.to_string_lossy().into_owned()).collect();
    let has = |key: &str, is_below: bool| {
        let patterns = workspace.get(key).and_then(toml::Value::as_array);
        let mut patterns = patterns
            .into_iter()
            .flatten()
            .filter_map(toml::Value::as_str);
        patterns.any(|it| {
            let pattern: Vec<_> = it
                .split('/')
                .filter(|it| !it.is_empty() && *it != ".")
                .collect();
            let ends = if is_below {
                1..=parts.len()
            } else {
                parts.len()..=parts.len()
            };
            ends.into_iter().any(|end| fits(&pattern, &parts[..end]))
        })
    };
    let is_member = has("members", false) && !has("exclude", true);
    is_member.then(|| Membership {
        manifest: root.join(kind.manifest),
        member: parts.join("/"),
        kind,
    })
}

/// Tells whether a path is one that a pattern stands for.
fn fits(pattern: &[&str], path: &[String]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => (0..=path.len()).any(|at| fits(rest, &path[at..])),
        (Some((first, rest)), Some((part, path))) => {
            is_like(first.as_bytes(), part.as_bytes()) && fits(rest, path)
        }
        _ => false,
    }
}

fn is_like(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => (0..=name.len()).any(|at| is_like(rest, &name[at..])),
        (Some((b'?', rest)), Some((_, name))) => is_like(rest, name),
        (Some((first, rest)), Some((letter, name))) => first == letter && is_like(rest, name),
        _ => false,
    }
}
