//! The stubs of declared functions on arrays of PyTorch and JAX, for type checkers.

use std::fmt::Write;

use crate::argument::{Argument, Role};
use crate::spec::Spec;
use crate::stub::{Shown, add_field, add_parameter, scalar, statement, struct_of};

/// Whose arrays the functions take and return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adapter {
    Torch,
    Jax,
}

// PyTorch and JAX need not be installed where a package is looked at.
const TORCH: &str = "\
import torch as _torch  # type: ignore[import-not-found, unused-ignore]

from ..functions import _DType, _Record
";
const JAX: &str = "\
import jax as _jax  # type: ignore[import-not-found, unused-ignore]

from ..functions import _DType, _Record
";

impl Adapter {
    /// The folder of the adapter, which has `functions.pyi`.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Torch => "torch",
            Self::Jax => "jax",
        }
    }

    const fn head(self) -> &'static str {
        match self {
            Self::Torch => TORCH,
            Self::Jax => JAX,
        }
    }

    /// The name that its module has besides the functions, and where from.
    const fn imported(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Torch => Some(("register_autograd", "operators")),
            Self::Jax => None,
        }
    }

    /// The type of an array that is passed: JAX converts arrays of others.
    const fn given(self) -> &'static str {
        match self {
            Self::Torch => self.array(),
            Self::Jax => "object",
        }
    }

    const fn array(self) -> &'static str {
        match self {
            Self::Torch => "_torch.Tensor",
            Self::Jax => "_jax.Array",
        }
    }

    /// As the module decides it, in Python.
    fn has(self, spec: &Spec) -> bool {
        let is_array = |it: &&Argument| it.role != Role::Scalar;
        let mut arrays = spec.arguments.iter().filter(is_array);
        let of_struct = arrays.clone().any(|it| struct_of(it).is_some());
        let is_found = arrays.clone().any(|it| it.at_most);
        spec.class.is_none()
            && arrays.any(|it| it.role.is_written())
            && !of_struct
            && !(is_found && self == Self::Jax)
    }
}

/// The text of `functions.pyi` of an adapter.
#[must_use]
pub fn adapter_stub(adapter: Adapter, functions: &[Shown<'_>]) -> String {
    let functions: Vec<_> = functions.iter().filter(|it| adapter.has(it.spec)).collect();
    let mut names: Vec<_> = functions.iter().map(|it| it.spec.name).collect();
    let mut body = String::new();
    let mut head = adapter.head().to_owned();
    if let Some((name, module)) = adapter.imported()
        && !names.contains(&name)
    {
        let _ = writeln!(head, "from .{module} import {name} as {name}");
        names.insert(0, name);
    }
    let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
    functions.iter().for_each(|it| add(&mut body, adapter, it));
    format!(
        "# Written by the build, from the declarations in kernels/.\n\n\
         from collections.abc import Iterable\n\
         from typing import (\n    \
             Any,\n    Literal,\n    NamedTuple,\n    SupportsComplex,\n    SupportsFloat,\n    \
             SupportsIndex,\n\
         )\n\n{head}\n__all__ = [{}]\n\n{body}",
        names.join(", ")
    )
}

fn add(body: &mut String, adapter: Adapter, shown: &Shown<'_>) {
    let spec = shown.spec;
    let returned = returned(body, adapter, spec);
    let mut parameters = String::new();
    let mut by_name = false;
    let mut name_only = |parameters: &mut String| {
        if !by_name {
            parameters.push_str("*, ");
            by_name = true;
        }
    };
    for argument in spec.parameters() {
        if argument.keyword_only {
            name_only(&mut parameters);
        }
        let kind = match argument.role {
            Role::Scalar => &scalar(spec, argument),
            _ if argument.is_optional => &format!("{} | None", adapter.given()),
            _ => adapter.given(),
        };
        add_parameter(&mut parameters, argument, kind);
    }
    if adapter == Adapter::Torch {
        let mut arrays = spec
            .parameters()
            .iter()
            .filter(|it| it.role != Role::Scalar);
        if arrays.all(|it| it.is_optional) {
            name_only(&mut parameters);
            parameters.push_str("device: _torch.device | str | int | None = None, ");
        }
        if spec.saved().is_empty() && matches!(spec.results(), [result] if !result.at_most) {
            name_only(&mut parameters);
            parameters.push_str("out: _torch.Tensor | None = None, ");
        }
    }
    let parameters = parameters.trim_end_matches(", ");
    let declared = spec.signature;
    let docstring = format!(
        "{}\nNotes\n-----\nDeclared as ``{declared}``.",
        shown.description
    );
    let docstring = statement(&docstring);
    // writing to a String cannot fail
    let _ = writeln!(
        body,
        "def {}({parameters}) -> {returned}:\n{docstring}",
        spec.name
    );
}

/// Returns the type of a call's result; adds its named tuple first. JAX returns what is written,
/// before the results.
fn returned(body: &mut String, adapter: Adapter, spec: &Spec) -> String {
    let written = spec.parameters().iter().filter(|it| it.role.is_written());
    let written: Vec<_> = match adapter {
        Adapter::Torch => Vec::new(),
        Adapter::Jax => written.collect(),
    };
    if written.iter().any(|it| it.is_optional) {
        return "Any".to_owned(); // as many as are given
    }
    let array = adapter.array();
    match (written.len() + spec.results().len(), spec.result_type()) {
        (0, _) => "None".to_owned(),
        (1, _) => array.to_owned(),
        (_, Some(name)) if written.is_empty() => {
            let _ = writeln!(body, "class {name}(NamedTuple):");
            for result in spec.results() {
                add_field(body, result.name, array);
            }
            body.push('\n');
            name
        }
        (several, _) => format!("tuple[{}]", vec![array; several].join(", ")),
    }
}
