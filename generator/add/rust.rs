//! A function as a file of Rust.

use super::declaration::{
    Argument, Declaration, Extent, Kind, Role, Shape, Structure, Type, Written,
};
use super::dtype::DType;
use super::literal::{DefaultValue, Literal};

const WIDTH: usize = 100;

pub fn source(d: &Declaration) -> String {
    let head = head(d);
    let (head, body) = match &d.derivative {
        None => (head, body(d)),
        Some(derivative) => (
            format!("{head}\n    derivative {derivative};\n    "),
            body(d).trim_start().to_owned(),
        ),
    };
    format!(
        "{}use crate::prelude::*;\n\n{}kernel! {{\n{}{head}{body}}}\n",
        d.uses(),
        d.structs.iter().map(Structure::rust).collect::<String>(),
        doc(d)
    )
}

/// Returns the declaration, which `add` takes as well.
pub fn head(d: &Declaration) -> String {
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
    let results = results(d);
    let one = format!(
        "    {}{variables}({}){results}",
        d.name,
        arguments.join(", ")
    );
    match one.len() <= WIDTH {
        true => one,
        false => {
            let lines = arguments.iter().map(|it| format!("        {it},\n"));
            format!(
                "    {}{variables}(\n{}    ){results}",
                d.name,
                lines.collect::<String>()
            )
        }
    }
}

fn doc(d: &Declaration) -> String {
    let comment = |line: &String| format!("    /// {line}").trim_end().to_owned() + "\n";
    super::doc(d).iter().map(comment).collect()
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

/// `true` is a number in Python alone.
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
    extent.written(&str::to_owned, "/")
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

fn body(d: &Declaration) -> String {
    let written = d.written();
    if written.is_empty() {
        let place = d.place();
        return format!(
            "\n    host(_call) {{\n        // What it does, nothing in this stub: {place}.\n        Ok(())\n    }}\n"
        );
    }
    let names: Vec<_> = written
        .iter()
        .enumerate()
        .map(|(number, it)| match it.argument {
            Some(_) => it.name.clone(),
            None => called(d, number - (written.len() - d.results.len())),
        })
        .collect();
    let first = match written.iter().all(Written::stays) {
        true => "stays as it is",
        false => "is zero",
    };
    let mark = format!("An element, which {first} in this stub: {}.", d.place());
    let mut lines = String::new();
    if d.is_by_element() {
        for (name, it) in names.iter().zip(&written) {
            let value = match it.stays() {
                true => format!("*{name}"),
                false => zero(d, it.dtype),
            };
            lines += &match it.may_be_none() {
                true => format!(
                    "        if let Some({name}) = {name} {{\n            *{name} = {value};\n        }}\n"
                ),
                false => format!("        *{name} = {value};\n"),
            };
        }
        return format!(" {{\n        // {mark}\n{lines}    }}\n");
    }
    let passes = d.passes();
    for (name, it) in names.iter().zip(&written) {
        if it.shape.at_most {
            // What is found in one pass is written where the first is.
            if let Some(pass) = passes.iter().find(|pass| pass[0].name == it.name) {
                let of_pass = names.iter().zip(&written);
                let of_pass = of_pass.filter(|(_, it)| pass.iter().any(|one| one.name == it.name));
                let found = of_pass.map(|(name, it)| (name.as_str(), it.shape.rank()));
                lines += &finds(d, &found.collect::<Vec<_>>());
            }
            continue;
        }
        let taken = |index: &String| {
            d.dimensions().contains(&index.as_str())
                || d.arguments.iter().any(|it| it.name == *index)
        };
        let indices = ('i'..='z').map(String::from).filter(|it| !taken(it));
        let indices: Vec<_> = indices.take(it.shape.rank()).collect();
        let value = match it.stays() {
            true => name.clone(),
            false => zero(d, it.dtype),
        };
        lines += &format!("    each {name}[{}] {{ {value} }}\n", indices.join(", "));
    }
    let rows = match d.has_rows() {
        true => "    // Leading dimensions are one here: `T[..., n]` is a matrix of rows.\n",
        false => "",
    };
    let mark = match written.iter().all(|it| it.shape.at_most) {
        true => String::new(),
        false => format!("    // {mark}\n"),
    };
    format!("\n{mark}{rows}{lines}")
}

/// The pass of a stub that finds nothing, with the names and ranks of the results.
fn finds(d: &Declaration, results: &[(&str, usize)]) -> String {
    let how = results.iter().map(|(name, rank)| {
        let push = if *rank == 1 { "push" } else { "push_row" };
        format!("`{name}.{push}(…)`")
    });
    let (first, _) = results[0];
    let apart = match results {
        [_] => "",
        _ => {
            "\n        // Each counts for itself, so that pairs come apart: let what belongs together be a struct, or a row\
             \n        // of one result, `[at most n, 2]`."
        }
    };
    format!(
        "    block over {first} {{\n        \
         // What is found at an index, nothing in this stub, with {}: {}.{apart}\n        \
         block.each_index({first}.len(), |_index| {{}});\n    }}\n",
        how.collect::<Vec<_>>().join(" and "),
        d.place()
    )
}

fn zero(d: &Declaration, dtype: Type) -> String {
    match dtype {
        Type::Real(_) => "Default::default()".to_owned(),
        _ => format!("{}::default()", self::dtype(d, dtype)),
    }
}
