//! What may be wrong in a declaration that could be read.

use super::declaration::{Argument, Declaration, Extent, Kind, Shape, Type};
use super::dtype::DType;
use super::fault::Fault;
use super::literal::Integers;
use super::names;

/// The limits of the runtime.
const ARGUMENTS: usize = 16;
const DIMENSIONS: usize = 16;
const VARIABLES: usize = 4;
const RANK: usize = 8;

/// Each is compiled by itself.
const VARIANTS: usize = 256;

/// The first fault of a declaration whose text is known.
pub fn check(declaration: &Declaration, integers: &Integers) -> Result<(), Fault> {
    let Declaration {
        arguments, results, ..
    } = declaration;
    if arguments.len() + results.len() > ARGUMENTS {
        let problem = format!("more than {ARGUMENTS} arguments and results");
        return Err(Fault::new(0, problem, "put several of them into one array"));
    }
    every_name(declaration)?;
    if declaration.written().is_empty() {
        let hint = "give it a result, `-> y: float64(n)`, or an argument that is written, `y: inout float64(n)`";
        return Err(Fault::new(0, "nothing is written", hint));
    }
    let mut late = None;
    for argument in arguments {
        match &argument.kind {
            Kind::Array { shape, .. } => rank(shape, argument.at)?,
            Kind::Number {
                default: Some(default),
            } => {
                for dtype in declaration.dtypes_of(argument.dtype) {
                    default.check(dtype, integers)?;
                }
                late = Some(&argument.name);
            }
            Kind::Number { default: None } => {}
        }
        let without = !matches!(argument.kind, Kind::Number { default: Some(_) });
        if let Some(late) = late
            && without
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
            if shape.leading && !arguments.iter().any(Argument::is_leading) {
                let problem = "the result has any shape, and no argument has one to take it from";
                return Err(Fault::new(
                    result.at,
                    problem,
                    "give an argument `...`, such as `(...)` or `(...,n)`",
                ));
            }
        }
    }
    variables(declaration)?;
    dimensions(declaration)
}

fn rank(shape: &Shape, at: usize) -> Result<(), Fault> {
    match shape.rank() > RANK {
        true => Err(Fault::new(
            at,
            format!("more than {RANK} axes"),
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
    // Of functions in C++ which compute an element of an array, and of kernels which do so for all.
    let written = declaration.written();
    let helpers = written
        .iter()
        .map(|it| format!("{}_{}", declaration.name, it.name));
    let helpers: Vec<_> = helpers
        .flat_map(|it| [format!("{it}_kernel"), it])
        .collect();
    let mut seen = vec![&declaration.name];
    let all = variables.chain(arguments).chain(results);
    for (what, name, at) in all.filter(|(_, name, _)| !name.is_empty()) {
        let used = || "the code around it uses that name".to_owned();
        let is_used = helpers.contains(name);
        let reason = names::of_argument(name).or_else(|| is_used.then(used));
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
        let decides = |it: &Argument| it.dtype == Type::Variable(number) && it.is_array();
        if !declaration.arguments.iter().any(decides) {
            let problem = format!("`{name}` is the dtype of no array among the arguments");
            let hint = "arrays decide which dtype it is: use it for one, or a dtype";
            return fault(at, problem, hint);
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
    let shapes = declaration
        .arguments
        .iter()
        .filter_map(|it| match &it.kind {
            Kind::Array { shape, .. } => Some((shape, it.at)),
            Kind::Number { .. } => None,
        });
    let results = declaration
        .results
        .iter()
        .filter_map(|it| Some((it.shape.as_ref()?, it.at)));
    let mut seen = Vec::new();
    for (shape, at) in shapes.chain(results) {
        for name in shape.extents.iter().flat_map(Extent::names) {
            if let Some(reason) = names::of_dimension(name) {
                let problem = format!("`{name}` cannot be a size: {reason}");
                return Err(Fault::new(at, problem, "choose another name"));
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
            let problem = match argument {
                None if gives(declaration, name) => continue,
                None => format!("`{name}` is not a dimension of any argument"),
                Some(Argument {
                    kind: Kind::Array { .. },
                    ..
                }) => {
                    format!("`{name}` is an array and a size")
                }
                Some(argument) => match argument.dtype {
                    Type::Fixed(dtype) if dtype.is_integer() => continue,
                    _ => format!("`{name}` is a size and no integer"),
                },
            };
            let hint = format!(
                "an argument gives it: `x: float64({name})`, or an integer: `{name}: int64`"
            );
            return Err(Fault::new(at, problem, hint));
        }
    }
    Ok(())
}

/// Whether an axis of an argument says what this is.
fn gives(declaration: &Declaration, name: &str) -> bool {
    declaration.arguments.iter().any(|it| match &it.kind {
        Kind::Array { shape, .. } => shape.extents.iter().any(|it| it.gives(name)),
        Kind::Number { .. } => false,
    })
}
