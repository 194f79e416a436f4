//! A struct that a declaration names: `Particle(pos: float32(3), energy: float32, id: int32)`.

use cuvec_declare::declaration::{Argument, Kind, Member, Structure};
use cuvec_declare::read;

use super::declaration::Declaration;
use super::language::Language;
use super::layout::{aligned, listed};
use super::names;
use crate::error::{Error, Result};

/// The limits of the runtime.
const MEMBERS: usize = 24;
const MAX_RANK: usize = 7;

const EXAMPLE: &str = "such as 'Particle(pos: float32(3), energy: float32, id: int32)'";

pub fn all(given: &[String], language: &Language) -> Result<Vec<Structure>> {
    let mut found: Vec<Structure> = Vec::new();
    for text in given {
        let structure = read::structure(text).map_err(|it| {
            let hint = if it.hint == read::EXAMPLE {
                EXAMPLE
            } else {
                &it.hint
            };
            Error::option("--struct", format!("is wrong: {}", it.problem), hint)
        })?;
        if found.iter().any(|it| it.name == structure.name) {
            let problem = format!("declares `{}` twice", structure.name);
            return Err(Error::option("--struct", problem, "remove one of them"));
        }
        check(&structure, language)?;
        found.push(structure);
    }
    Ok(found)
}

fn check(structure: &Structure, language: &Language) -> Result<()> {
    let refused = |problem, hint: &str| Err(Error::option("--struct", problem, hint));
    if let Some(reason) = names::of_struct(&structure.name) {
        let problem = format!("cannot declare `{}`: {reason}", structure.name);
        return refused(problem, "choose another name");
    }
    if structure.members.len() > MEMBERS {
        let problem = format!("has more than {MEMBERS} members");
        return refused(problem, "let several be an array");
    }
    for (place, member) in structure.members.iter().enumerate() {
        let Member { name, dtype, shape } = member;
        if let Some(reason) = names::of_argument(name) {
            let problem = format!("has the member `{name}`: {reason}");
            return refused(problem, "choose another name");
        }
        if structure.members[..place].iter().any(|it| it.name == *name) {
            let problem = format!("has the member `{name}` twice");
            return refused(problem, "give each a name of its own");
        }
        if dtype.is_extension() || dtype.is_bool() && !language.structs_have_bool {
            let problem = format!("has the member `{name}` of {}", dtype.numpy());
            let hint = match dtype.is_bool() {
                true => "kernels in Rust take any byte: let it be an uint8",
                false => "members are of the dtypes that NumPy has by itself",
            };
            return refused(problem, hint);
        }
        if shape.len() > MAX_RANK || shape.contains(&0) {
            let problem = format!("has the member `{name}` of a wrong shape");
            return refused(problem, "it has at most 7 dimensions, and no size of 0");
        }
    }
    Ok(())
}

/// The struct in CUDA C++; nothing of one that a header has.
pub fn cpp(structure: &Structure) -> String {
    if structure.file.is_some() {
        return String::new();
    }
    let mut text = format!("struct {} {{\n", structure.name);
    for Member { name, dtype, shape } in &structure.members {
        let sizes: String = shape.iter().map(|it| format!("[{it}]")).collect();
        text += &format!("  {} {name}{sizes};\n", dtype.cpp());
    }
    let names = structure.members.iter().map(|it| it.name.clone());
    let names: Vec<_> = [structure.name.clone()].into_iter().chain(names).collect();
    text + "};\n" + &aligned(0, "CUVEC_STRUCT", &names, ";") + "\n\n"
}

/// The struct in Rust; nothing of one that `lib.rs` has.
pub fn rust(structure: &Structure) -> String {
    if structure.file.is_some() {
        return String::new();
    }
    let mut text = format!(
        "structure! {{\n    /// Say here what it is.\n    pub struct {} {{\n",
        structure.name
    );
    for Member { name, dtype, shape } in &structure.members {
        let array = |inner: String, size: &i64| format!("[{inner}; {size}]");
        let typed = shape.iter().rev().fold(dtype.rust().to_owned(), array);
        text += &format!("        {name}: {typed},\n");
    }
    text + "    }\n}\n\n"
}

/// The lines of a test that fill an array of it.
pub fn filled(structure: &Structure, array: &str) -> Vec<String> {
    let line = |Member { name, dtype, .. }: &Member| {
        let member = format!("{array}[\"{name}\"]");
        let real = format!("rng.standard_normal({member}.shape)");
        let values = match dtype.is_inexact() {
            true => real,
            false => format!(
                "rng.integers(0, {}, {member}.shape)",
                if dtype.is_bool() { 2 } else { 10 }
            ),
        };
        format!("{member} = {values}")
    };
    structure.members.iter().map(line).collect()
}

/// The line of a test that gives it a value.
pub fn value(structure: &Structure, name: &str) -> String {
    let of_member = |Member { name, dtype, shape }: &Member| {
        let number = if dtype.is_bool() { "True" } else { "2" };
        let value = match &shape[..] {
            [] => number.to_owned(),
            [one] => format!("[{number}] * {one}"),
            all => {
                let sizes: Vec<_> = all.iter().map(ToString::to_string).collect();
                format!("np.full(({}), {number})", sizes.join(", "))
            }
        };
        format!("\"{name}\": {value}")
    };
    let members = structure.members.iter().map(of_member);
    listed(4, &format!("{name} = "), "{", members, "}")
}

impl Declaration {
    /// The lines that include the headers of its structs.
    pub fn includes(&self) -> String {
        let mut files: Vec<_> = self
            .structs
            .iter()
            .filter_map(|it| it.file.as_ref())
            .collect();
        files.sort_unstable();
        files.dedup();
        let lines: String = files
            .iter()
            .map(|it| format!("#include \"{it}\"\n"))
            .collect();
        if lines.is_empty() {
            lines
        } else {
            lines + "\n"
        }
    }

    /// The line that names the structs of `lib.rs`.
    pub fn uses(&self) -> String {
        let shared = self.structs.iter().filter(|it| it.file.is_some());
        let mut names: Vec<_> = shared.map(|it| it.name.as_str()).collect();
        names.sort_unstable();
        match names.as_slice() {
            [] => String::new(),
            [one] => format!("use super::lib::{one};\n"),
            _ => format!("use super::lib::{{{}}};\n", names.join(", ")),
        }
    }

    /// Checks whether the test of it makes arrays of a struct.
    pub fn names_in_test(&self, structure: &Structure) -> bool {
        let of_arrays = self.arguments.iter().filter(|it| it.is_array());
        let mut types = of_arrays
            .map(|it| it.dtype)
            .chain(self.results.iter().map(|it| it.dtype));
        types.any(|it| self.structure(it) == Some(structure))
    }

    /// The struct of an argument that is passed by value.
    pub fn by_value(&self, argument: &Argument) -> Option<&Structure> {
        self.structure(argument.dtype)
            .filter(|_| argument.kind == Kind::Number)
    }
}
