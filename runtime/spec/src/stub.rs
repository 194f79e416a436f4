//! The stub of declared functions, for type checkers.

use std::fmt::Write;
use std::mem;

use crate::argument::{Argument, Role};
use crate::dtype::DType;
use crate::spec::Spec;

const HEAD: &str = "\
# Written by the build, from the declarations in kernels/.

from collections.abc import Iterable
from typing import (
    Any,
    Generic,
    Literal,
    NamedTuple,
    Protocol,
    SupportsComplex,
    SupportsFloat,
    SupportsIndex,
    TypeVar,
    overload,
)

from .array import CuVec
from .classes import State as _State

class _Tensor(Protocol):  # of PyTorch
    requires_grad: bool

class _CuPyArray(Protocol):
    def get(self) -> Any: ...

class _JaxArray(Protocol):
    def addressable_data(self, index: int, /) -> Any: ...

_Array = TypeVar(\"_Array\", bound=_Tensor | _CuPyArray | _JaxArray)
_Out = TypeVar(\"_Out\")
_New = TypeVar(\"_New\")

";

/// The text of `functions.pyi`.
#[must_use]
pub fn stub<'a>(functions: impl IntoIterator<Item = &'a Spec>) -> String {
    let mut names = Vec::new();
    let mut body = String::new();
    for spec in functions {
        names.push(format!("\"{}\"", spec.name));
        let methods = spec.class.map_or(&[][..], |class| class.methods);
        for made in methods.iter().chain([spec]) {
            if let Some(name) = made.result_type() {
                add_result_type(&mut body, &name, made);
            }
        }
        match spec.class {
            Some(_) => add_class(&mut body, spec, methods),
            None => add(&mut body, spec),
        }
    }
    format!("{HEAD}__all__ = [{}]\n\n{body}", names.join(", "))
}

/// The named tuple of several results.
fn add_result_type(body: &mut String, name: &str, spec: &Spec) {
    let generic = if has_arrays(spec) {
        ", Generic[_New]"
    } else {
        ""
    };
    let _ = writeln!(body, "class {name}(NamedTuple{generic}):");
    for result in spec.results() {
        let kind = match result.is_number {
            true => Kind::widest(spec, result).returned(),
            false => "_New",
        };
        let ignore = match result.name {
            "count" | "index" => "  # type: ignore[assignment]", // methods of a tuple
            _ => "",
        };
        let _ = writeln!(body, "    {}: {kind}{ignore}", result.name);
    }
    body.push('\n');
}

fn has_arrays(spec: &Spec) -> bool {
    spec.results().iter().any(|it| !it.is_number)
}

fn add_class(body: &mut String, constructor: &Spec, methods: &[Spec]) {
    let _ = writeln!(body, "class {}(_State):", constructor.name);
    let parameters = parameters(constructor, "object");
    let mut members =
        format!("def __init__(self, {parameters}stream: object = None) -> None: ...\n");
    methods.iter().for_each(|method| add(&mut members, method));
    for line in members.lines() {
        let _ = writeln!(body, "    {line}");
    }
    body.push('\n');
}

fn add(body: &mut String, spec: &Spec) {
    let own = if spec.name.contains('.') {
        "self, "
    } else {
        ""
    };
    let head = format!("def {}({own}", spec.own_name());
    let begin = format!("{head}{}", parameters(spec, "object"));
    let end = "stream: object = None) ->";
    // writing to a String cannot fail
    let _ = match spec.results() {
        [] => writeln!(body, "{begin}{end} None: ..."),
        results => {
            if returns_arrays_of_callers(spec) {
                let begin = format!("{head}{}", parameters(spec, "_Array"));
                let (returned, _) = returned(spec, results, "_Array");
                let _ = writeln!(
                    body,
                    "@overload\n{begin}out: None = None, {end} {returned}: ...  \
                     # type: ignore[overload-overlap]"
                );
            }
            let (returned, out) = returned(spec, results, "CuVec");
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
        let dtypes = spec.dtypes_of(argument);
        dtypes
            .iter()
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

/// Whether results are of the library that the first array is of.
fn returns_arrays_of_callers(spec: &Spec) -> bool {
    let is_given = |it: &Argument| it.role != Role::Scalar && !it.is_optional;
    let takes_arrays = spec.parameters().iter().any(is_given);
    takes_arrays && has_arrays(spec)
}

/// The parameters; the first array is of type `first`.
fn parameters(spec: &Spec, first: &str) -> String {
    let mut text = String::new();
    let mut by_name = false;
    let mut array = first;
    for argument in spec.parameters() {
        if argument.keyword_only && !by_name {
            text += "*, ";
            by_name = true;
        }
        let kind = match argument.role {
            _ if !argument.choices.is_empty() => &literal(argument),
            Role::Scalar if argument.items > 0 => {
                &format!("Iterable[{}]", Kind::widest(spec, argument).given())
            }
            Role::Scalar => Kind::widest(spec, argument).given(),
            _ if argument.is_optional => "object | None",
            _ => mem::replace(&mut array, "object"),
        };
        let default = argument.default_literal();
        let default = default.map_or_else(String::new, |default| format!(" = {default}"));
        let _ = write!(text, "{}: {kind}{default}, ", argument.name);
    }
    if !by_name {
        text += "*, ";
    }
    text
}

/// The type of an option.
fn literal(argument: &Argument) -> String {
    format!("Literal[{}]", argument.choices_text(", ", ", "))
}

/// What a call returns without `out`, whose new arrays are of type `new`, and the type of `out`.
fn returned(spec: &Spec, results: &[Argument], new: &'static str) -> (String, String) {
    let one = |result: &Argument| match result.is_number {
        true => Kind::widest(spec, result).returned(),
        false => new,
    };
    match results {
        [result] => (one(result).to_owned(), "_Out".to_owned()),
        _ => {
            let all: Vec<_> = results.iter().map(one).collect();
            let out = "tuple[Any, ...]".to_owned();
            match spec.result_type() {
                Some(name) if has_arrays(spec) => (format!("{name}[{new}]"), out),
                Some(name) => (name, out),
                None => (format!("tuple[{}]", all.join(", ")), out),
            }
        }
    }
}
