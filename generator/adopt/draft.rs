//! Drafts a function's declaration, as far as its head and its body tell, with notes on what they
//! do not tell.

use std::collections::BTreeMap;

use cuvec_declare::DType;

use super::source::{Function, Parameter, TemplateParameter};
use super::usage::{Shape, Usage, Use};
use crate::add::c_types::{self, Element};
use crate::add::names;

/// A parameter, as the code that calls the function has it.
pub enum Part {
    Array {
        name: String,
        element: Element,
        /// Names of dimensions, and numbers.
        shape: Vec<String>,
        is_written: bool,
    },
    Scalar {
        name: String,
        element: Element,
        default: Option<String>,
    },
    /// The size of an axis of an array.
    Size { array: String, axis: Option<usize> },
    /// The call's own.
    Stream,
}

pub struct Draft<'t> {
    pub function: &'t Function<'t>,
    /// In Python.
    pub name: String,
    pub parts: Vec<Part>,
    /// Dtype of its result, unless that is a status.
    pub result: Option<DType>,
    pub returns_status: bool,
    pub variables: Vec<String>,
    /// Notes on facts that its declaration could not know.
    pub notes: Vec<String>,
}

/// Names that say how many there are.
const LENGTHS: &str = "n num len length size count total numel nelem nelements elements";

/// Fails with the reason why it cannot be declared.
pub fn draft<'t>(
    function: &'t Function<'t>,
    usage: &Usage,
    stem: &str,
) -> Result<Draft<'t>, String> {
    let (result, returns_status) = returned(function)?;
    let variables = variables(function)?;
    let name = name(&function.name, stem)?;
    let mut notes = Vec::new();
    if name != function.name {
        notes.push(format!("`{}` is called `{name}` in Python", function.name));
    }
    let elements = function
        .parameters
        .iter()
        .map(|it| element(it, function.is_kernel, &variables));
    let elements = elements.collect::<Result<Vec<_>, _>>()?;
    let shapes = shapes(function, usage, &mut notes);
    let mut parts: Vec<_> = function
        .parameters
        .iter()
        .zip(elements)
        .enumerate()
        .map(|(at, (it, element))| part(at, it, element, usage, &shapes))
        .collect();
    let is_variable = |part: &Part, variable: &String| match part {
        Part::Array { element, .. } => matches!(element, Element::Variable(it) if it == variable),
        _ => false,
    };
    for variable in &variables {
        if !parts.iter().any(|it| is_variable(it, variable)) {
            return Err(format!("no array has elements of its type `{variable}`"));
        }
        notes.push(format!(
            "`{variable}` is float32 alone: add the dtypes that it is for"
        ));
    }
    on_preprocessor(function, &parts, &mut notes);
    on_defaults(function, &mut parts, &mut notes);
    on_directions(function, usage, &mut notes);
    let has_array = parts.iter().any(|it| matches!(it, Part::Array { .. }));
    if has_array && function.returned.as_str() == "int" {
        notes.push("its `int` may be an error code: throw an exception for that".to_owned());
    }
    if function.body.is_some_and(|it| it.has_error()) {
        notes.push("its body was not understood: look at shapes and at what is written".to_owned());
    }
    Ok(Draft {
        function,
        name,
        parts,
        result,
        returns_status,
        variables,
        notes,
    })
}

/// The dtype of a result, or whether it is the status of a library of CUDA's.
fn returned(function: &Function) -> Result<(Option<DType>, bool), String> {
    let text = function.returned.as_str();
    let is_status = ["Error_t", "Status_t", "Result", "CUresult"];
    if function.returns_pointer {
        return Err("it returns an address".to_owned());
    } else if text == "void" {
        return Ok((None, false));
    } else if is_status.iter().any(|it| text.ends_with(it)) {
        return Ok((None, true));
    }
    match c_types::dtype(text) {
        Some(Element::Dtype { dtype, count: 1 }) => Ok((Some(dtype), false)),
        _ => Err(format!("it returns `{text}`, which is not a dtype")),
    }
}

fn variables(function: &Function) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for parameter in &function.template {
        match parameter {
            TemplateParameter::Type(name) => found.push(name.clone()),
            TemplateParameter::Other { has_default: true } => {}
            TemplateParameter::Other { .. } => {
                return Err("it is a template of values, which nothing chooses".to_owned());
            }
        }
    }
    match found.iter().find_map(|it| names::of_argument(it)) {
        Some(reason) => Err(format!(
            "a type of its template cannot be declared: {reason}"
        )),
        None => Ok(found),
    }
}

/// `None` is a stream.
fn element(
    parameter: &Parameter,
    is_kernel: bool,
    variables: &[String],
) -> Result<Option<Element>, String> {
    let name = match parameter.name.as_str() {
        "" => "a parameter",
        name => &format!("`{name}`"),
    };
    let text = &parameter.element;
    if let Some(what) = parameter.is_other {
        return Err(format!("{name} is {what}"));
    } else if parameter.pointers > 1 {
        return Err(format!("{name} is a pointer to pointers"));
    } else if parameter.is_reference && (parameter.pointers == 1 || !parameter.is_const) {
        return Err(format!("{name} is a reference that may be written"));
    } else if text == "cudaStream_t" && parameter.pointers == 0 {
        return Ok(None);
    } else if text == "char" && parameter.pointers == 1 && parameter.is_const && !is_kernel {
        return Err(format!("{name} is a text"));
    } else if text == "void" {
        return Err(format!("{name} is a pointer to elements of no type"));
    } else if variables.contains(text) {
        return Ok(Some(Element::Variable(text.clone())));
    }
    let element = c_types::dtype(text);
    element
        .map(Some)
        .ok_or_else(|| format!("{name} has the type `{text}`, which is not a dtype"))
}

/// The names of dimensions of each array, by its own, as parameters of the function and numbers are called.
fn shapes(
    function: &Function,
    usage: &Usage,
    notes: &mut Vec<String>,
) -> BTreeMap<String, Vec<String>> {
    let arrays = || function.parameters.iter().filter(|it| it.pointers == 1);
    let known = |it: &Parameter| match &usage.arrays.get(&it.name)?.shape {
        Shape::Known(shape) => Some(shape.clone()),
        Shape::Unseen | Shape::Unclear => None,
    };
    let is_moved = |it: &Parameter| usage.arrays.get(&it.name).is_some_and(|it| it.is_moved);
    let mut found = BTreeMap::new();
    let mut integers = function.parameters.iter().filter(|it| it.is_integer());
    // One that is called so, and the only one.
    let length = integers
        .next()
        .filter(|it| is_length(it) && integers.next().is_none());
    let length = length.filter(|_| arrays().all(|it| known(it).is_none()));
    let (mut unknown, mut guessed) = (Vec::new(), Vec::new());
    for array in arrays() {
        let own = format!("{}_size", variable(&array.name));
        let shape = match (known(array), length) {
            (Some(shape), _) => shape,
            (None, Some(length)) if !is_moved(array) => {
                guessed.push(format!("`{}`", array.name));
                vec![length.name.clone()]
            }
            _ => {
                unknown.push(format!("`{}`", array.name));
                vec![own]
            }
        };
        found.insert(array.name.clone(), shape);
    }
    if let (Some(length), [_, ..]) = (length, guessed.as_slice()) {
        notes.push(format!(
            "that `{}` is the size of {} is a guess",
            length.name,
            guessed.join(", ")
        ));
    }
    if !unknown.is_empty() {
        notes.push(format!(
            "what sizes {} must have is not known",
            unknown.join(", ")
        ));
    }
    found
}

fn is_length(parameter: &Parameter) -> bool {
    let name = parameter.name.to_lowercase();
    LENGTHS.split(' ').any(|it| name == it)
        || ["n_", "num_"].iter().any(|it| name.starts_with(it))
        || ["_size", "_len", "_length", "_count"]
            .iter()
            .any(|it| name.ends_with(it))
}

fn part(
    at: usize,
    parameter: &Parameter,
    element: Option<Element>,
    usage: &Usage,
    shapes: &BTreeMap<String, Vec<String>>,
) -> Part {
    let name = match parameter.name.as_str() {
        "" => format!("arg{at}"),
        name => variable(name),
    };
    let Some(element) = element else {
        return Part::Stream;
    };
    let Some(shape) = shapes
        .get(&parameter.name)
        .filter(|_| parameter.pointers == 1)
    else {
        // An array that has it gives it.
        let gives = shapes.iter().find_map(|(array, shape)| {
            let axis = shape.iter().position(|it| *it == parameter.name)?;
            let axis = (shape.len() > 1).then_some(axis);
            Some(Part::Size {
                array: variable(array),
                axis,
            })
        });
        let default = parameter.default.as_deref().and_then(literal);
        let default = default.filter(|_| !parameter.is_default_chosen);
        return gives.unwrap_or(Part::Scalar {
            name,
            element,
            default,
        });
    };
    let size = |it: &String| match it.parse::<u32>() {
        Ok(_) => it.clone(),
        Err(_) => variable(it),
    };
    let mut shape: Vec<_> = shape.iter().map(size).collect();
    if let Element::Dtype {
        count: count @ 2.., ..
    } = element
    {
        shape.push(count.to_string());
    }
    let default = Use {
        escapes: 1,
        ..Use::default()
    };
    let of = usage.arrays.get(&parameter.name).unwrap_or(&default);
    Part::Array {
        name,
        element,
        shape,
        is_written: !parameter.is_const && (of.is_written || of.escapes > 0),
    }
}

/// Adds notes on what `#if` and macros choose.
fn on_preprocessor(function: &Function, parts: &[Part], notes: &mut Vec<String>) {
    if let Some(condition) = &function.condition {
        notes.push(format!(
            "whether it is there depends on `{condition}`: build its file with the same definitions"
        ));
    }
    for (parameter, part) in function.parameters.iter().zip(parts) {
        let (Part::Array { name, .. } | Part::Scalar { name, .. }) = part else {
            continue;
        };
        if let Some(chosen) = &parameter.chosen {
            notes.push(format!(
                "the dtype of `{name}` depends on `{chosen}`, which the preprocessor chooses"
            ));
        }
    }
}

/// Keeps the values of scalars that a call leaves out, which only come last, and says what others there are.
fn on_defaults(function: &Function, parts: &mut [Part], notes: &mut Vec<String>) {
    let mut is_last = true;
    for (parameter, part) in function.parameters.iter().zip(parts).rev() {
        match part {
            Part::Size { .. } | Part::Stream => continue,
            Part::Scalar { default, .. } if is_last && default.is_some() => continue,
            Part::Scalar { default, .. } => *default = None,
            Part::Array { .. } => {}
        }
        is_last = false;
        if let Some(value) = &parameter.default {
            let name = &parameter.name;
            let condition = match parameter.is_default_chosen {
                true => " with some definitions",
                false => "",
            };
            notes.push(format!(
                "`{name}` is `{value}` by default in C++{condition}, and must be given here"
            ));
        }
    }
}

/// A number, or a bool, as declarations write it.
fn literal(text: &str) -> Option<String> {
    match text {
        "true" => return Some("True".to_owned()),
        "false" => return Some("False".to_owned()),
        _ => {}
    }
    let number = text.trim_end_matches(['f', 'F', 'u', 'U', 'l', 'L']);
    let number = number
        .strip_suffix('.')
        .map_or(number.to_owned(), |it| format!("{it}.0"));
    number
        .parse::<f64>()
        .is_ok_and(f64::is_finite)
        .then_some(number)
}

fn on_directions(function: &Function, usage: &Usage, notes: &mut Vec<String>) {
    let (mut written, mut read) = (Vec::new(), Vec::new());
    let arrays = function
        .parameters
        .iter()
        .filter(|it| it.pointers == 1 && !it.is_const);
    for parameter in arrays {
        let of = usage.arrays.get(&parameter.name);
        let is_read = of.is_some_and(|it| !it.is_written && it.escapes == 0);
        let name = format!("`{}`", parameter.name);
        if is_read { &mut read } else { &mut written }.push(name);
    }
    if !written.is_empty() {
        notes.push(format!(
            "{}: `out`, or a result behind `->`, where all of it is written and none is read",
            written.join(", ")
        ));
    }
    if !read.is_empty() {
        notes.push(format!("not const, and only read: {}", read.join(", ")));
    }
}

/// The name that a function has in Python.
fn name(name: &str, stem: &str) -> Result<String, String> {
    let own = shortened(snake_case(name));
    let refused = names::of_function(&own);
    let other = || shortened(snake_case(&format!("{stem}_{name}")));
    match refused {
        None => Ok(own),
        Some(_) if names::of_function(&other()).is_none() => Ok(other()),
        Some(reason) => Err(format!("it cannot be called `{own}` in Python: {reason}")),
    }
}

/// The name that a parameter has in the declaration.
fn variable(name: &str) -> String {
    let own = ["grid", "result", "value"]; // of the code around it
    let is_free = |it: &String| names::of_argument(it).is_none() && !own.contains(&it.as_str());
    let short = shortened(snake_case(name));
    [name.to_owned(), short.clone(), format!("{short}_")]
        .into_iter()
        .find(is_free)
        .unwrap_or(format!("arg_{short}"))
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut before = '_';
    for letter in name.chars() {
        let starts_word = letter.is_ascii_uppercase() && !before.is_ascii_uppercase();
        if before != '_' && (starts_word || letter == '_') {
            snake.push('_');
        }
        if letter != '_' {
            snake.push(letter.to_ascii_lowercase());
        }
        before = letter;
    }
    snake.trim_matches('_').to_owned()
}

/// At the end of a word of it.
fn shortened(name: String) -> String {
    match name.get(..names::LENGTH) {
        Some(start) if name.len() > names::LENGTH => {
            let end = start.rfind('_').unwrap_or(names::LENGTH);
            start[..end].to_owned()
        }
        _ => name,
    }
}
