//! The message in one line about a function whose body does not go with its signature.

use cuvec_declare::Declaration;
use cuvec_declare::dtype::DTYPES;
use cuvec_declare::signature::{arguments, results};

use crate::pattern;

/// Message of an error, and where to look: the pattern of a name in the file.
pub struct Fault {
    pub problem: String,
    pub place: String,
}

/// The first thing that the headers say in the output of a compiler: GCC, clang or nvcc.
pub struct CompilerOutput<'a>(pub &'a str);

impl CompilerOutput<'_> {
    /// The method that the first error is about, unless that is a function or a constructor.
    pub fn method(&self) -> Option<&str> {
        let first = self.0.find("error").unwrap_or(self.0.len());
        let line = self.0[first..]
            .find('\n')
            .map_or(self.0.len(), |it| first + it);
        let end = self.0[line..]
            .find("error")
            .map_or(self.0.len(), |it| line + it);
        let found = pattern!(r"Method<[^\n]*?::(\w+)>").captures(&self.0[..end])?;
        found.get(1).map(|it| it.as_str())
    }

    /// The fault of the function of this name; none if something else comes first, of which that may be a consequence.
    pub fn fault(&self, name: &str, declaration: &Declaration) -> Option<Fault> {
        let first = pattern!(r"error: [^\n]*").find(self.0)?;
        if !pattern!(r"cuvec:|WrongType<").is_match(first.as_str()) {
            return None;
        }
        let body = self.body();
        let declared: Vec<_> = [arguments(declaration), results(declaration)].concat();
        let declared: Vec<_> = declared.into_iter().filter(|it| it != "*").collect();
        if let Some((number, has, must)) = self.wrong_type() {
            let in_signature = match declared.get(number - 1) {
                Some(it) => format!("`{it}` in the signature must be"),
                None => "must be".to_owned(),
            };
            let problem = format!(
                "{name}: parameter {number} of `{body}` is `{}`, but {in_signature} `{}`",
                shown(has),
                shown(must)
            );
            return Some(Fault {
                problem,
                place: body.to_owned(),
            });
        }
        let said = pattern!(r#"error.*cuvec: (.*[^'"\n\r])"#).captures(self.0)?;
        if said[1].contains("another number of parameters") {
            let colon = if declared.is_empty() { "" } else { ": " };
            let problem = format!(
                "{name}: `{body}` has another number of parameters than its signature, which has {}{colon}{}",
                declared.len(),
                declared.join("; ")
            );
            return Some(Fault {
                problem,
                place: body.to_owned(),
            });
        }
        // As it is in the headers, of this function; nvcc has no letters beyond C.
        let text = pattern!(r"\?(\w+)\?").replace_all(&said[1], "`${1}`");
        let text = pattern!(r"(?:function F|class C)\b").replace_all(&text, name);
        let problem = match text.contains(name) {
            true => text.into_owned(),
            false => format!("{name}: {text}"),
        };
        Some(Fault {
            problem,
            place: "CUVEC_(EXPORT|CLASS)".to_owned(),
        })
    }

    /// The number of a parameter, from 1 on, its type, and the one that it must have.
    fn wrong_type(&self) -> Option<(usize, &str, &str)> {
        // nvcc has names for types in its first line, and types in another one.
        let instance = pattern!(
            r"Agrees<F, I, Written, Expected> \[with F=.*, I=(\d+), Written=(.*), Expected=(.*)\]"
        );
        let of_names = pattern!(
            r"Parameter<(\d+)>, (?:cuvec::detail::)?Has<(.*)> ?, (?:cuvec::detail::)?MustHave<(.*)> ?>"
        );
        let (first, found) = match instance.captures(self.0) {
            Some(found) => (1, found),
            None => (0, of_names.captures(self.0)?),
        };
        let number = found[1].parse::<usize>().ok()? + first;
        Some((number, found.get(2)?.as_str(), found.get(3)?.as_str()))
    }

    /// The body that the compiler was at.
    fn body(&self) -> &str {
        let erased = pattern!(r"Erased<[^\n]*>::(cpu|gpu)['(]").captures(self.0);
        match erased.and_then(|it| it.get(1)) {
            _ if self.0.contains("agree_each") => "each",
            _ if self.0.contains("agree_row") => "row",
            _ if self.0.contains("run_passes") => "passes",
            Some(body) => body.as_str(),
            None => "a body",
        }
    }
}

/// A type as kernels are written: `In<T, 2>`.
fn shown(written: &str) -> String {
    let words = [
        (pattern!(r"cuvec::(?:detail::)?"), ""),
        (pattern!(r"complex<float>"), "complex64"),
        (pattern!(r"complex<double>"), "complex128"),
        (pattern!(r"unsigned char"), "uint8"),
        (pattern!(r"signed char"), "int8"),
        (pattern!(r"short unsigned int|unsigned short"), "uint16"),
        (pattern!(r"short int|\bshort\b"), "int16"),
        (pattern!(r"long unsigned int|unsigned long"), "uint64"),
        (pattern!(r"unsigned int"), "uint32"),
        (pattern!(r"long int|\blong\b"), "int64"),
        (pattern!(r"> *>"), ">>"),
        (pattern!(r", Contiguous"), ""),
        (pattern!(r"View<const ([^>]*)>"), "In<${1}>"),
        (pattern!(r"View<([^>]*)>"), "Out<${1}>"),
        (pattern!(r"((?:In|Out)<[^>,]*), 1>"), "${1}>"),
    ];
    let mut shown = written.to_owned();
    for (it, row) in DTYPES
        .iter()
        .filter_map(|row| Some((row.small_float?, row)))
    {
        let (exponent, fraction, has_infinity) = (it.exponent, it.fraction, it.has_infinity);
        let class = format!("small_float<{exponent}, {fraction}, {has_infinity}>");
        shown = shown.replace(&class, row.numpy);
    }
    for (word, other) in words {
        shown = word.replace_all(&shown, other).into_owned();
    }
    shown.trim_end().to_owned()
}
