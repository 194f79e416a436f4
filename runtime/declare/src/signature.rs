//! The declaration in the notation of NumPy.

use crate::declaration::{Argument, Declaration, Extent, Kind, Role, Shape, Type};
use crate::dtype::DType;
use crate::literal::{DefaultValue, Literal, tuple};

/// Words of a declaration, with blanks between them its text; without the variables that it has from a class.
pub fn words(d: &Declaration, inherited: usize) -> Vec<String> {
    let mut words = Vec::new();
    let last = d.variables.len();
    let mut shared = String::new();
    for (number, variable) in d.variables.iter().enumerate().skip(inherited) {
        if variable.is_shared {
            shared += &format!("{}, ", variable.name);
            continue;
        }
        let dtypes: Vec<_> = variable
            .dtypes
            .iter()
            .map(|it| it.numpy().to_owned())
            .collect();
        for (place, dtype) in dtypes.iter().enumerate() {
            let start = match place {
                0 => format!("{}{}: ", std::mem::take(&mut shared), variable.name),
                _ => String::new(),
            };
            let end = match number + 1 == last && place + 1 == dtypes.len() {
                true => ">",
                false => ",",
            };
            words.push(format!("{start}{dtype}{end}"));
        }
    }
    let arguments = arguments(d);
    let mut start = match words.is_empty() {
        true => d.name.clone(),
        false => {
            words[0] = format!("{}<{}", d.name, words[0]);
            words.pop().unwrap_or_default()
        }
    };
    start += "(";
    let count = arguments.len();
    for (number, argument) in arguments.into_iter().enumerate() {
        let end = if number + 1 == count { ")" } else { "," };
        words.push(format!("{}{argument}{end}", std::mem::take(&mut start)));
    }
    if count == 0 {
        words.push(format!("{start})"));
    }
    let results = results(d);
    let last = results.len();
    for (number, result) in results.into_iter().enumerate() {
        let arrow = if number == 0 { "-> " } else { "" };
        let end = if number + 1 == last { "" } else { "," };
        words.push(format!("{arrow}{result}{end}"));
    }
    words
}

/// Each result as it is written.
pub fn results(d: &Declaration) -> Vec<String> {
    let results = d.results.iter().map(|result| {
        let name = match result.name.as_str() {
            "" => String::new(),
            name => format!("{name}: "),
        };
        let saved = if result.is_saved { "saved " } else { "" };
        let shape = result.shape.as_ref().map(extents).unwrap_or_default();
        format!("{name}{saved}{}{shape}", dtype(d, result.dtype))
    });
    results.collect()
}

/// Each argument as it is written, with the `*` before those that are given by name.
pub fn arguments(d: &Declaration) -> Vec<String> {
    let mut shown = Vec::new();
    for argument in &d.arguments {
        if argument.keyword_only && !shown.contains(&"*".to_owned()) {
            shown.push("*".to_owned());
        }
        shown.push(format!("{}: {}", argument.name, typed(d, argument)));
    }
    shown
}

fn typed(d: &Declaration, argument: &Argument) -> String {
    let dtype = dtype(d, argument.dtype);
    let default = argument.default.as_ref().map(default_text);
    let shown = match &argument.kind {
        Kind::DType if argument.default.is_none() => format!("dtype({dtype})"),
        Kind::Number | Kind::DType => dtype,
        Kind::Option(choices) => format!(
            "{{{}}}",
            choices.iter().map(quoted).collect::<Vec<_>>().join(", ")
        ),
        Kind::Tuple(count) => format!("{dtype}[{count}]"),
        Kind::Array {
            role,
            shape,
            is_optional,
        } => {
            let direction = match role {
                Role::In => "",
                Role::Inout => "inout ",
                Role::Out => "out ",
            };
            let mark = if *is_optional { "?" } else { "" };
            format!(
                "{direction}{dtype}{}{}{mark}",
                extents(shape),
                shape.words()
            )
        }
    };
    shown + &default.unwrap_or_default()
}

fn quoted(choice: &Literal) -> String {
    format!("'{}'", choice.text)
}

fn default_text(default: &DefaultValue) -> String {
    let shown = match default {
        DefaultValue::Nothing => "None".to_owned(),
        DefaultValue::Number(number) => number.text.clone(),
        DefaultValue::Choice(choice) => quoted(choice),
        DefaultValue::DType(dtype) => dtype.numpy().to_owned(),
        DefaultValue::Items(items) => tuple(items.iter().map(|it| it.text.clone())),
    };
    format!(" = {shown}")
}

fn dtype(d: &Declaration, dtype: Type) -> String {
    d.typed(dtype, DType::numpy)
}

fn extents(shape: &Shape) -> String {
    format!("({})", shape.written(extent).join(","))
}

fn extent(extent: &Extent) -> String {
    extent.written("/").replace(' ', "")
}
