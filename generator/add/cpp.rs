//! Parts of functions in C++: types, parameters and heads.

use std::borrow::Borrow;

use cuvec_declare::DType;
use cuvec_declare::declaration::{Argument, Kind, Role, Shape, Type};

use super::declaration::Declaration;
use super::layout::{self, WIDTH};
use super::option;

/// A line with a text; what is too long for a line is a raw string, which is left as it is.
pub fn constant(name: &str, lines: &[String]) -> String {
    let start = format!("  static constexpr auto {name} =");
    let one = format!("{start} \"{}\";\n", lines.join(" "));
    if one.len() <= WIDTH + 1 {
        return one;
    }
    let raw = format!("R\"({})\";\n", lines.join("\n      "));
    match format!("{start} R\"({}", lines[0]).len() <= WIDTH {
        true => format!("{start} {raw}"),
        false => format!("{start}\n      {raw}"),
    }
}

pub fn typed(d: &Declaration, dtype: Type) -> String {
    match dtype {
        Type::Real(number) => format!("real_t<{}>", d.variables[number].name),
        _ => d.typed(dtype, DType::cpp),
    }
}

/// Returns the type of a scalar, or of an element of an array.
pub fn value(d: &Declaration, argument: &Argument) -> String {
    let dtype = typed(d, argument.dtype);
    match argument.kind {
        Kind::Option(_) => option::name(d, argument),
        Kind::Tuple(count) => format!("Tuple<{dtype}, {count}>"),
        Kind::Number | Kind::DType | Kind::Array { .. } => dtype,
    }
}

pub fn view(kind: &str, dtype: &str, shape: &Shape) -> String {
    match (shape.rank(), shape.layout) {
        (1, "") => format!("{kind}<{dtype}>"),
        (rank, "") => format!("{kind}<{dtype}, {rank}>"),
        (rank, "rows") => format!("{kind}<{dtype}, {rank}, Rows>"),
        (rank, _) => format!("{kind}<{dtype}, {rank}, Strided>"),
    }
}

/// `template <class T> `, or nothing.
pub fn template(variables: &[impl Borrow<str>]) -> String {
    match variables {
        [] => String::new(),
        names => format!("template <class {}> ", names.join(", class ")),
    }
}

/// `<T>`, or nothing.
pub fn chosen(variables: &[impl Borrow<str>]) -> String {
    match variables {
        [] => String::new(),
        names => format!("<{}>", names.join(", ")),
    }
}

pub fn variables(d: &Declaration) -> Vec<&str> {
    d.variables.iter().map(|it| it.name.as_str()).collect()
}

/// The head of a function of the struct.
pub fn head(d: &Declaration, start: &str, parameters: &[String]) -> String {
    layout::head(2, &template(&variables(d)), start, parameters)
}

/// The statements without which compilers would warn of parameters.
pub fn unused(indent: usize, names: impl IntoIterator<Item = String>) -> String {
    let line = |name: String| format!("{:indent$}(void){name};\n", "");
    names.into_iter().map(line).collect()
}

/// A parameter that is a whole array, or a number.
pub fn parameter(d: &Declaration, argument: &Argument) -> String {
    let dtype = value(d, argument);
    let shown = match argument.shape() {
        None => dtype,
        Some(shape) if argument.role() == Some(Role::In) => view("In", &dtype, shape),
        Some(shape) => view("Out", &dtype, shape),
    };
    format!("{shown} {}", argument.name)
}

/// Parameters of a body of whole arrays, with their names.
pub fn parameters(d: &Declaration) -> Vec<(String, String)> {
    let arguments = d.passed().map(|it| (parameter(d, it), it.name.clone()));
    let written = d.written().into_iter().filter(|it| it.argument.is_none());
    let results = written.map(|it| {
        let kind = if it.shape.at_most { "AtMost" } else { "Out" };
        let shown = view(kind, &typed(d, it.dtype), &it.shape);
        (format!("{shown} {}", it.name), it.name)
    });
    arguments.chain(results).collect()
}
