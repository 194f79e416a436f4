//! A function as a file of Rust.

use cuvec_declare::DType;
use cuvec_declare::declaration::{Argument, Extent, Kind, Role, Shape, Type};
use cuvec_declare::literal::{DefaultValue, Literal};

use super::declaration::{Declaration, Written};
use super::{layout, structure};
use crate::error::Result;
use crate::package::filled;

pub fn source(d: &Declaration) -> Result<String> {
    let own = d.structs.iter().map(structure::rust).collect();
    let doc = d.doc().into_iter();
    let doc = doc.map(|it| format!("    /// {it}").trim_end().to_owned() + "\n");
    let of_row = of_row(d);
    let is_by_element = of_row.is_none() && d.is_by_element();
    let derivative = d.derivative.as_ref();
    let brace = if is_by_element { "\n   " } else { "" }; // which follows it
    let derivative = derivative.map(|it| format!("\n    derivative {it};{brace}"));
    let values = vec![
        ("uses", d.uses()),
        ("types", own),
        ("doc", doc.collect()),
        ("head", head(d)),
        ("derivative", derivative.unwrap_or_default()),
        ("what", d.in_stub().to_owned()),
        ("place", d.place().to_owned()),
        ("comment", comment(d, of_row.is_some())),
        ("elements", elements(d)),
        ("bodies", of_row.unwrap_or_else(|| bodies(d))),
    ];
    let template = match () {
        () if is_by_element => include_str!("each.rs.hbs"),
        () if d.is_effect() => include_str!("effect.rs.hbs"),
        () => include_str!("whole.rs.hbs"),
    };
    filled(template, values)
}

/// Returns the declaration, which `add` takes as well.
fn head(d: &Declaration) -> String {
    let variables = match d.variables.is_empty() {
        true => String::new(),
        false => {
            let shown = d.variables.iter().map(|it| {
                let dtypes: Vec<_> = it.dtypes.iter().map(|dtype| dtype.rust()).collect();
                match it.is_shared {
                    true => it.name.clone(),
                    false => format!("{}: {}", it.name, dtypes.join(" | ")),
                }
            });
            format!("<{}>", shown.collect::<Vec<_>>().join(", "))
        }
    };
    let mut arguments = Vec::new();
    for argument in &d.arguments {
        if argument.keyword_only && !arguments.contains(&"*".to_owned()) {
            arguments.push("*".to_owned());
        }
        arguments.push(format!("{}: {}", argument.name, typed(d, argument)));
    }
    let (start, end) = (format!("{}{variables}", d.name), format!("){}", results(d)));
    format!("    {}", layout::listed(4, &start, "(", arguments, &end))
}

fn dtype(d: &Declaration, dtype: Type) -> String {
    d.typed(dtype, DType::rust)
}

fn typed(d: &Declaration, argument: &Argument) -> String {
    let shown = dtype(d, argument.dtype);
    let default = argument
        .default
        .as_ref()
        .map(|it| default_text(it, argument.dtype));
    let shown = match &argument.kind {
        Kind::Number if d.is_size(argument) => "usize".to_owned(),
        Kind::DType if argument.default.is_none() => format!("dtype({shown})"),
        Kind::Number | Kind::DType => shown,
        Kind::Option(choices) => format!("{{{}}}", texts(choices).join(", ")),
        Kind::Tuple(count) => format!("[{shown}; {count}]"),
        Kind::Array {
            role,
            shape,
            is_optional,
        } => {
            let direction = match role {
                Role::In => "&",
                Role::Inout => "&mut ",
                Role::Out => "&out ",
            };
            let array = format!("{direction}{shown}{}", extents(shape));
            match is_optional {
                true => format!("Option<{array}>"),
                false => array + &shape.words(),
            }
        }
    };
    shown + &default.unwrap_or_default()
}

fn texts(choices: &[Literal]) -> Vec<String> {
    choices.iter().map(|it| it.text.clone()).collect()
}

fn default_text(default: &DefaultValue, dtype: Type) -> String {
    let shown = match default {
        DefaultValue::Nothing => "None".to_owned(),
        DefaultValue::Number(number) => literal(number, dtype).to_owned(),
        DefaultValue::Choice(choice) => choice.text.clone(),
        DefaultValue::DType(dtype) => dtype.rust().to_owned(),
        DefaultValue::Items(items) => {
            let items: Vec<_> = items.iter().map(|it| literal(it, dtype)).collect();
            format!("[{}]", items.join(", "))
        }
    };
    format!(" = {shown}")
}

/// `true` is a number only in Python.
fn literal(number: &Literal, dtype: Type) -> &str {
    if let Some(formula) = &number.formula {
        return &formula.rust;
    }
    let text = number.text.as_str();
    let is_bool = matches!(dtype, Type::Fixed(dtype) if dtype.is_bool());
    match (text, is_bool) {
        ("True" | "1", true) => "true",
        ("False" | "0", true) => "false",
        ("True", false) => "1",
        ("False", false) => "0",
        _ => text,
    }
}

fn extents(shape: &Shape) -> String {
    format!("[{}]", shape.written(extent).join(", "))
}

fn extent(extent: &Extent) -> String {
    extent.written("/")
}

/// Returns the name of a result in code: with a `_` before it, if it has none in Python.
fn called(d: &Declaration, number: usize) -> String {
    let name = d.name_of_result(number);
    match d.results[number].name.is_empty() {
        true => format!("_{name}"),
        false => name,
    }
}

fn results(d: &Declaration) -> String {
    let shown: Vec<_> = d
        .results
        .iter()
        .enumerate()
        .map(|(number, result)| {
            let shape = result.shape.as_ref().map(extents).unwrap_or_default();
            let saved = if result.is_saved { "saved " } else { "" };
            let dtype = dtype(d, result.dtype);
            format!("{}: {saved}{dtype}{shape}", called(d, number))
        })
        .collect();
    match shown.as_slice() {
        [] => String::new(),
        [one] => format!(" -> {one}"),
        _ => format!(" -> ({})", shown.join(", ")),
    }
}

fn written(d: &Declaration) -> Vec<(String, Written<'_>)> {
    let mut results = 0..d.results.len();
    let written = d.written().into_iter().map(|it| match it.argument {
        Some(_) => (it.name.clone(), it),
        None => (called(d, results.next().unwrap_or_default()), it),
    });
    written.collect()
}

fn elements(d: &Declaration) -> String {
    let line = |(name, it): (String, Written)| {
        let value = value(d, &format!("*{name}"), &it);
        match it.argument.is_some_and(Argument::is_optional) {
            true => format!(
                "        if let Some({name}) = {name} {{\n            *{name} = {value};\n        }}\n"
            ),
            false => format!("        *{name} = {value};\n"),
        }
    };
    written(d).into_iter().map(line).collect()
}

/// The body of a row, whose elements are a function of their index. It has none of what was there before.
fn of_row(d: &Declaration) -> Option<String> {
    d.row()?;
    let written = written(d);
    if written.iter().any(|(_, it)| it.stays()) {
        return None;
    }
    let row = d.free(&["row", "this_row"]);
    let (places, values): (Vec<_>, Vec<_>) = written
        .iter()
        .map(|(name, it)| {
            let value = value(d, name, it);
            match it.shape.extents.is_empty() {
                true => (format!("{name}[{row}]"), value),
                false => (format!("{name}[{row}, ..]"), format!("move |_i| {value}")),
            }
        })
        .unzip();
    let together = |items: Vec<String>| match items.as_slice() {
        [one] => one.clone(),
        all => format!("({})", all.join(", ")),
    };
    let (places, values) = (together(places), together(values));
    Some(format!(
        "    each {places} by block {{\n        {values}\n    }}\n"
    ))
}

fn bodies(d: &Declaration) -> String {
    let mut lines = String::new();
    for (name, it) in written(d) {
        if !it.shape.at_most {
            let value = value(d, &name, &it);
            let indices = d.indices(it.shape.rank()).join(", ");
            lines += &format!("    each {name}[{indices}] {{ {value} }}\n");
        } else if let Some(pass) = d.found().iter().find(|pass| pass[0].name == it.name) {
            // One pass finds all that has its size.
            let push = if it.shape.rank() == 1 {
                "push"
            } else {
                "push_row"
            };
            let apart = match pass.as_slice() {
                [_] => "",
                _ => {
                    "        // Each result counts for itself: let what belongs together be a struct, or a row of one.\n"
                }
            };
            lines += &format!(
                "    block over {name} {{\n        \
                 // Results found at an index, none in this stub, with `{name}.{push}(…)`:\n        \
                 // {}.\n{apart}        \
                 block.each_index({name}.len(), |_index| {{}});\n    }}\n",
                d.place()
            );
        }
    }
    lines
}

fn comment(d: &Declaration, is_of_row: bool) -> String {
    let mut text = String::new();
    if !d.written().iter().all(|it| it.shape.at_most) {
        let part = if is_of_row { "A row" } else { "An element" };
        let (what, place) = (d.in_stub(), d.place());
        text += &format!("    // {part}, which {what} in this stub: {place}.\n");
    }
    if d.has_rows() {
        text += "    // Leading dimensions are one here: `T[..., n]` is a matrix of rows.\n";
    }
    text
}

/// Returns an element in a stub: as it was, or zero.
fn value(d: &Declaration, before: &str, written: &Written) -> String {
    match (written.stays(), written.dtype) {
        (true, _) => before.to_owned(),
        (false, Type::Real(_)) => "Default::default()".to_owned(),
        (false, dtype) => format!("{}::default()", self::dtype(d, dtype)),
    }
}
