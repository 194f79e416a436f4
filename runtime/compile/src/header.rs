//! A header with declarations as the constants that `cuvec/signature.h` has for them.

use std::fmt::Write;

use cuvec_declare::DType;
use cuvec_declare::declaration::{
    Argument, Declaration, Extent, Kind, Outcome, Role, Shape, Step, Type,
};

/// The header for a file with these declarations, by the texts that they were read from.
pub fn header<'a>(declarations: impl Iterator<Item = (&'a str, &'a Declaration)>) -> String {
    let mut all = String::new();
    for (text, declaration) in declarations {
        let _ = writeln!(all, "    {},", signature(text, declaration));
    }
    format!(
        "// The declarations of a file of kernels/, written by the build.\n#pragma once\n\nnamespace cuvec::detail {{\n\
         constexpr Signature signatures[] = {{\n{all}}};\n}} // namespace cuvec::detail\n"
    )
}

fn signature(text: &str, d: &Declaration) -> String {
    let (mut extents, mut choices) = (Vec::new(), Vec::new());
    let mut arguments = Vec::new();
    for it in &d.arguments {
        arguments.push(argument(it, &mut extents, choices.len()));
        choices.extend(it.choices().iter().map(|it| quoted(&it.text)));
    }
    arguments.extend(d.results.iter().map(|it| result(it, &mut extents)));
    let variables = d.variables.iter().map(|it| {
        let dtypes = list(it.dtypes.iter().map(|it| code(*it)));
        format!("{{{}, {dtypes}}}", it.dtypes.len())
    });
    let counts = [arguments.len(), d.variables.len(), d.structs.len()];
    let parts = [
        quoted(text),
        quoted(&d.name),
        counts.map(|it| it.to_string()).join(", "),
        list(arguments.into_iter()),
        list(variables),
        list(d.structs.iter().map(|it| quoted(&it.name))),
        list(choices.into_iter()),
    ];
    format!("{{{}}}", parts.join(",\n     "))
}

fn argument(argument: &Argument, known: &mut Vec<String>, first_choice: usize) -> String {
    let role = match argument.role() {
        None => "SCALAR",
        Some(Role::In) => "IN",
        Some(Role::Inout) => "INOUT",
        Some(Role::Out) => "OUT",
    };
    let dtype = match argument.kind {
        Kind::DType => code(DType::OPTION),
        _ => typed(argument.dtype),
    };
    format!(
        "{{{dtype}, CUVEC_{role}, {}, false, {}, {}, {first_choice}, {}, {}}}",
        array(argument.shape(), known),
        argument.is_optional(),
        argument.kind == Kind::DType,
        argument.choices().len(),
        argument.items(),
    )
}

fn result(result: &Outcome, known: &mut Vec<String>) -> String {
    format!(
        "{{{}, CUVEC_RESULT, {}, {}}}",
        typed(result.dtype),
        array(result.shape.as_ref(), known),
        result.shape.is_none(),
    )
}

/// The members that say which shape an array has, and how it lies; extents are numbered as they come.
fn array(shape: Option<&Shape>, known: &mut Vec<String>) -> String {
    let Some(shape) = shape else {
        return "false, 0, {}, false, Order::contiguous".to_owned();
    };
    let mut number = |extent: &Extent| {
        let postfix = postfix(extent);
        let place = known.iter().position(|it| *it == postfix);
        let place = place.unwrap_or_else(|| {
            known.push(postfix);
            known.len() - 1
        });
        place.to_string()
    };
    format!(
        "{}, {}, {}, {}, Order::{}",
        shape.leading,
        shape.extents.len(),
        list(shape.extents.iter().map(&mut number)),
        shape.at_most,
        match shape.layout {
            "" => "contiguous",
            layout => layout,
        },
    )
}

/// The same for extents that are calculated alike.
fn postfix(extent: &Extent) -> String {
    let steps = extent.postfix().into_iter().map(|step| match step {
        Step::Number(number) => number.to_string(),
        Step::Name(name) => name.text.clone(),
        Step::Sign(sign) => sign.to_string(),
    });
    steps.collect::<Vec<_>>().join(" ")
}

fn typed(dtype: Type) -> String {
    match dtype {
        Type::Fixed(dtype) => code(dtype),
        Type::Variable(variable) => format!("-1 - {variable}"),
        Type::Real(variable) => format!("-1 - CUVEC_MAX_VARIABLES - {variable}"),
        Type::Struct(number) => format!("first_struct + {number}"),
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("{{{}}}", items.collect::<Vec<_>>().join(", "))
}

fn code(dtype: DType) -> String {
    format!("CUVEC_{}", dtype.numpy().to_uppercase())
}

/// A literal of C++.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}
