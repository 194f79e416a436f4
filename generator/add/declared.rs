//! Structs that the kernels of a package declare already.

use std::fs;
use std::path::{Path, PathBuf};

use cuvec_declare::DType;
use cuvec_declare::Fault;
use cuvec_declare::declaration::{Member, Structure};

use super::blank::blank;
use super::c_types::{self, Element};
use super::language::Language;
use crate::error::{Error, Result};
use crate::read;

/// A struct, and where it is.
pub struct Declared {
    name: String,
    /// Below `kernels/`.
    file: String,
    /// True if other files can have it from there.
    is_shared: bool,
    /// Nothing if the members could not be read.
    members: Option<Vec<Member>>,
}

/// All of a package whose functions in this language may name them.
pub fn all(package: &Path, language: &Language) -> Result<Vec<Declared>> {
    let folder = package.join("kernels");
    let is_rust = language.ending == "rs";
    let mut found = Vec::new();
    let endings = match is_rust {
        true => &["rs"][..],
        false => &["cu", "cuh", "h", "hpp"],
    };
    for path in sources(&folder, endings) {
        let text = read::text(&path).map_err(|error| Error::io("read", &path, error))?;
        let file = path.strip_prefix(&folder).unwrap_or(&path);
        let file = file.to_string_lossy().replace('\\', "/");
        let text = without_comments(&text);
        let (structs, is_shared) = match is_rust {
            true => (in_rust(&text), file == "lib.rs"),
            false => (in_cpp(&text), !file.ends_with(".cu")),
        };
        found.extend(structs.into_iter().map(|(name, members)| Declared {
            name,
            file: file.clone(),
            is_shared,
            members,
        }));
    }
    Ok(found)
}

impl Declared {
    /// The struct as a signature may name it: a new file has it from where it is.
    pub fn structure(&self) -> Option<Structure> {
        Some(Structure {
            name: self.name.clone(),
            members: self.members.clone().filter(|_| self.is_shared)?,
            file: Some(self.file.clone()),
        })
    }

    /// The fault of a signature that names it, though a new file cannot have it.
    pub fn explain(&self, fault: Fault, language: &Language) -> Fault {
        let Self { name, file, .. } = self;
        if fault.problem != format!("`{name}` is not a dtype") {
            return fault;
        }
        let header = format!("{}.cuh", name.to_lowercase());
        let hint = match (self.is_shared, language.ending) {
            (false, "rs") => format!(
                "move it to `kernels/lib.rs`, as `pub struct`, and name it in both files: `use super::lib::{name};`"
            ),
            (false, _) => format!(
                "move it to a header, such as `kernels/{header}`, which both include: `#include \"{header}\"`"
            ),
            (true, "rs") => format!(
                "its members could not be read: let it be a `pub struct` of numbers and arrays of them, or give them with \
                 `--struct`, and write `use super::lib::{name};` in the new file in place of the struct"
            ),
            (true, _) => format!(
                "its members could not be read: give them with `--struct`, and include `kernels/{file}` in the new file \
                 in place of the struct"
            ),
        };
        let problem = format!("`{name}` is declared in `kernels/{file}`");
        Fault::new(fault.at, problem, hint)
    }
}

/// Files of these endings in a folder and those in it, in the order of their names.
fn sources(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.path();
        // Editors have links there that lead nowhere.
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let ending = path.extension().and_then(|it| it.to_str());
        match entry.file_type() {
            Ok(it) if it.is_dir() => found.extend(sources(&path, endings)),
            Ok(_) if ending.is_some_and(|it| endings.contains(&it)) => found.push(path),
            _ => {}
        }
    }
    found
}

/// The text with blanks for comments.
fn without_comments(text: &str) -> String {
    String::from_utf8_lossy(&blank(text).0).into_owned()
}

/// Returns the text between `start` and the next `end`, and the rest.
fn between<'a>(text: &'a str, start: &str, end: char) -> Option<(&'a str, &'a str)> {
    text.split_once(start)?.1.split_once(end)
}

type Found = Vec<(String, Option<Vec<Member>>)>;

/// Finds the structs declared as `CUVEC_STRUCT(Particle, pos, energy)`.
fn in_cpp(text: &str) -> Found {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((inside, more)) = between(rest, "CUVEC_STRUCT(", ')') {
        rest = more;
        let mut names = inside.split(',').map(str::trim);
        let name = names.next().unwrap_or_default();
        let members = members_in_cpp(text, name);
        let is_whole = |it: &Vec<Member>| it.iter().map(|it| it.name.as_str()).eq(names);
        found.push((name.to_owned(), members.filter(is_whole)));
    }
    found
}

fn members_in_cpp(text: &str, name: &str) -> Option<Vec<Member>> {
    let mut bodies = text.split("struct ").skip(1).filter_map(|it| {
        let body = it.trim_start().strip_prefix(name)?.trim_start();
        Some(body.strip_prefix('{')?.split_once('}')?.0)
    });
    let mut members = Vec::new();
    for line in bodies.next()?.split(';').map(str::trim) {
        if line.is_empty() {
            continue;
        }
        let mut parts = line.split(',');
        let (typed, first) = parts.next()?.trim().rsplit_once(char::is_whitespace)?;
        let dtype = dtype_in_cpp(typed.trim())?;
        for part in [first].into_iter().chain(parts) {
            let mut sizes = part.trim().split('[');
            let name = sizes.next()?.trim().to_owned();
            let size = |it: &str| it.trim().strip_suffix(']')?.trim().parse().ok();
            let shape = sizes.map(size).collect::<Option<_>>()?;
            members.push(Member { name, dtype, shape });
        }
    }
    Some(members)
}

/// The dtype of one number, by the name of its type in C++.
fn dtype_in_cpp(name: &str) -> Option<DType> {
    match c_types::dtype(name) {
        Some(Element::Dtype { dtype, count: 1 }) => Some(dtype),
        Some(_) => None,
        None => DType::named(name.trim_start_matches("cuvec::")), // the runtime's own
    }
}

/// Finds the structs declared as `structure! { pub struct Particle { … } }`.
fn in_rust(text: &str) -> Found {
    let mut found = Vec::new();
    for part in text.split("structure!").skip(1) {
        let Some((head, rest)) = part.split_once("struct ") else {
            continue;
        };
        let Some((name, rest)) = rest.split_once('{') else {
            continue;
        };
        let body = rest.split_once('}').map_or(rest, |(body, _)| body);
        let members = members_in_rust(body).filter(|_| head.trim_end().ends_with("pub"));
        found.push((name.trim().to_owned(), members));
    }
    found
}

fn members_in_rust(body: &str) -> Option<Vec<Member>> {
    let lines = body.split(',').map(str::trim).filter(|it| !it.is_empty());
    let member = |line: &str| {
        let (name, typed) = line.split_once(':')?;
        let name = name.trim().trim_start_matches("pub ").trim().to_owned();
        let typed = typed.trim().trim_start_matches('[');
        let mut parts = typed.split(';').map(str::trim);
        let dtype = DType::named(parts.next()?)?;
        let size = |it: &str| it.strip_suffix(']')?.trim().parse().ok();
        let mut shape: Vec<i64> = parts.map(size).collect::<Option<_>>()?;
        shape.reverse();
        Some(Member { name, dtype, shape })
    };
    lines.map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(found: Found) -> Vec<String> {
        let member = |it: &Member| format!("{} {}{:?}", it.dtype.numpy(), it.name, it.shape);
        let members = |it: Vec<Member>| it.iter().map(member).collect::<Vec<_>>().join(", ");
        found
            .into_iter()
            .map(|(name, it)| format!("{name}: {}", it.map_or("?".to_owned(), members)))
            .collect()
    }

    #[test]
    fn members_are_read_in_both_languages() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance/kernels");
        let read =
            |path: &str| without_comments(&fs::read_to_string(format!("{folder}/{path}")).unwrap());
        let both = [
            "Particle: float32 pos[3], float32 energy[], int32 id[]",
            "Grid3: float64 spacing[3], float32 rotation[2, 2], uint8 periodic[], int64 size[]",
        ];
        assert_eq!(shown(in_cpp(&read("cu/particle.cuh"))), both);
        assert_eq!(shown(in_rust(&read("rust/lib.rs"))), both);
    }

    #[test]
    fn what_is_not_understood_is_named_alone() {
        let cpp = "struct A { float x, y[2][3]; int n; }; CUVEC_STRUCT( A, x, y, n );\n\
                   struct B { float x = 0; };\nCUVEC_STRUCT(B, x);\n\
                   struct C { Vector x; }; CUVEC_STRUCT(C, x); // CUVEC_STRUCT(D, x);\n\
                   struct E { float x, y; }; /* CUVEC_STRUCT(F, x) */ CUVEC_STRUCT(E, x);";
        let found = shown(in_cpp(&without_comments(cpp)));
        let a = "A: float32 x[], float32 y[2, 3], int32 n[]";
        assert_eq!(found, [a, "B: ?", "C: ?", "E: ?"]);
        let rust = "structure! { pub struct A { pub x: [[f32; 3]; 2], n: i64 } } structure! { struct B { x: f32 } }";
        let found = shown(in_rust(rust));
        assert_eq!(found, ["A: float32 x[2, 3], int64 n[]", "B: ?"]);
    }
}
