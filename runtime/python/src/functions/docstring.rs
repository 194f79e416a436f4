//! What Python shows of a declared function.

use std::fmt::Write;

use cuvec_core::functions::Function;
use cuvec_spec::{Argument, Layout, Role, Shape, Spec};

/// The docstring of a built-in function: its signature, where `inspect.signature` finds it, what the
/// owner wrote, and the parameters.
pub fn of(function: &Function) -> String {
    let spec = &function.spec;
    let mut text = format!("{}\n--\n\n{}", signature(spec), spec.doc);
    text += "\n\nParameters\n----------\n";
    for parameter in spec.parameters() {
        let default = parameter.default_text();
        let default = default.map_or_else(String::new, |default| format!(", default {default}"));
        line(
            &mut text,
            &[
                parameter.name,
                " : ",
                &description(spec, parameter),
                &default,
            ],
        );
    }
    if !spec.results().is_empty() {
        text += "out : array, or a tuple of them, optional\n    \
                 For the results, instead of new arrays. A number stays on the GPU in an array of\n    \
                 shape ().\n";
    }
    text += "stream : int or stream object, optional\n    \
             Run on this CUDA stream and do not wait. Arrays in host memory are waited for.\n";
    if !spec.results().is_empty() {
        text += "\nReturns\n-------\n";
        for result in spec.results() {
            let colon = if result.name.is_empty() { "" } else { " : " };
            line(&mut text, &[result.name, colon, &description(spec, result)]);
        }
    }
    let declared = spec.signature;
    let broadcast = match function.broadcasts() {
        true => "Dimensions in front of the declared ones are broadcast.",
        false => "Nothing is broadcast.",
    };
    let _ = write!(
        text,
        "\nNotes\n-----\nDeclared as ``{declared}``.\nArrays are any objects with `__dlpack__`, \
         `__cuda_array_interface__` or the buffer\nprotocol. {broadcast} What is written must be\n\
         C-contiguous, unless it may have strides, and not overlap with others."
    );
    text
}

fn line(text: &mut String, parts: &[&str]) {
    text.extend(parts.iter().copied());
    text.push('\n');
}

/// `name(a, x, y, *, stream=None)`
fn signature(spec: &Spec) -> String {
    let mut parameters: Vec<String> = Vec::new();
    if spec.name.contains('.') || spec.class.is_some() {
        parameters.push("self, /".to_owned());
    }
    let mut by_name = false;
    for parameter in spec.parameters() {
        if parameter.keyword_only && !by_name {
            parameters.push("*".to_owned());
            by_name = true;
        }
        let default = parameter.default_literal();
        let default = default.map_or_else(String::new, |default| format!("={default}"));
        parameters.push(format!("{}{default}", parameter.name));
    }
    if !by_name {
        parameters.push("*".to_owned());
    }
    if !spec.results().is_empty() {
        parameters.push("out=None".to_owned());
    }
    parameters.push("stream=None".to_owned());
    format!("{}({})", spec.own_name(), parameters.join(", "))
}

/// "array of T, shape (m, n)"; numbers as they are declared.
fn description(spec: &Spec, argument: &Argument) -> String {
    let text = spec.type_text(argument);
    if argument.items > 0 {
        let dtype = text.split('[').next().unwrap_or_default();
        return format!("tuple of {} {dtype}", argument.items);
    }
    if argument.role == Role::Scalar || argument.is_number {
        return text;
    }
    let dtype = spec.dtype_text(argument.dtype);
    let shape = text[dtype.len()..].trim_end_matches('?');
    let optional = if argument.is_optional {
        ", or None"
    } else {
        ""
    };
    let layout = match argument.layout {
        Layout::Contiguous => "",
        Layout::Rows => ", any strides but of the last dimension",
        Layout::Strided => ", any strides",
    };
    match argument.shape {
        Shape::ANY => format!("array of {dtype}, any shape{layout}{optional}"),
        _ => format!("array of {dtype}, shape {shape}{layout}{optional}"),
    }
}
