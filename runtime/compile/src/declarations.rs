//! A file of kernels/, and its declarations.

use std::collections::BTreeSet;
use std::{fs, io};

use cuvec_declare::declaration::{Argument, Kind, Structure, Type};
use cuvec_declare::read::{self, Known};
use cuvec_declare::{Declaration, check};
use regex_lite::Regex;

use crate::body::Said;
use crate::pattern;
use crate::source::{Signature, signatures};

const INTEGERS: std::ops::RangeInclusive<i64> = i64::MIN..=i64::MAX;

pub struct File {
    pub path: String,
    pub text: String,
    structs: Vec<Structure>,
    /// True if it includes files in other folders, which only compilers know.
    is_partial: bool,
}

/// A fault, and where it is in the file.
pub struct Place {
    pub at: usize,
    pub problem: String,
}

type Declarations = Vec<(Signature, Declaration)>;

impl File {
    pub fn read(path: &str) -> io::Result<Self> {
        let named = |error| io::Error::other(format!("{path}: {error}"));
        let bytes = fs::read(path).map_err(named)?;
        let mut file = Self {
            path: path.to_owned(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            structs: Vec::new(),
            is_partial: false,
        };
        let mut names = BTreeSet::new();
        file.is_partial = !add_structs(path, &mut names, &mut BTreeSet::new());
        file.structs.extend(names.into_iter().map(structure));
        Ok(file)
    }

    pub fn name(&self) -> &str {
        self.path.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    /// The name that its function must have.
    pub fn stem(&self) -> &str {
        self.name().split('.').next().unwrap_or_default()
    }

    /// As compilers do: where it is, what is wrong, the line, and a mark.
    pub fn show(&self, place: &Place) {
        let before = &self.text[..place.at];
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        let (number, column) = (
            before.matches('\n').count() + 1,
            before[start..].chars().count(),
        );
        let line = self.text[start..].lines().next().unwrap_or_default();
        eprintln!(
            "{}:{number}:{}: error: {}",
            self.path,
            column + 1,
            place.problem
        );
        eprintln!("    {line}\n    {:column$}^", "");
    }

    /// The declaration of its function, or of its class and the methods.
    pub fn declarations(&self) -> Result<Declarations, Vec<Place>> {
        let found = signatures(&self.text);
        let is_class = self.text.contains("CUVEC_CLASS(");
        if found.read.is_empty() {
            let problem = match found.unread {
                Some(_) => {
                    "`signature` is no string here: the build reads it in the file, and knows no macros"
                }
                None => {
                    "no struct has a `signature`: write `static constexpr auto signature = \"name(x: inout float32(...))\";`"
                }
            };
            let at = found.unread.unwrap_or_default();
            return Err(vec![Place {
                at,
                problem: problem.to_owned(),
            }]);
        }
        let (mut read, mut faults) = (Declarations::new(), Vec::new());
        let count = if is_class { found.read.len() } else { 1 };
        for signature in found.read.into_iter().take(count) {
            let constructor = read.first().map(|(_, it)| it);
            match self.declaration(&signature.text, constructor) {
                Ok(declaration) => read.push((signature, declaration)),
                Err(fault) => {
                    let last = signature.places.len() - 1;
                    faults.push(Place {
                        at: signature.places[fault.at.min(last)],
                        problem: format!("{}; {}", fault.problem, fault.hint),
                    });
                    if read.is_empty() {
                        break; // methods need the constructor
                    }
                }
            }
        }
        if faults.is_empty() {
            Ok(read)
        } else {
            Err(faults)
        }
    }

    /// Reads one; a method knows the variables, the sizes and the integers of the constructor.
    fn declaration(
        &self,
        text: &str,
        constructor: Option<&Declaration>,
    ) -> Result<Declaration, cuvec_declare::Fault> {
        let sizes: Vec<_> = constructor.map(sizes_of).unwrap_or_default();
        let known = Known {
            structs: &self.structs,
            other_structs: self.is_partial,
            is_cpp: true,
            variables: constructor.map_or(&[], |it| &it.variables),
            sizes: &sizes,
        };
        let declaration = read::whole(text, &known)?;
        check(&declaration, &known, &INTEGERS)?;
        Ok(declaration)
    }

    /// What a compiler says of its function, or of a method of its class.
    pub fn explained(&self, said: &Said) -> Option<Place> {
        let found = self.declarations().ok()?;
        let (mut start, mut end, mut name, mut declaration) =
            (0, self.text.len(), found[0].1.name.clone(), &found[0].1);
        let method = said
            .method()
            .and_then(|it| Regex::new(&format!(r"struct +{it}\b")).ok());
        if let Some(method) = method.and_then(|it| it.find(&self.text)) {
            let next = |it: &&(Signature, Declaration)| it.0.end > method.end();
            declaration = &found.iter().find(next)?.1;
            name = format!("{name}.{}", declaration.name);
            start = method.start();
            end = self.text[method.end()..]
                .find("struct ")
                .map_or(end, |it| method.end() + it);
        }
        let text = &self.text[start..end];
        let head = |body: &str| Regex::new(&format!(r"[ *&\n]{body} *[(=]")).ok();
        let place = |body: &str| head(body)?.find(text).map(|it| it.start() + 1);
        let fault = said.fault(&name, declaration)?;
        let mut problem = fault.problem;
        for body in ["gpu", "cpu"] {
            if problem.contains("neither") && place(body).is_none() {
                problem += &format!("; there is no `{body}`");
            }
        }
        let at = start + place(&fault.place).unwrap_or_default();
        Some(Place { at, problem })
    }
}

/// What a size of a method may be called, because the constructor has it.
fn sizes_of(constructor: &Declaration) -> Vec<String> {
    let is_integer = |it: &&Argument| {
        it.kind == Kind::Number && matches!(it.dtype, Type::Fixed(dtype) if dtype.is_integer())
    };
    let integers = constructor
        .arguments
        .iter()
        .filter(is_integer)
        .map(|it| &*it.name);
    let sizes = constructor.dimensions().into_iter().chain(integers);
    sizes.map(str::to_owned).collect()
}

fn structure(name: String) -> Structure {
    Structure {
        name,
        members: Vec::new(),
        file: None,
    }
}

/// Adds the structs of CUVEC_STRUCT in a file, and in its includes; returns whether all of these are there.
fn add_structs(path: &str, names: &mut BTreeSet<String>, seen: &mut BTreeSet<String>) -> bool {
    if !seen.insert(path.to_owned()) {
        return true;
    }
    let Ok(bytes) = fs::read(path) else {
        return false;
    };
    let file = String::from_utf8_lossy(&bytes);
    let declared = pattern!(r"CUVEC_STRUCT\( *(\w+)").captures_iter(&file);
    names.extend(declared.map(|it| it[1].to_owned()));
    let folder = &path[..path.rfind(['/', '\\']).map_or(0, |it| it + 1)];
    let mut are_there = true;
    for included in pattern!(r#"#include "([^"]+)""#).captures_iter(&file) {
        are_there &= add_structs(&format!("{folder}{}", &included[1]), names, seen);
    }
    are_there
}
