//! What may be wrong in a declaration that could be read.

use super::declaration::{Argument, Declaration, Extent, Kind, Shape, Type};
use super::names;
use super::read::Fault;

/// The limits of the runtime.
const ARGUMENTS: usize = 16;
const RANK: usize = 8;
const LENGTH: usize = 31;

/// The first fault of a declaration whose text is known.
pub fn check(declaration: &Declaration) -> Result<(), Fault> {
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
            Kind::Number { default: Some(_) } => late = Some(&argument.name),
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
    for result in results {
        if let Some(shape) = &result.shape {
            rank(shape, result.at)?;
            if *shape == Shape::Any && !arguments.iter().any(Argument::is_any) {
                let problem = "the result has any shape, and no argument has one to take it from";
                return Err(Fault::new(
                    result.at,
                    problem,
                    "give an argument the shape `(...)`",
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
    let arguments = declaration.arguments.iter().map(|it| (&it.name, it.at));
    let results = declaration.results.iter().map(|it| (&it.name, it.at));
    let mut seen = vec![&declaration.name];
    for variable in &declaration.variables {
        if seen.contains(&&variable.name) {
            let problem = format!("`{}` is there twice", variable.name);
            return Err(Fault::new(0, problem, "give each a name of its own"));
        }
        seen.push(&variable.name);
    }
    for (name, at) in arguments
        .chain(results)
        .filter(|(name, _)| !name.is_empty())
    {
        if let Some(reason) = names::of_argument(name) {
            let problem = format!("`{name}` cannot be an argument: {reason}");
            return Err(Fault::new(at, problem, "choose another name"));
        }
        if seen.contains(&name) {
            let problem = format!("`{name}` is there twice");
            return Err(Fault::new(at, problem, "give each a name of its own"));
        }
        seen.push(name);
    }
    for (name, at) in declaration.arguments.iter().map(|it| (&it.name, it.at)) {
        if name.len() > LENGTH {
            let problem = format!("`{name}` has more than {LENGTH} letters");
            return Err(Fault::new(at, problem, "choose a shorter name"));
        }
    }
    Ok(())
}

fn variables(declaration: &Declaration) -> Result<(), Fault> {
    for (number, variable) in declaration.variables.iter().enumerate() {
        let decides = |it: &Argument| it.dtype == Type::Variable(number) && it.is_array();
        if !declaration.arguments.iter().any(decides) {
            let problem = format!(
                "`{}` is the dtype of no array among the arguments",
                variable.name
            );
            return Err(Fault::new(
                0,
                problem,
                "arrays decide which dtype it is: use it for one, or a dtype",
            ));
        }
    }
    Ok(())
}

/// Every size is that of an axis of an argument, or an integer.
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
    for (shape, at) in shapes.chain(results) {
        for name in shape.extents().iter().flat_map(Extent::names) {
            if let Some(reason) = names::of_argument(name) {
                let problem = format!("`{name}` cannot be a size: {reason}");
                return Err(Fault::new(at, problem, "choose another name"));
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
                None => format!("`{name}` is the size of no axis of an argument"),
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

/// Whether an axis of an argument is just this.
fn gives(declaration: &Declaration, name: &str) -> bool {
    declaration.arguments.iter().any(|it| match &it.kind {
        Kind::Array { shape, .. } => shape.extents().contains(&Extent::Name(name.to_owned())),
        Kind::Number { .. } => false,
    })
}
