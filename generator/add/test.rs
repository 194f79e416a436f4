//! The test of a function: a comparison with NumPy.

use super::compare;
use super::declaration::{
    Argument, Declaration, Extent, Kind, Role, Shape, Structure, Type, Written,
};
use super::dtype::DType;
use super::layout::Python;
use super::literal::{DefaultValue, Literal};
use super::sizes::{dtype_of, dtype_shown, rows, scalars, sizes};
use super::values;

/// Name of the function that sorts results.
const IN_ORDER: &str = "in_order";

pub fn source(d: &Declaration, module: &str) -> String {
    let name = &d.name;
    let mut imports = vec![name.as_str()];
    if d.arguments.iter().any(Argument::is_array) {
        imports.push("cuvec");
    }
    let is_named = |it: &&Structure| d.names_in_test(it);
    imports.extend(d.structs.iter().filter(is_named).map(|it| it.name.as_str()));
    imports.sort_unstable();
    let decorators = decorators(d);
    let pytest = if decorators.is_empty() {
        ""
    } else {
        "import pytest\n"
    };
    let parameters: Vec<_> = decorators
        .iter()
        .flat_map(|(names, _)| names.clone())
        .collect();
    let marks: String = decorators
        .iter()
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    let ml_dtypes = match d.all_dtypes().any(DType::is_extension) {
        true => "import ml_dtypes  # noqa: F401  # from here on NumPy knows its dtypes by name\n",
        false => "",
    };
    let (what, numpy) = match d.is_effect() {
        false => ("compared with NumPy", "import numpy as np\n"),
        true if d.arguments.iter().any(Argument::is_array) => ("called", "import numpy as np\n"),
        true => ("called", ""),
    };
    let blank = match numpy.len() + pytest.len() + ml_dtypes.len() {
        0 => "",
        _ => "\n",
    };
    format!(
        "\"\"\"`{name}`, {what}. On a GPU if there is one.\"\"\"\n\n\
         {ml_dtypes}{numpy}{pytest}{blank}from {module} import {}\n\n\n{}{marks}{}\n{}",
        imports.join(", "),
        match d.is_effect() {
            false => format!("{}{}\n\n", expected(d), in_order(d)),
            true => String::new(),
        },
        Python::atoms("(", parameters, "):").laid_out(0, &format!("def test_{name}"), ""),
        body(d),
    )
}

// ---- what NumPy says

fn expected(d: &Declaration) -> String {
    let mut parameters = Vec::new();
    let first_by_name = d.arguments.iter().position(|it| it.keyword_only);
    for (number, argument) in d.arguments.iter().enumerate() {
        if first_by_name == Some(number) {
            parameters.push(Python::atom("*"));
        }
        let name = argument.name.clone();
        parameters.push(match &argument.default {
            Some(default) => Python::Named(name, Box::new(default_value(default))),
            None => Python::Atom(name),
        });
    }
    let mut values: Vec<_> = compared(d).iter().map(|it| value(d, it)).collect();
    let value = match values.len() {
        1 => values.remove(0),
        _ => Python::Group("(", values, ")"),
    };
    format!(
        "{}\n    # Write here what the function is in NumPy; the stub of the kernel does the same.\n    {}\n",
        Python::Group("(", parameters, "):").laid_out(0, "def expected", ""),
        value.laid_out(4, "return ", ""),
    )
}

/// Returns the name of the function that sorts results, if some are found in no particular order.
fn name_of_order(d: &Declaration) -> Option<&'static str> {
    let finds = compared(d).iter().any(|it| it.shape.at_most);
    let other = |_| {
        if d.free(&[IN_ORDER]) == IN_ORDER {
            IN_ORDER
        } else {
            "sorted_results"
        }
    };
    finds.then_some(()).map(other)
}

/// The function that sorts what is found, so that it can be compared.
fn in_order(d: &Declaration) -> String {
    let Some(name) = name_of_order(d) else {
        return String::new();
    };
    let compared = compared(d);
    let names: Vec<_> = compared.iter().map(|it| it.name.clone()).collect();
    let order = d.free(&["order", "places", "sorted_places"]);
    let mut lines =
        vec!["# If the order of the results matters, compare them as they are.".to_owned()];
    for pass in d.passes() {
        let pass: Vec<_> = pass.iter().filter(|it| names.contains(&it.name)).collect();
        if !pass.first().is_some_and(|it| it.shape.at_most) {
            continue;
        }
        let simple = |it: &&&Written| it.shape.rank() == 1 && d.structure(it.dtype).is_none();
        let of_integers =
            |it: &&&Written| simple(it) && d.dtypes_of(it.dtype).into_iter().all(DType::is_integer);
        let key = pass.iter().find(of_integers);
        let key = key.or_else(|| pass.iter().find(simple)).unwrap_or(&pass[0]);
        let key_name = &key.name;
        lines.push(match pass.as_slice() {
            [_] => "# What is found comes in no particular order.".to_owned(),
            _ => {
                format!(
                    "# In no particular order: what belongs together is sorted by `{key_name}`."
                )
            }
        });
        match simple(&key) {
            true => lines.push(format!("{order} = np.argsort({key_name})")),
            false => {
                let values = d.free(&["values", "items", "all_values"]);
                lines.push(format!("{values} = {}.tolist()", sorted_by(d, key)));
                lines.push(format!(
                    "{order} = sorted(range(len({values})), key={values}.__getitem__)"
                ));
            }
        }
        let sorted = |it: &&Written| format!("{0} = np.asarray({0})[{order}]", it.name);
        lines.extend(pass.iter().map(sorted));
    }
    let all = match names.as_slice() {
        [one] => {
            lines.pop();
            Python::Atom(format!("np.asarray({one})[{order}]"))
        }
        _ => Python::atoms("(", names.clone(), ")"),
    };
    let head = Python::atoms("(", names, "):");
    lines.push(all.laid_out(4, "return ", ""));
    format!(
        "\n\n{}\n{}",
        head.laid_out(0, &format!("def {name}"), ""),
        indented(&lines)
    )
}

/// Returns the key that the rows and structs of an array are sorted by.
fn sorted_by(d: &Declaration, key: &Written) -> String {
    let name = &key.name;
    match d.structure(key.dtype) {
        Some(structure) => format!("np.asarray({name})[\"{}\"]", structure.members[0].name),
        None if d.dtypes_of(key.dtype).iter().any(|it| it.is_complex()) => {
            format!("np.stack((np.real({name}), np.imag({name})), -1)")
        }
        None => format!("np.asarray({name})"),
    }
}

fn default_value(default: &DefaultValue) -> Python {
    match default {
        DefaultValue::Nothing => Python::atom("None"),
        DefaultValue::Number(number) => Python::Atom(number.python()),
        DefaultValue::Choice(choice) => Python::Atom(quoted(choice)),
        DefaultValue::DType(dtype) => Python::Atom(format!("\"{}\"", dtype.numpy())),
        DefaultValue::Items(items) => match items.as_slice() {
            [one] => Python::Atom(format!("({},)", one.python())),
            items => Python::atoms("(", items.iter().map(Literal::python), ")"),
        },
    }
}

fn quoted(choice: &Literal) -> String {
    format!("\"{}\"", choice.text)
}

/// Returns the arrays written that callers see.
fn compared(d: &Declaration) -> Vec<Written<'_>> {
    let mut written = d.written();
    written.retain(|it| !it.is_saved);
    written
}

fn value(d: &Declaration, written: &Written) -> Python {
    let value = value_of(d, written);
    match written.may_be_none() {
        false => value,
        true => {
            let name = &written.name;
            Python::Atom(format!("None if {name} is None else {}", value.flat()))
        }
    }
}

fn value_of(d: &Declaration, written: &Written) -> Python {
    if written.stays() {
        return Python::atom(format!("{}.copy()", written.name));
    }
    let mut shape = written.shape.clone();
    if shape.at_most {
        (shape.at_most, shape.extents[0]) = (false, Extent::Number(0)); // nothing is found
    }
    let mut own = extents(&shape, &|name| size_of(d, name));
    let leading = leading_of(d).filter(|_| shape.leading);
    if let Some(leading) = &leading {
        own[0] = format!("*{leading}");
    }
    let shape = match (leading, own.as_slice()) {
        (Some(leading), [_]) => Python::Atom(leading),
        (None, [one]) => Python::Atom(format!("({one},)")),
        _ => Python::atoms("(", own, ")"),
    };
    let dtype = match written.dtype {
        Type::Struct(number) => d.structs[number].name.clone(),
        Type::Fixed(dtype) => format!("\"{}\"", dtype.numpy()),
        Type::Real(number) => match d.choosers(number).next() {
            Some(chooser) => format!("np.zeros((), {}).real.dtype", chooser.name),
            None => format!("{}.real.dtype", of_variable(d, number, written)),
        },
        Type::Variable(number) => match d.choosers(number).next() {
            Some(chooser) => chooser.name.clone(),
            None => format!("{}.dtype", of_variable(d, number, written)),
        },
    };
    Python::Group("np.zeros(", vec![shape, Python::Atom(dtype)], ")")
}

/// The first array that has the dtype of this variable: if no call must have one, what is written is optional.
fn of_variable<'d>(d: &'d Declaration, variable: usize, written: &'d Written) -> &'d str {
    let mut given = d.given();
    let found = given.find(|(it, _)| it.dtype == Type::Variable(variable));
    found.map_or(&written.name, |(it, _)| &it.name)
}

/// A size, as arguments give it.
fn size_of(d: &Declaration, name: &str) -> String {
    let is_it = |it: &Extent| *it == Extent::Name(name.to_owned());
    match d.arguments.iter().any(|it| it.name == name) {
        true => name.to_owned(),
        false => axis_of(d, is_it)
            .or_else(|| axis_of(d, |it| it.gives(name)))
            .unwrap_or_else(|| name.to_owned()),
    }
}

/// Returns the size from the first axis whose extent is such.
fn axis_of(d: &Declaration, is_it: impl Fn(&Extent) -> bool) -> Option<String> {
    d.given().find_map(|(argument, shape)| {
        let axis = shape.extents.iter().position(&is_it)?;
        let before = if shape.leading {
            shape.extents.len()
        } else {
            0
        };
        let size = format!(
            "{}.shape[{}]",
            argument.name,
            axis as isize - before as isize
        );
        Some(shape.extents[axis].solved(size))
    })
}

/// The leading axes, as the first argument that has some gives them.
fn leading_of(d: &Declaration) -> Option<String> {
    let leading = d.given().find(|(_, shape)| shape.leading);
    leading.map(|(it, shape)| match shape.extents.len() {
        0 => format!("{}.shape", it.name),
        own => format!("{}.shape[:-{own}]", it.name),
    })
}

fn extents(shape: &Shape, name: &dyn Fn(&str) -> String) -> Vec<String> {
    shape.written(|it| match (it, it.written(name, "//")) {
        (Extent::Name(_), text) => match text.strip_prefix('(').and_then(|it| it.strip_suffix(')'))
        {
            Some(inner) => inner.to_owned(), // it is calculated
            None => text,
        },
        (_, text) => text,
    })
}

fn tuple(shape: &Shape, name: &dyn Fn(&str) -> String) -> String {
    match extents(shape, name).as_slice() {
        [one] => format!("({one},)"),
        all => format!("({})", all.join(", ").replacen("...", "*leading", 1)),
    }
}

// ---- what it is called with

/// Names of parameters, and the lines that give them values.
fn decorators(d: &Declaration) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let mut parametrize = |names: Vec<String>, values: Python| {
        let quoted: Vec<_> = names.iter().map(|it| format!("\"{it}\"")).collect();
        let names_shown = match quoted.as_slice() {
            [one] => Python::atom(one),
            _ => Python::atoms("(", quoted, ")"),
        };
        let call = Python::Group("(", vec![names_shown, values], ")");
        let line = call.laid_out(0, "@pytest.mark.parametrize", "");
        found.push((names, line));
    };
    for (number, variable) in d.variables.iter().enumerate() {
        let dtypes = variable
            .dtypes
            .iter()
            .map(|it| format!("\"{}\"", it.numpy()));
        parametrize(vec![dtype_of(d, number)], Python::atoms("[", dtypes, "]"));
    }
    let names = sizes(d);
    let rows = rows(d);
    if !names.is_empty() {
        let tuples = rows.iter().map(|row| {
            let shown: Vec<_> = row.iter().map(ToString::to_string).collect();
            match shown.as_slice() {
                [one] => one.clone(),
                _ => format!("({})", shown.join(", ")),
            }
        });
        parametrize(names, Python::atoms("[", tuples, "]"));
    }
    if d.shapes().any(|it| it.leading) {
        let (name, shapes) = match d.has_rows() {
            true => ("leading", ["()", "(0,)", "(5,)", "(3, 4)"]),
            false => ("shape", ["(0,)", "(1,)", "(1000,)", "(3, 4)"]),
        };
        parametrize(vec![name.to_owned()], Python::atoms("[", shapes, "]"));
    }
    for argument in &d.arguments {
        if let Kind::Option(choices) = &argument.kind {
            let choices = Python::atoms("[", choices.iter().map(quoted), "]");
            parametrize(vec![argument.name.clone()], choices);
        }
        if argument.is_optional() {
            let flags = Python::atoms("[", ["True", "False"], "]");
            parametrize(vec![format!("has_{}", argument.name)], flags);
        }
    }
    found
}

fn shape_of(d: &Declaration, shape: &Shape) -> String {
    match shape.leading && shape.extents.is_empty() {
        true if d.has_rows() => "leading".to_owned(),
        true => "shape".to_owned(),
        false => tuple(shape, &str::to_owned),
    }
}

fn body(d: &Declaration) -> String {
    let mut lines = Vec::new();
    let random = |it: &Argument| it.is_array() && it.is_read();
    if d.arguments.iter().any(random) {
        lines.push("rng = np.random.default_rng(0)".to_owned());
    }
    // Sizes first: arrays are made with them.
    let (sizes, others): (Vec<_>, Vec<_>) = d.arguments.iter().partition(|it| d.is_size(it));
    for argument in sizes.into_iter().chain(others) {
        let name = &argument.name;
        let dtype = dtype_shown(d, argument.dtype);
        match &argument.kind {
            Kind::Array {
                role: Role::Out,
                shape,
                ..
            } => {
                lines.push(format!(
                    "{name} = cuvec.empty({}, {dtype})",
                    shape_of(d, shape)
                ));
                lines.extend(left_out(argument));
            }
            Kind::Array { shape, .. } if d.structure(argument.dtype).is_some() => {
                let shape = shape_of(d, shape);
                lines.push(format!("{name} = cuvec.zeros({shape}, {dtype})"));
                lines.extend(
                    d.structure(argument.dtype)
                        .map(|it| it.filled(name))
                        .into_iter()
                        .flatten(),
                );
                lines.extend(left_out(argument));
            }
            Kind::Array { shape, .. } => {
                let (before, values) = values::random(d, argument, &shape_of(d, shape));
                lines.extend(before);
                let values = Python::Group("(", vec![values, Python::Atom(dtype)], ")");
                lines.push(values.laid_out(4, &format!("{name} = cuvec.asarray"), ""));
                lines.extend(left_out(argument));
            }
            Kind::Option(_) | Kind::DType => {} // it is parametrized
            // Those with a default have it; a size that arrays have too needs its name in the test.
            _ if d.by_value(argument).is_some() => {
                let value = d.by_value(argument).map(Structure::value);
                lines.extend(value.map(|it| it.laid_out(4, &format!("{name} = "), "")));
            }
            _ => match &argument.default {
                None => lines.push(format!("{name} = {}", scalar_shown(d, argument))),
                Some(DefaultValue::Number(default))
                    if d.is_size(argument) && sizes_given(d, name) =>
                {
                    lines.push(format!("{name} = {}", default.text));
                }
                Some(_) => {}
            },
        }
    }
    let written = compared(d);
    let is_given = |it: &&Argument| {
        it.default.is_none()
            || it.is_optional()
            || !it.choices().is_empty()
            || it.kind == Kind::DType
    };
    let given = d.arguments.iter().filter(is_given);
    let call: Vec<_> = given
        .map(|it| {
            let value = match it.dtype {
                Type::Variable(number) if it.kind == Kind::DType => dtype_of(d, number),
                _ => it.name.clone(),
            };
            match it.keyword_only || it.default.is_some() {
                true => format!("{}={value}", it.name),
                false => value,
            }
        })
        .collect();
    let given = || Python::atoms("(", call.clone(), ")");
    if d.is_effect() {
        lines.push(given().laid_out(4, &d.name, ""));
        lines.push("# Compare here what it has done.".to_owned());
        return indented(&lines);
    }
    lines.push(given().laid_out(4, "wanted = expected", ""));
    let names: Vec<_> = (0..d.returned()).map(|it| d.name_of_result(it)).collect();
    let results = match names.is_empty() {
        true => String::new(),
        false => format!("{} = ", names.join(", ")),
    };
    lines.push(given().laid_out(4, &format!("{results}{}", d.name), ""));
    let (table, rtol) = compare::tolerance(d, &written);
    lines.extend(table);
    let compare = |got: &str, wanted: &str| compare::lines(d, &written, got, wanted, rtol);
    match written.as_slice() {
        [one] => {
            let sort =
                |order: &str| [&one.name, "wanted"].map(|it| format!("{it} = {order}({it})"));
            lines.extend(name_of_order(d).into_iter().flat_map(sort));
            lines.extend(compare(&one.name, "wanted"));
        }
        _ => {
            let (open, wanted) = match name_of_order(d) {
                Some(IN_ORDER) => ("in_order(", "in_order(*wanted)"),
                Some(_) => ("sorted_results(", "sorted_results(*wanted)"),
                None => ("(", "wanted"),
            };
            let names = Python::atoms(open, written.iter().map(|it| it.name.clone()), ")");
            let rest = [wanted, "strict=True"].map(Python::atom);
            let pairs = Python::Group("(", [names].into_iter().chain(rest).collect(), ")");
            lines.push(pairs.laid_out(4, "for got, it in zip", ":"));
            lines.extend(compare("got", "it").iter().map(|it| format!("    {it}")));
        }
    }
    indented(&lines)
}

fn indented(lines: &[String]) -> String {
    lines.iter().map(|it| format!("    {it}\n")).collect()
}

/// The lines after which an optional array is None in some of the tests.
fn left_out(argument: &Argument) -> Vec<String> {
    let name = &argument.name;
    match argument.is_optional() {
        true => vec![format!("if not has_{name}:"), format!("    {name} = None")],
        false => Vec::new(),
    }
}

/// Checks whether an array among the arguments has this number as a size.
fn sizes_given(d: &Declaration, name: &str) -> bool {
    let mut extents = d
        .arguments
        .iter()
        .filter_map(Argument::shape)
        .flat_map(|it| &it.extents);
    extents.any(|it| it.names().contains(&name))
}

/// Returns the value of a scalar without a default in tests.
pub fn scalar_shown(d: &Declaration, argument: &Argument) -> String {
    let number = number_shown(d, argument);
    match &argument.kind {
        Kind::Tuple(count) => format!("({number},) * {count}"),
        Kind::Option(choices) => choices.first().map(quoted).unwrap_or_default(),
        Kind::Number | Kind::DType | Kind::Array { .. } => number,
    }
}

fn number_shown(d: &Declaration, argument: &Argument) -> String {
    let sizes = scalars(d);
    if let Some((_, size)) = sizes.iter().find(|it| it.0 == argument.name) {
        return size.to_string();
    }
    match argument.dtype {
        Type::Fixed(dtype) if dtype.is_bool() => "True".to_owned(),
        // All that a bool takes.
        Type::Variable(number) if d.variables[number].dtypes.iter().any(|it| it.is_bool()) => {
            "1".to_owned()
        }
        _ => {
            let others = d.arguments.iter().filter(|it| is_like_no_other(d, it));
            let place = others.take_while(|it| it.name != argument.name).count();
            // With 1, a factor or an exponent that is left out would not be seen.
            let mut numbers = (2..).filter(|it| sizes.iter().all(|size| size.1 != *it));
            numbers.nth(place).unwrap_or(2).to_string()
        }
    }
}

/// Checks whether a test gives a number to this scalar that no other one has, so that two that are
/// swapped are seen.
fn is_like_no_other(d: &Declaration, argument: &Argument) -> bool {
    let is_number = matches!(argument.kind, Kind::Number | Kind::Tuple(_));
    is_number
        && argument.default.is_none()
        && !d.is_size(argument)
        && d.by_value(argument).is_none()
        && !d.dtypes_of(argument.dtype).iter().any(|it| it.is_bool())
}
