//! Checks of declarations that could be read.

use super::Language;
use super::declaration::{Argument, Declaration, Extent, Kind, Shape, Type};
use super::dtype::DType;
use super::fault::Fault;
use super::literal::DefaultValue;
use super::names;
use super::read::{FOUND, ITEMS, dtype};
use crate::wording::quoted_list;

/// The limits of the runtime.
const ARGUMENTS: usize = 32;
const DIMENSIONS: usize = 16;
const VARIABLES: usize = 4;
const RANK: usize = 8;
/// Choices of all options of a function.
const CHOICES: usize = 32;

/// Each is compiled by itself.
const VARIANTS: usize = 256;

/// The first fault of a declaration whose text is known.
pub fn check(declaration: &Declaration, language: &Language) -> Result<(), Fault> {
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
            if argument.is_optional() && !shape.layout.is_empty() && !language.optional_layouts {
                let problem = format!("`{}` is optional, and `{}`", argument.name, shape.layout);
                let hint = "remove one of them: kernels in Rust take no such arrays";
                return Err(Fault::new(argument.at, problem, hint));
            }
        }
        if let Some(default) = &argument.default {
            for dtype in declaration.dtypes_of(argument.dtype) {
                for number in default.numbers() {
                    number.check(dtype, &language.integers)?;
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
    variables(declaration)?;
    dimensions(declaration)
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
            let is_own =
                (choice.text == argument.name).then(|| "the option is called so".to_owned());
            if let Some(reason) = is_own.or_else(|| names::of_choice(&choice.text)) {
                let problem = format!("`{}` cannot be a choice: {reason}", choice.text);
                return Err(Fault::new(choice.at, problem, "choose another text"));
            }
            let in_cpp = format!("{}_", choice.text);
            if names::is_taken_in_cpp(&choice.text) && choices.iter().any(|it| it.text == in_cpp) {
                let problem = format!("`{}` is `{in_cpp}` in C++, as another one", choice.text);
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
    let named = |what, name, at| (what, name, at);
    let variables = declaration.variables.iter();
    let variables = variables.map(|it| named("a dtype variable", &it.name, it.at));
    let arguments = declaration.arguments.iter();
    let arguments = arguments.map(|it| named("an argument", &it.name, it.at));
    let results = declaration.results.iter();
    let results = results.map(|it| named("a result", &it.name, it.at));
    // Functions in C++ next to the struct.
    let helpers = ["element", "kernel"].map(|it| format!("{}_{it}", declaration.name));
    // Variables of tests, which leave optional arrays out.
    let optional = declaration.arguments.iter().filter(|it| it.is_optional());
    let flags = optional.map(|it| format!("has_{}", it.name));
    let helpers: Vec<_> = helpers.into_iter().chain(flags).collect();
    let mut seen = vec![&declaration.name];
    seen.extend(declaration.structs.iter().map(|it| &it.name));
    let all = variables.chain(arguments).chain(results);
    for (what, name, at) in all.filter(|(_, name, _)| !name.is_empty()) {
        let used = || "the code around it uses that name".to_owned();
        let is_used = helpers.contains(name);
        let chooses =
            |it: &Argument| it.name == *name && it.name == "dtype" && it.kind == Kind::DType;
        let reason = match declaration.arguments.iter().any(chooses) {
            true => None, // as tests have it
            false => names::of_argument(name),
        };
        let reason = reason.or_else(|| is_used.then(used));
        let is_option = declaration.options().any(|it| it.name == *name);
        let reason = reason.or_else(|| is_option.then(|| names::of_option(name))?);
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

fn variables(declaration: &Declaration) -> Result<(), Fault> {
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
                    && let Err((problem, hint)) = dtype(name)
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

/// Every size is the size of a dimension of an argument, or an integer.
fn dimensions(declaration: &Declaration) -> Result<(), Fault> {
    let arguments = declaration.arguments.iter();
    let shapes = arguments.filter_map(|it| Some((it.shape()?, it.at)));
    let results = declaration
        .results
        .iter()
        .filter_map(|it| Some((it.shape.as_ref()?, it.at)));
    let mut seen = Vec::new();
    let of_arguments = shapes.map(|(shape, at)| (shape, at, ""));
    let found = format!("; {FOUND}");
    let of_results =
        results.map(|(shape, at)| (shape, at, if shape.at_most { "" } else { &found }));
    for (shape, at, or_found) in of_arguments.chain(of_results) {
        for name in shape.extents.iter().flat_map(Extent::names) {
            if let Some(reason) = names::of_dimension(name) {
                let problem = format!("`{name}` cannot be a size: {reason}");
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
            let argument = declaration.arguments.iter().find(|it| it.name == name);
            let optional = is_of_optional(declaration, name);
            let problem = match argument {
                None if gives(declaration, name) => continue,
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
