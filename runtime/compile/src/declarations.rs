//! A file of kernels/, and its declarations.

use std::collections::BTreeSet;
use std::ops::Range;
use std::{fs, io};

use cuvec_declare::declaration::Structure;
use cuvec_declare::read::Known;
use cuvec_declare::{Declaration, checked};
use regex_lite::Regex;

use crate::compiler_output::CompilerOutput;
use crate::pattern;
use crate::source::{Signature, signatures};

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
        let text = text_of(path).map_err(named)?;
        let (mut names, mut seen) = (BTreeSet::new(), BTreeSet::from([path.to_owned()]));
        let are_there = add_structs(path, &text, &mut names, &mut seen);
        Ok(Self {
            path: path.to_owned(),
            text,
            structs: names.into_iter().map(Structure::named).collect(),
            is_partial: !are_there,
        })
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

    fn declaration(
        &self,
        text: &str,
        constructor: Option<&Declaration>,
    ) -> Result<Declaration, cuvec_declare::Fault> {
        let known = Known {
            structs: &self.structs,
            other_structs: self.is_partial,
            is_cpp: true,
            ..Known::default()
        };
        checked(text, known, constructor)
    }

    /// The first fault in what a compiler says of its function, or of a method of its class.
    pub fn explained(&self, said: &CompilerOutput) -> Option<Place> {
        let found = self.declarations().ok()?;
        let (code, name, declaration) = self.subject(&found, said)?;
        let text = &self.text[code.clone()];
        let head = |body: &str| Regex::new(&format!(r"[ *&\n]{body} *[(=]")).ok();
        let place = |body: &str| head(body)?.find(text).map(|it| it.start() + 1);
        let mut fault = said.fault(&name, declaration)?;
        for body in ["gpu", "cpu"] {
            if fault.problem.contains("neither") && place(body).is_none() {
                fault.problem += &format!("; there is no `{body}`");
            }
        }
        Some(Place {
            at: code.start + place(&fault.place).unwrap_or_default(),
            problem: fault.problem,
        })
    }

    /// The part of the file that a compiler's first error is about, its name, and its declaration.
    fn subject<'a>(
        &self,
        found: &'a Declarations,
        said: &CompilerOutput,
    ) -> Option<(Range<usize>, String, &'a Declaration)> {
        let (_, function) = found.first()?;
        let of_method = |it: &str| {
            Regex::new(&format!(r"struct +{it}\b"))
                .ok()?
                .find(&self.text)
        };
        let Some(head) = said.method().and_then(of_method) else {
            return Some((0..self.text.len(), function.name.clone(), function));
        };
        let (_, method) = found.iter().find(|(it, _)| it.end > head.end())?;
        let next = self.text[head.end()..].find("struct ");
        let end = next.map_or(self.text.len(), |it| head.end() + it);
        let name = format!("{}.{}", function.name, method.name);
        Some((head.start()..end, name, method))
    }
}

fn text_of(path: &str) -> io::Result<String> {
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}

/// Adds the structs of CUVEC_STRUCT in a file, and in its includes; returns whether all of these are there.
fn add_structs(
    path: &str,
    text: &str,
    names: &mut BTreeSet<String>,
    seen: &mut BTreeSet<String>,
) -> bool {
    let declared = pattern!(r"CUVEC_STRUCT\( *(\w+)").captures_iter(text);
    names.extend(declared.map(|it| it[1].to_owned()));
    let folder = &path[..path.rfind(['/', '\\']).map_or(0, |it| it + 1)];
    let mut are_there = true;
    for included in pattern!(r#"#include "([^"]+)""#).captures_iter(text) {
        let path = format!("{folder}{}", &included[1]);
        if seen.insert(path.clone()) {
            are_there &= text_of(&path).is_ok_and(|text| add_structs(&path, &text, names, seen));
        }
    }
    are_there
}
