//! The stub of declared functions, for type checkers.

use std::fmt::Write;

use crate::argument::{Argument, Role};
use crate::dtype::DType;
use crate::spec::Spec;

const HEAD: &str = "\
# Written by the build, from the declarations in kernels/.

from typing import Any, SupportsComplex, SupportsFloat, SupportsIndex, TypeVar, overload

from .array import CuVec

_Out = TypeVar(\"_Out\")

";

/// The text of `functions.pyi`.
#[must_use]
pub fn stub<'a>(functions: impl IntoIterator<Item = &'a Spec>) -> String {
    let mut names = Vec::new();
    let mut body = String::new();
    for spec in functions {
        names.push(format!("\"{}\"", spec.name));
        add(&mut body, spec);
    }
    format!("{HEAD}__all__ = [{}]\n\n{body}", names.join(", "))
}

fn add(body: &mut String, spec: &Spec) {
    let begin = format!("def {}({}", spec.name, parameters(spec));
    let end = "stream: object = None) ->";
    // writing to a String cannot fail
    let _ = match spec.results() {
        [] => writeln!(body, "{begin}{end} None: ..."),
        results => {
            let (returned, out) = returned(spec, results);
            writeln!(
                body,
                "@overload\n{begin}out: None = None, {end} {returned}: ...\n\
                 @overload\n{begin}out: {out}, {end} {out}: ..."
            )
        }
    };
}

/// What Python takes, and gives, for a number of a dtype: the wider the later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Bool,
    Integer,
    Float,
    Complex,
}

impl Kind {
    fn of(dtype: DType) -> Self {
        match dtype.kind() {
            'b' => Self::Bool,
            'f' => Self::Float,
            'c' => Self::Complex,
            _ => Self::Integer,
        }
    }

    /// That of the widest dtype that an argument can have.
    fn widest(spec: &Spec, argument: &Argument) -> Self {
        let dtypes = spec.dtypes_of(argument).iter();
        dtypes
            .map(|dtype| Self::of(*dtype))
            .max()
            .unwrap_or(Self::Float)
    }

    fn given(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Integer => "SupportsIndex",
            Self::Float => "SupportsFloat | SupportsIndex",
            Self::Complex => "SupportsComplex | SupportsFloat | SupportsIndex",
        }
    }

    fn returned(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Integer => "int",
            Self::Float => "float",
            Self::Complex => "complex",
        }
    }
}

fn parameters(spec: &Spec) -> String {
    let mut text = String::new();
    let mut by_name = false;
    for argument in spec.parameters() {
        if argument.keyword_only && !by_name {
            text += "*, ";
            by_name = true;
        }
        let kind = match argument.role {
            Role::Scalar => Kind::widest(spec, argument).given(),
            _ => "object",
        };
        let default = argument.default_text();
        let default = default.map_or_else(String::new, |default| format!(" = {default}"));
        let _ = write!(text, "{}: {kind}{default}, ", argument.name);
    }
    if !by_name {
        text += "*, ";
    }
    text
}

/// What a call returns without `out`, and the type of `out`.
fn returned(spec: &Spec, results: &[Argument]) -> (String, &'static str) {
    let one = |result: &Argument| match result.is_number {
        true => Kind::widest(spec, result).returned(),
        false => "CuVec",
    };
    match results {
        [result] => (one(result).to_owned(), "_Out"),
        _ => {
            let all: Vec<_> = results.iter().map(one).collect();
            (format!("tuple[{}]", all.join(", ")), "tuple[Any, ...]")
        }
    }
}
