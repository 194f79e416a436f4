//! Checks of declarations that a stub is to be written of.

use cuvec_declare::Fault;
use cuvec_declare::check::sizes;
use cuvec_declare::declaration::{Argument, Kind, Name};
use cuvec_declare::read::Known;

use super::declaration::Declaration;
use super::language::Language;
use super::{names, passes};

/// The first fault of a declaration whose text is known.
pub fn check(declaration: &Declaration, language: &Language) -> Result<(), Fault> {
    every_name(declaration)?;
    for argument in &declaration.arguments {
        if let Some(shape) = argument.shape()
            && argument.is_optional()
            && !shape.layout.is_empty()
            && !language.optional_layouts
        {
            let problem = format!("`{}` is optional, and `{}`", argument.name, shape.layout);
            let hint = "remove one of them: kernels in Rust take no such arrays";
            return Err(Fault::new(argument.at, problem, hint));
        }
    }
    choices(declaration)?;
    dimensions(declaration)?;
    cuvec_declare::check(declaration, &Known::default(), &language.integers)
}

fn every_name(declaration: &Declaration) -> Result<(), Fault> {
    // Functions of elements in C++.
    let elements = declaration.written();
    let elements = elements.iter().map(passes::element);
    // Variables of tests, which leave optional arrays out.
    let optional = declaration.arguments.iter().filter(|it| it.is_optional());
    let flags = optional.map(|it| format!("has_{}", it.name));
    let helpers: Vec<_> = elements.chain(flags).collect();
    for (what, name, at) in declaration.names() {
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
        let mut structs = declaration.structs.iter();
        if *name == declaration.name || structs.any(|it| it.name == *name) {
            let problem = format!("`{name}` is there twice");
            return Err(Fault::new(at, problem, "give each a name of its own"));
        }
    }
    Ok(())
}

fn choices(declaration: &Declaration) -> Result<(), Fault> {
    for argument in declaration.options() {
        let choices = argument.choices();
        for choice in choices {
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
        }
    }
    Ok(())
}

fn dimensions(declaration: &Declaration) -> Result<(), Fault> {
    for (Name { text: name, at }, or_found) in sizes(declaration) {
        if let Some(reason) = names::of_dimension(name) {
            let problem = format!("`{name}` cannot be a size: {reason}");
            let hint = format!("choose another name{or_found}");
            return Err(Fault::new(*at, problem, hint));
        }
    }
    Ok(())
}
