//! The structs of a package, of which each has one layout, whatever function names it in which language.

use cuvec_spec::{Argument, Field, Spec, Struct, Type, is_identifier};

use super::Function;
use crate::error::{Error, Kind, Result};

/// The struct that an argument is, or an array of.
pub(super) fn of(argument: &Argument) -> Option<&'static Struct> {
    match argument.dtype {
        Type::Fixed(dtype) => dtype.structure(),
        Type::Variable(_) | Type::Real(_) => None,
    }
}

/// All of them, in the order of their names.
///
/// # Errors
/// `Kind::Unavailable` for two of one name, and for one that a function has taken.
pub(super) fn of_all(functions: &[Function]) -> Result<Vec<&'static Struct>> {
    let methods = functions.iter().flat_map(|it| &it.methods);
    let specs = functions.iter().chain(methods).map(|it| &it.spec);
    let mut found: Vec<(&Spec, &'static Struct)> = Vec::new();
    for spec in specs {
        for structure in spec.arguments.iter().filter_map(of) {
            check(spec, structure)?;
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
fn check(spec: &Spec, structure: &Struct) -> Result<()> {
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
    use cuvec_spec::{DType, Shape};

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
        of_all(functions).unwrap_err().to_string()
    }

    #[test]
    fn a_name_is_one_struct() {
        let own: &Struct = Box::leak(Box::new(*SMALL));
        let both = [function("f", SMALL), function("g", own)];
        assert_eq!(of_all(&both).unwrap(), [SMALL]);
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
