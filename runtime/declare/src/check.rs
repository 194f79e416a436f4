//! Checks of declarations that could be read.

use crate::declaration::{Argument, Declaration, Extent, Kind, Name, Shape, Type};
use crate::dtype::DType;
use crate::fault::{Fault, quoted_list};
use crate::literal::{DefaultValue, INTEGERS, Integers};
use crate::read::{FOUND, ITEMS, Known, dtype, whole};

/// The limits of the runtime.
pub const ARGUMENTS: usize = 32;
pub const DIMENSIONS: usize = 16;
pub const VARIABLES: usize = 4;
pub const RANK: usize = 8;
/// Choices of all options of a function.
const CHOICES: usize = 32;

/// Each is compiled by itself.
const VARIANTS: usize = 256;

/// The most letters of a name.
pub const LENGTH: usize = 63;

/// Reads and checks a whole declaration as a build does. A method knows the variables and the sizes of the constructor.
pub fn checked(
    text: &str,
    known: Known,
    constructor: Option<&Declaration>,
) -> Result<Declaration, Fault> {
    let sizes = constructor.map(Declaration::sizes).unwrap_or_default();
    let known = Known {
        variables: constructor.map_or(&[], |it| &it.variables),
        sizes: &sizes,
        ..known
    };
    let declaration = whole(text, &known)?;
    check(&declaration, &known, &INTEGERS)?;
    Ok(declaration)
}

/// Checks a declaration, in a language with these integers.
pub fn check(declaration: &Declaration, known: &Known, integers: &Integers) -> Result<(), Fault> {
    let Declaration {
        arguments, results, ..
    } = declaration;
    if arguments.len() + results.len() > ARGUMENTS {
        let problem = format!("more than {ARGUMENTS} arguments and results");
        return Err(Fault::new(0, problem, "put several of them into one array"));
    }
    every_name(declaration)?;
    structs(declaration)?;
    let mut late = None;
    for argument in arguments {
        if let Some(shape) = argument.shape() {
            rank(shape, argument.at)?;
        }
        if let Some(default) = &argument.default {
            for dtype in declaration.dtypes_of(argument.dtype) {
                for number in default.numbers() {
                    number.check(dtype, integers)?;
                }
            }
            late = Some(&argument.name);
        } else if let Some(late) = late
            && !argument.keyword_only
        {
            let problem = format!(
                "`{}` has no default and follows `{late}`, which has one",
                argument.name
            );
            return Err(Fault::new(
                argument.at,
                problem,
                "put those with defaults last, or behind `*`",
            ));
        }
    }
    for (number, result) in results.iter().enumerate() {
        let is_late = number >= declaration.returned() && number > 0;
        if result.is_saved != is_late
            || is_late && (result.name.is_empty() || result.shape.is_none())
        {
            let hint = "put it behind a result, such as `-> y: float64(n), rstd: saved float64()`";
            let problem = "a saved result is behind those that are not, and has a name and a shape";
            return Err(Fault::new(result.at, problem, hint));
        }
        if let Some(shape) = &result.shape {
            rank(shape, result.at)?;
            if shape.leading && !declaration.is_leading() {
                let problem = "the result has any shape, and no argument has one to take it from";
                return Err(Fault::new(
                    result.at,
                    problem,
                    "give an argument `...`, such as `(...)` or `(...,n)`",
                ));
            }
        }
    }
    options(declaration)?;
    variables(declaration, known)?;
    dimensions(declaration, known)
}

/// The choices, and how many items tuples have.
fn options(declaration: &Declaration) -> Result<(), Fault> {
    let (mut count, mut items) = (0, 0);
    for argument in &declaration.arguments {
        if let Kind::Tuple(more) = argument.kind {
            items += more;
        }
        if items > ITEMS {
            let problem = format!("more than {ITEMS} items in all tuples");
            return Err(Fault::new(argument.at, problem, "let one be an array"));
        }
        let choices = argument.choices();
        for choice in choices {
            count += 1;
            if choice.text.len() > LENGTH {
                let problem = format!("`{}` cannot be a choice: {}", choice.text, too_long());
                return Err(Fault::new(choice.at, problem, "choose another text"));
            }
            if count > CHOICES {
                let problem = format!("more than {CHOICES} choices of options");
                return Err(Fault::new(choice.at, problem, "let one be an integer"));
            }
        }
        if let Some(DefaultValue::Choice(default)) = &argument.default
            && !choices.iter().any(|it| it.text == default.text)
        {
            let problem = format!("`{}` is none of the choices", default.text);
            let hint = format!(
                "they are {}",
                quoted_list(choices.iter().map(|it| &*it.text))
            );
            return Err(Fault::new(default.at, problem, hint));
        }
    }
    Ok(())
}

/// Checks the arguments and results that cannot be structs.
fn structs(declaration: &Declaration) -> Result<(), Fault> {
    for argument in &declaration.arguments {
        if let Some(structure) = declaration.structure(argument.dtype) {
            let (name, of) = (&argument.name, &structure.name);
            let problem = match (&argument.kind, &argument.default) {
                (Kind::Tuple(_), _) => format!("`{name}` is a tuple of `{of}`, which is a struct"),
                (Kind::Number, Some(_)) => format!("`{name}` is a struct, which has no default"),
                _ => continue,
            };
            let hint = format!("write `{name}: {of}`, or an array, `{name}: {of}(n)`");
            return Err(Fault::new(argument.at, problem, hint));
        }
    }
    for result in &declaration.results {
        if result.shape.is_none()
            && let Some(structure) = declaration.structure(result.dtype)
        {
            let problem = "a result that is a struct has a shape";
            let hint = format!("such as `-> y: {}()`", structure.name);
            return Err(Fault::new(result.at, problem, hint));
        }
    }
    Ok(())
}

fn rank(shape: &Shape, at: usize) -> Result<(), Fault> {
    match shape.rank() > RANK {
        true => Err(Fault::new(
            at,
            format!("more than {RANK} dimensions"),
            "combine some of them",
        )),
        false => Ok(()),
    }
}

fn every_name(declaration: &Declaration) -> Result<(), Fault> {
    let mut seen = Vec::new();
    for (what, name, at) in declaration.names() {
        let reason = match name.as_str() {
            "out" | "stream" => Some("functions have it by themselves".to_owned()),
            _ => (name.len() > LENGTH).then(too_long),
        };
        if let Some(reason) = reason {
            let problem = format!("`{name}` cannot be {what}: {reason}");
            return Err(Fault::new(at, problem, "choose another name"));
        }
        if seen.contains(&name) {
            let problem = format!("`{name}` is there twice");
            return Err(Fault::new(at, problem, "give each a name of its own"));
        }
        seen.push(name);
    }
    Ok(())
}

fn too_long() -> String {
    format!("it has more than {LENGTH} letters")
}

fn variables(declaration: &Declaration, known: &Known) -> Result<(), Fault> {
    let variables = &declaration.variables;
    let fault = |at, problem, hint: &str| Err(Fault::new(at, problem, hint));
    if let Some(one_more) = variables.get(VARIABLES) {
        let problem = format!("more than {VARIABLES} dtype variables");
        return fault(one_more.at, problem, "use one for several arguments");
    }
    for (number, variable) in variables.iter().enumerate() {
        let (name, at) = (&variable.name, variable.at);
        let lower = name.to_lowercase();
        if DType::named(name).is_some() {
            return fault(at, format!("`{name}` is a dtype"), "choose another name");
        }
        if variables[..number]
            .iter()
            .any(|it| it.name.to_lowercase() == lower)
        {
            let problem = format!("`{name}` differs from another variable in its case alone");
            return fault(at, problem, "choose another name");
        }
        let mut given = declaration.given();
        let is_given = given.any(|(it, _)| it.dtype == Type::Variable(number));
        let choosers: Vec<_> = declaration.choosers(number).collect();
        let is_given = is_given || number < known.variables.len();
        match (is_given, choosers.as_slice()) {
            (true, []) | (false, [_]) => {}
            (false, []) if declaration.is_of_optional(number) => {}
            (true, [chooser, ..]) | (false, [_, chooser, ..]) => {
                let chooses = format!("`{}` chooses `{name}`", chooser.name);
                let problem = format!("{chooses}, which an array or another argument decides");
                return fault(chooser.at, problem, "give it a variable of its own");
            }
            (false, []) => {
                // `<T: float32, flaot64, U: int32>`
                if variable.is_shared
                    && let Err((problem, hint)) = dtype(name, known.is_cpp)
                    && hint.starts_with("did you mean")
                {
                    return fault(at, problem, &hint);
                }
                let problem = format!("`{name}` is the dtype of no array that every call has");
                let hint = format!(
                    "arrays that cannot be None decide which dtype it is: use it for one, `x: {name}(n)`, \
                     or write a dtype instead of it, or add an argument that chooses it, `dtype: dtype({name})`"
                );
                return fault(at, problem, &hint);
            }
        }
    }
    let variants: usize = variables.iter().map(|it| it.dtypes.len()).product();
    match variables.first().filter(|_| variants > VARIANTS) {
        Some(first) => fault(
            first.at,
            format!("{variants} combinations of dtypes, more than {VARIANTS}"),
            "each is compiled by itself: leave some dtypes out",
        ),
        None => Ok(()),
    }
}

/// Names in sizes, and what more is to be said in hints.
pub fn sizes(declaration: &Declaration) -> impl Iterator<Item = (&Name, String)> {
    let arguments = declaration.arguments.iter();
    let arguments = arguments.filter_map(|it| Some((it.shape()?, false)));
    let results = declaration.results.iter();
    let results = results.filter_map(|it| Some((it.shape.as_ref()?, true)));
    arguments.chain(results).flat_map(|(shape, is_result)| {
        let or_found = match is_result && !shape.at_most {
            true => format!("; {FOUND}"),
            false => String::new(),
        };
        let names = shape.extents.iter().flat_map(Extent::placed_names);
        names.map(move |name| (name, or_found.clone()))
    })
}

/// Every size is the size of a dimension of an argument, or an integer.
fn dimensions(declaration: &Declaration, known: &Known) -> Result<(), Fault> {
    let mut seen = Vec::new();
    for (Name { text: name, at }, or_found) in sizes(declaration) {
        let at = *at;
        if name.len() > LENGTH {
            let problem = format!("`{name}` cannot be a size: {}", too_long());
            let hint = format!("choose another name{or_found}");
            return Err(Fault::new(at, problem, hint));
        }
        if !seen.contains(&name) {
            seen.push(name);
        }
        if seen.len() > DIMENSIONS {
            let problem = format!("more than {DIMENSIONS} sizes with names");
            return Err(Fault::new(
                at,
                problem,
                "use numbers, or one name several times",
            ));
        }
        let others = declaration.results.iter().map(|it| &it.name);
        let others = others.chain(declaration.variables.iter().map(|it| &it.name));
        if others.chain([&declaration.name]).any(|it| it == name) {
            let problem = format!("`{name}` is a size and something else");
            return Err(Fault::new(
                at,
                problem,
                "choose another name for one of them",
            ));
        }
        let argument = declaration.arguments.iter().find(|it| it.name == *name);
        let optional = is_of_optional(declaration, name);
        let problem = match argument {
            None if gives(declaration, name) || known.sizes.iter().any(|it| it == name) => continue,
            None if optional => format!("`{name}` is a dimension of optional arrays alone"),
            None => format!("`{name}` is not a dimension of any argument"),
            Some(argument) => match (&argument.kind, argument.dtype) {
                (Kind::Array { .. }, _) => format!("`{name}` is an array and a size"),
                (Kind::Number, Type::Fixed(dtype)) if dtype.is_integer() => continue,
                _ => format!("`{name}` is a size and no integer"),
            },
        };
        let hint = format!(
            "an argument gives it: `x: float64({name})`, or an integer: `{name}: int64`{or_found}"
        );
        return Err(Fault::new(at, problem, hint));
    }
    Ok(())
}

/// Checks whether an axis of an array that may be None would determine this.
fn is_of_optional(declaration: &Declaration, name: &str) -> bool {
    let optional = declaration.arguments.iter().filter(|it| it.is_optional());
    let mut extents = optional
        .filter_map(Argument::shape)
        .flat_map(|it| &it.extents);
    extents.any(|it| it.gives(name))
}

/// Checks whether an axis of an argument determines this.
fn gives(declaration: &Declaration, name: &str) -> bool {
    let mut extents = declaration.given().flat_map(|(_, shape)| &shape.extents);
    extents.any(|it| it.gives(name))
}
