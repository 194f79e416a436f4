//! The stub of declared functions, for type checkers.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::argument::{Argument, Role, Type};
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
    TypeAlias,
    TypeVar,
    overload,
)

import numpy as np

from .array import CuVec
from .classes import State as _State

class _TorchDType(Protocol):
    @property
    def is_floating_point(self) -> bool: ...

_DType: TypeAlias = np.dtype[Any] | type[np.generic] | _TorchDType

_Record: TypeAlias = dict[str, Any] | np.void | np.ndarray[Any, np.dtype[np.void]]

class _Tensor(Protocol):  # of PyTorch
    requires_grad: bool

class _CuPyArray(Protocol):
    def get(self) -> Any: ...

class _JaxArray(Protocol):
    def addressable_data(self, index: int, /) -> Any: ...

class _DaskArray(Protocol):
    def rechunk(self, *args: Any, **kwargs: Any) -> Any: ...

_Array = TypeVar(\"_Array\", bound=_Tensor | _CuPyArray | _JaxArray | _DaskArray)
_Out = TypeVar(\"_Out\")
_New = TypeVar(\"_New\")

";

/// A function, or a class with its methods, and their docstrings.
pub struct Shown<'a> {
    pub spec: &'a Spec,
    pub docstring: String,
    /// Without what depends on how it is called, as for [`adapter_stub`](crate::adapter_stub).
    pub description: String,
    pub methods: Vec<Self>,
}

/// The text of `functions.pyi`.
#[must_use]
pub fn stub(functions: &[Shown<'_>]) -> String {
    let mut names = Vec::new();
    let (mut body, mut structs) = (String::new(), BTreeSet::new());
    for shown in functions {
        names.push(format!("\"{}\"", shown.spec.name));
        for made in shown.methods.iter().chain([shown]) {
            structs.extend(made.spec.arguments.iter().filter_map(struct_of));
            if let Some(name) = made.spec.result_type() {
                add_result_type(&mut body, &name, made.spec);
            }
        }
        match shown.spec.class {
            Some(_) => add_class(&mut body, shown),
            None => add(&mut body, shown),
        }
    }
    let mut head = HEAD.to_owned();
    for structure in structs {
        names.push(format!("\"{structure}\""));
        let _ = writeln!(head, "{structure}: np.dtype[np.void]\n");
    }
    format!("{head}__all__ = [{}]\n\n{body}", names.join(", "))
}

/// The name of the struct that an argument is, or an array of.
pub(crate) fn struct_of(argument: &Argument) -> Option<&'static str> {
    match argument.dtype {
        Type::Fixed(dtype) => dtype.structure().map(|it| it.name),
        Type::Variable(_) | Type::Real(_) => None,
    }
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
        add_field(body, result.name, kind);
    }
    body.push('\n');
}

/// A field of a named tuple.
pub(crate) fn add_field(body: &mut String, name: &str, kind: &str) {
    let ignore = match name {
        "count" | "index" => "  # type: ignore[assignment, unused-ignore]", // methods of a tuple
        _ => "",
    };
    let _ = writeln!(body, "    {name}: {kind}{ignore}");
}

fn has_arrays(spec: &Spec) -> bool {
    spec.results().iter().any(|it| !it.is_number)
}

fn add_class(body: &mut String, shown: &Shown<'_>) {
    let (constructor, docstring) = (shown.spec, statement(&shown.docstring));
    let _ = writeln!(body, "class {}(_State):\n{docstring}", constructor.name);
    let parameters = parameters(constructor, None);
    let mut members =
        format!("def __init__(self, {parameters}stream: object = None) -> None: ...\n");
    shown.methods.iter().for_each(|it| add(&mut members, it));
    for line in members.lines() {
        let indent = if line.is_empty() { "" } else { "    " };
        let _ = writeln!(body, "{indent}{line}");
    }
    body.push('\n');
}

fn add(body: &mut String, shown: &Shown<'_>) {
    let (spec, docstring) = (shown.spec, statement(&shown.docstring));
    let own = if spec.name.contains('.') {
        "self, "
    } else {
        ""
    };
    let head = format!("def {}({own}", spec.own_name());
    let begin = format!("{head}{}", parameters(spec, None));
    let end = "stream: object = None) ->";
    // writing to a String cannot fail
    let _ = match spec.results() {
        [] => writeln!(body, "{begin}{end} None:\n{docstring}"),
        results => {
            // The first array that is of a library comes after others, of which it does not matter what they are.
            for first in arrays_of_callers(spec) {
                let begin = format!("{head}{}", parameters(spec, Some(first)));
                let (returned, _) = returned(spec, results, "_Array");
                let _ = writeln!(
                    body,
                    "@overload\n{begin}out: None = None, {end} {returned}:  \
                     # type: ignore[overload-overlap]\n{docstring}"
                );
            }
            let (returned, out) = returned(spec, results, "CuVec");
            writeln!(
                body,
                "@overload\n{begin}out: None = None, {end} {returned}:\n{docstring}\n\
                 @overload\n{begin}out: {out}, {end} {out}:\n{docstring}"
            )
        }
    };
}

/// A docstring as the body of a function.
pub(crate) fn statement(docstring: &str) -> String {
    let text = docstring
        .replace('\\', "\\\\")
        .replace("\"\"\"", "\\\"\\\"\\\"");
    let text = text.replace('\n', "\n    ").replace("\n    \n", "\n\n");
    format!("    \"\"\"{text}\n    \"\"\"")
}

/// Python types for a number of a dtype, as an argument and as a result: the wider the later.
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

    /// Returns the kind of the widest dtype that an argument can have.
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

/// The places of arrays whose library results may be of: the first that is of one.
fn arrays_of_callers(spec: &Spec) -> impl Iterator<Item = usize> {
    let is_given = |it: &Argument| it.role != Role::Scalar && !it.is_optional;
    let parameters = spec.parameters().iter().enumerate();
    let given = parameters.filter(move |(_, argument)| has_arrays(spec) && is_given(argument));
    given.map(|(place, _)| place)
}

/// The parameters; the array at this place is of a library.
fn parameters(spec: &Spec, of_library: Option<usize>) -> String {
    let mut text = String::new();
    let mut by_name = false;
    for (place, argument) in spec.parameters().iter().enumerate() {
        if argument.keyword_only && !by_name {
            text += "*, ";
            by_name = true;
        }
        let kind = match argument.role {
            Role::Scalar => &scalar(spec, argument),
            _ if argument.is_optional => "object | None",
            _ if of_library == Some(place) => "_Array",
            _ => "object",
        };
        add_parameter(&mut text, argument, kind);
    }
    if !by_name {
        text += "*, ";
    }
    text
}

pub(crate) fn add_parameter(text: &mut String, argument: &Argument, kind: &str) {
    let default = argument.default_literal();
    let default = default.map_or_else(String::new, |default| format!(" = {default}"));
    let _ = write!(text, "{}: {kind}{default}, ", argument.name);
}

/// The type of a number, a tuple of numbers, a struct or an option.
pub(crate) fn scalar(spec: &Spec, argument: &Argument) -> String {
    let number = Kind::widest(spec, argument).given();
    match () {
        () if argument.chooses.is_some() => format!("{} | _DType", literal(argument)),
        () if !argument.choices.is_empty() => literal(argument),
        () if argument.items > 0 => format!("Iterable[{number}]"),
        () if struct_of(argument).is_some() => "_Record".to_owned(),
        () => number.to_owned(),
    }
}

/// The type of an option.
fn literal(argument: &Argument) -> String {
    format!("Literal[{}]", argument.choices_text(", ", ", "))
}

/// Returns the type of a result without `out`, whose new arrays have type `new`, and of `out`.
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
