//! Names of functions, methods and structs: each is one thing, and Python and the package have it for nothing else.

use std::iter;

use cuvec_spec::{Argument, Field, Spec, Struct, is_identifier};

use super::Function;
use crate::error::{Error, Kind, Result};

/// Modules of a package, and types that the stub of its functions uses.
const TAKEN: &str = "bool complex cuvec dask ext float int jax object overload str torch tuple";

/// # Errors
/// `Kind::Unavailable`, which is an error of the build: the stub is written then.
pub fn check(spec: &Spec) -> Result<()> {
    let refused = |name: &str, what: &str| {
        let file = spec.file;
        Err(Kind::Unavailable(format!("{file}: `{name}` is {what}; choose another name")).into())
    };
    let arguments = spec.arguments.iter().map(|argument| argument.name);
    let dimensions = spec.dimensions.iter().map(|dimension| dimension.name);
    let variables = spec.variables.iter().map(|variable| variable.name);
    let named = arguments.chain(dimensions).chain(variables);
    let named = named.filter(|name| !name.is_empty()); // a result need not have one
    let mut names = iter::once(spec.own_name()).chain(named);
    if let Some(name) = names.find(|name| !is_identifier(name)) {
        return refused(name, "a keyword of Python");
    }
    let mut taken = TAKEN.split_ascii_whitespace();
    match taken.any(|word| word == spec.own_name()) {
        true => refused(spec.own_name(), "a module or a type of the package"),
        false => check_methods(spec),
    }
}

/// A class has each of its methods once, and none that all classes have.
fn check_methods(spec: &Spec) -> Result<()> {
    let methods = spec.class.map_or(&[][..], |class| class.methods);
    for (index, method) in methods.iter().enumerate() {
        let (file, name) = (method.file, method.own_name());
        let is_twice = methods[..index].iter().any(|it| it.name == method.name);
        let what = match name {
            _ if is_twice => "a method twice",
            "close" | "closed" => "a member of all classes",
            _ if name.starts_with('_') => "private, which no method is",
            _ if method.arguments.iter().any(|it| it.name == "self") => {
                "a method with an argument `self`, as Python calls its object"
            }
            _ => {
                check(method)?;
                continue;
            }
        };
        let problem = format!("{file}: `{name}` is {what}; choose another name");
        return Err(Kind::Unavailable(problem).into());
    }
    Ok(())
}

/// No function is called as the named tuple of another's results.
///
/// # Errors
/// As for [`check`].
pub fn check_result_types(functions: &[Function]) -> Result<()> {
    let taken = |name: &String| functions.iter().find(|it| it.spec.name == name);
    let result_types = functions.iter().filter_map(|it| it.spec.result_type());
    match result_types.filter_map(|name| taken(&name)).next() {
        Some(function) => {
            let Spec { file, name, .. } = function.spec;
            let problem = format!("{file}: `{name}` names the results of another function");
            Err(Kind::Unavailable(format!("{problem}; choose another name")).into())
        }
        None => Ok(()),
    }
}

/// All structs, in the order of their names. Each has one layout, whatever function names it in which language.
///
/// # Errors
/// `Kind::Unavailable` for two of one name, and for one that a function has taken.
pub(super) fn structs(functions: &[Function]) -> Result<Vec<&'static Struct>> {
    let methods = functions.iter().flat_map(|it| &it.methods);
    let specs = functions.iter().chain(methods).map(|it| &it.spec);
    let mut found: Vec<(&Spec, &'static Struct)> = Vec::new();
    for spec in specs {
        for structure in spec.arguments.iter().filter_map(Argument::structure) {
            check_struct(spec, structure)?;
            let before = found.iter().find(|(_, it)| it.name == structure.name);
            match before {
                Some((_, same)) if *same == structure => {}
                Some((other, differs)) => return Err(differ((other, differs), (spec, structure))),
                None => found.push((spec, structure)),
            }
        }
    }
    let is_taken = |name| functions.iter().any(|function| function.spec.name == name);
    if let Some((spec, taken)) = found.iter().find(|(_, it)| is_taken(it.name)) {
        let (file, name) = (spec.file, taken.name);
        let problem =
            format!("{file}: the struct `{name}` is called as a function is; choose another name");
        return Err(Kind::Unavailable(problem).into());
    }
    let mut structs: Vec<_> = found.into_iter().map(|(_, structure)| structure).collect();
    structs.sort_by_key(|it| it.name);
    Ok(structs)
}

/// NumPy has all that is in it, and Python can name it.
fn check_struct(spec: &Spec, structure: &Struct) -> Result<()> {
    let (file, name) = (spec.file, structure.name);
    let extension = structure.fields.iter().find(|it| it.dtype.is_extension());
    let problem = match extension {
        Some(Field {
            name: field, dtype, ..
        }) => {
            let dtype = dtype.name();
            format!(
                "`{field}` of the struct `{name}` is {dtype}, which NumPy has not; use another type"
            )
        }
        None if !is_identifier(name) => {
            format!("the struct `{name}` is a keyword of Python; choose another name")
        }
        None => return Ok(()),
    };
    Err(Kind::Unavailable(format!("{file}: {problem}")).into())
}

fn differ((first, one): (&Spec, &Struct), (second, other): (&Spec, &Struct)) -> Error {
    let (name, file) = (one.name, second.file);
    Kind::Unavailable(format!(
        "{file}: the struct `{name}` is {}, {} bytes, and in {} it is {}, {} bytes; declare it once, in a \
         header that both include, or alike in both languages",
        other.text(),
        other.size,
        first.file,
        one.text(),
        one.size,
    ))
    .into()
}

#[cfg(test)]
mod tests {
    use cuvec_spec::{DType, Shape, Type};

    use super::*;

    const SMALL: &Struct = &Struct {
        name: "Small",
        size: 4,
        alignment: 4,
        fields: &[Field {
            name: "a",
            dtype: DType::F32,
            offset: 0,
            shape: &[],
        }],
    };
    const OTHER: &Struct = &Struct {
        fields: &[Field {
            dtype: DType::BF16,
            ..SMALL.fields[0]
        }],
        ..*SMALL
    };

    fn function(name: &'static str, structure: &'static Struct) -> Function {
        let dtype = Type::Fixed(DType::Struct(structure));
        Function::new(Spec {
            name,
            file: "kernels/f.cu",
            arguments: vec![Argument::inout("x", dtype, Shape::ANY)].leak(),
            ..Spec::EMPTY
        })
    }

    fn problem(functions: &[Function]) -> String {
        structs(functions).unwrap_err().to_string()
    }

    #[test]
    fn a_name_is_one_struct() {
        let own: &Struct = Box::leak(Box::new(*SMALL));
        let both = [function("f", SMALL), function("g", own)];
        assert_eq!(structs(&both).unwrap(), [SMALL]);
        let wide: &Struct = Box::leak(Box::new(Struct { size: 8, ..*SMALL }));
        let problem = problem(&[function("f", SMALL), function("g", wide)]);
        assert!(
            problem.contains("`Small` is Small(a: float32), 8 bytes"),
            "{problem}"
        );
    }

    #[test]
    fn names_and_members_that_python_has_not() {
        let taken = problem(&[function("Small", SMALL)]);
        assert!(taken.contains("called as a function is"), "{taken}");
        let extension = problem(&[function("f", OTHER)]);
        assert!(
            extension.contains("`a` of the struct `Small` is bfloat16"),
            "{extension}"
        );
        let keyword: &Struct = Box::leak(Box::new(Struct {
            name: "class",
            ..*SMALL
        }));
        let keyword = problem(&[function("f", keyword)]);
        assert!(keyword.contains("`class` is a keyword"), "{keyword}");
    }
}
