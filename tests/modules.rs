//! Files form layers: none uses one that uses it, neither directly nor through others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::project::files;

/// A module by its path, such as `catalog::kind`, with its text but for its tests.
type Modules = BTreeMap<String, String>;

/// Who uses whom.
type Uses = BTreeMap<String, BTreeSet<String>>;

fn modules(folder: &str) -> Modules {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let sources = files(&folder).into_iter().filter(|file| {
        let file = file.as_str();
        !["lib.rs", "main.rs", "build.rs"].contains(&file)
            && !file.ends_with("/tests.rs")
            && !file.ends_with("/properties.rs")
    });
    let module = |file: String| {
        let text = fs::read_to_string(folder.join(&file)).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap().to_owned();
        let module = file.trim_end_matches(".rs").trim_end_matches("/mod");
        (module.replace('/', "::"), text)
    };
    sources.map(module).collect()
}

/// Every path below `crate::` or `super::` in a module, in full.
fn paths(module: &str, text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join(" ");
    let parent = module.rsplit_once("::").map_or("", |(parent, _)| parent);
    let starts = [("crate::", ""), ("super::", parent)];
    for (start, base) in starts {
        // Not in code that it writes.
        let is_own = |at: usize| {
            !["`use ", "\"use "]
                .iter()
                .any(|it| code[..at].ends_with(it))
        };
        for (at, _) in code.match_indices(start).filter(|it| is_own(it.0)) {
            paths.extend(spread(&code[at + start.len()..]).map(|path| match base {
                "" => path,
                base => format!("{base}::{path}"),
            }));
        }
    }
    // Modules that it declares itself: `use kind::Kind` below `mod kind;`.
    for child in code
        .split("mod ")
        .skip(1)
        .filter_map(|it| it.split_once(';'))
    {
        for (at, _) in code.match_indices(&format!("use {}::", child.0)) {
            let rest = &code[at + "use ".len()..];
            if !code[..at].ends_with("pub ") {
                paths.extend(spread(rest).map(|path| format!("{module}::{path}")));
            }
        }
    }
    paths
}

/// `a::{b, c::D}` is `a::b` and `a::c::D`; nothing deeper is needed here.
fn spread(code: &str) -> impl Iterator<Item = String> {
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let end = code.find(|c| !name(c)).unwrap_or(code.len());
    let (head, rest) = code.split_at(end);
    let list = match rest.strip_prefix('{') {
        Some(list) => list.split('}').next().unwrap(),
        None => "",
    };
    let items: Vec<_> = list
        .split(',')
        .map(|item| format!("{head}{}", item.trim()))
        .collect();
    items.into_iter()
}

/// The module that a path leads to: of a name that a module only passes on, the one it comes from.
fn owner(path: &str, modules: &Modules) -> Option<String> {
    let parts: Vec<_> = path.split("::").filter(|part| !part.is_empty()).collect();
    let (module, rest) = (0..=parts.len()).rev().find_map(|end| {
        let module = parts[..end].join("::");
        modules
            .contains_key(&module)
            .then(|| (module, &parts[end..]))
    })?;
    let Some(name) = rest.first() else {
        return Some(module);
    };
    for passed in modules[&module].split("pub use ").skip(1) {
        let passed = passed.split(';').next().unwrap().replace(['\n', ' '], "");
        for path in spread(&passed) {
            if path.rsplit("::").next() == Some(name) && !path.starts_with("crate::") {
                return owner(&format!("{module}::{path}"), modules);
            }
        }
    }
    Some(module)
}

fn uses(modules: &Modules) -> Uses {
    let used = |(module, text): (&String, &String)| {
        let owners = paths(module, text)
            .into_iter()
            .filter_map(|it| owner(&it, modules));
        (
            module.clone(),
            owners.filter(|owner| owner != module).collect(),
        )
    };
    modules.iter().map(used).collect()
}

/// A way from a module back to itself.
fn circle(uses: &Uses) -> Option<Vec<String>> {
    fn walk(at: &str, way: &mut Vec<String>, done: &mut BTreeSet<String>, uses: &Uses) -> bool {
        if way.iter().any(|it| it == at) {
            way.push(at.to_owned());
            return true;
        }
        if done.contains(at) {
            return false;
        }
        way.push(at.to_owned());
        if uses
            .get(at)
            .into_iter()
            .flatten()
            .any(|next| walk(next, way, done, uses))
        {
            return true;
        }
        way.pop();
        done.insert(at.to_owned());
        false
    }
    let mut done = BTreeSet::new();
    uses.keys().find_map(|module| {
        let mut way = Vec::new();
        walk(module, &mut way, &mut done, uses).then_some(way)
    })
}

/// The same for folders: `catalog` is `catalog.rs` and everything in `catalog/`.
fn by_folder(uses: &Uses) -> Uses {
    let top = |module: &str| module.split("::").next().unwrap().to_owned();
    let mut folders = Uses::new();
    for (module, used) in uses {
        let others = used
            .iter()
            .map(|it| top(it))
            .filter(|it| *it != top(module));
        folders.entry(top(module)).or_default().extend(others);
    }
    folders
}

/// The crates of the runtime that have such layers, and the generator.
const FOLDERS: [&str; 5] = [
    "generator",
    "runtime/declare/src",
    "runtime/kernels/macro/src",
    "runtime/python/src",
    "runtime/rust/src",
];

#[test]
fn no_file_uses_one_that_uses_it() {
    for folder in FOLDERS {
        let uses = uses(&modules(folder));
        assert_eq!(circle(&uses), None, "{folder}");
        let arrows: usize = uses.values().map(BTreeSet::len).sum();
        assert!(
            arrows >= uses.len(),
            "only {arrows} uses were found in {folder}"
        );
    }
}

#[test]
fn no_folder_uses_one_that_uses_it() {
    assert_eq!(circle(&by_folder(&uses(&modules("generator")))), None);
}

#[test]
fn a_circle_is_found() {
    let text = |module: &str, text: &str| (module.to_owned(), text.to_owned());
    let mut modules = Modules::from([
        text("a", "mod x;\npub use x::{X, Y};"),
        text("a::x", "use crate::b::{\n    B,\n    C,\n};"),
        text("b", "// crate::a in a comment\nuse crate::c::C;"),
        text("c", ""),
    ]);
    assert_eq!(circle(&uses(&modules)), None);
    modules.insert("c".to_owned(), "use crate::a::Y;".to_owned());
    let way = circle(&uses(&modules)).unwrap();
    assert_eq!(way, ["a::x", "b", "c", "a::x"]);
    modules.insert("c".to_owned(), "use super::a::x;".to_owned());
    assert!(circle(&uses(&modules)).is_some());
}
