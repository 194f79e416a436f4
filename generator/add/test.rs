//! The test of a function: a comparison with NumPy.

use cuvec_declare::DType;
use cuvec_declare::declaration::{Argument, Kind, Role, Shape, Structure, Type};
use cuvec_declare::literal::{Literal, tuple};

use super::declaration::{Declaration, Written};
use super::layout::listed;
use super::sizes::{dtype_of, dtype_shown, rows, scalars, sizes};
use super::{structure, values};
use crate::error::Result;
use crate::package::filled;

const PLACE: &str =
    "# Write here what the function is in NumPy; the stub of the kernel does the same.";

pub fn source(d: &Declaration, module: &str) -> Result<String> {
    let parameters = parameters(d);
    let marks = parameters.iter().map(parametrize);
    let names = parameters.iter().flat_map(|(names, _)| names);
    let head = format!("def test_{}", d.name);
    let what = if d.is_effect() {
        "called"
    } else {
        "compared with NumPy"
    };
    let values = vec![
        ("name", d.name.clone()),
        ("what", what.to_owned()),
        ("imports", imports(d, module, !parameters.is_empty())),
        ("marks", marks.collect()),
        ("head", listed(0, &head, "(", names, "):")),
        ("lines", lines(d).join("\n")),
    ];
    filled(include_str!("test.py.hbs"), values)
}

fn imports(d: &Declaration, module: &str, has_parameters: bool) -> String {
    let has_arrays = d.arguments.iter().any(Argument::is_array);
    let mut names = vec![d.name.as_str()];
    names.extend(has_arrays.then_some("cuvec"));
    let is_named = |it: &&Structure| d.names_in_test(it);
    names.extend(d.structs.iter().filter(is_named).map(|it| it.name.as_str()));
    names.sort_unstable();
    let ml_dtypes = "import ml_dtypes  # noqa: F401  # from here on NumPy knows its dtypes by name";
    let others = [
        (d.all_dtypes().any(DType::is_extension), ml_dtypes),
        (has_arrays || !d.is_effect(), "import numpy as np"),
        (has_parameters, "import pytest"),
    ];
    let mut lines: Vec<_> = others.iter().filter(|it| it.0).map(|it| it.1).collect();
    lines.extend((!lines.is_empty()).then_some(""));
    let own = format!("from {module} import {}", names.join(", "));
    lines.push(&own);
    lines.join("\n") + "\n"
}

// ---- what it is called with

/// Names of parameters, and what they are in turn.
type Parameter = (Vec<String>, Vec<String>);

fn parameters(d: &Declaration) -> Vec<Parameter> {
    let texts = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect();
    let mut found = Vec::new();
    for (number, variable) in d.variables.iter().enumerate() {
        let dtypes = variable.dtypes.iter();
        let dtypes = dtypes.map(|it| format!("\"{}\"", it.numpy())).collect();
        found.push((vec![dtype_of(d, number)], dtypes));
    }
    let names = sizes(d);
    if !names.is_empty() {
        let shown = |row: Vec<i64>| match row.as_slice() {
            [one] => one.to_string(),
            all => tuple(all.iter().map(i64::to_string)),
        };
        found.push((names, rows(d).into_iter().map(shown).collect()));
    }
    if d.shapes().any(|it| it.leading) {
        let (name, shapes) = match d.has_rows() {
            true => ("leading", ["()", "(0,)", "(5,)", "(3, 4)"]),
            false => ("shape", ["(0,)", "(1,)", "(1000,)", "(3, 4)"]),
        };
        found.push((texts(&[name]), texts(&shapes)));
    }
    for argument in &d.arguments {
        if let Kind::Option(choices) = &argument.kind {
            let choices = choices.iter().map(quoted).collect();
            found.push((vec![argument.name.clone()], choices));
        }
        if argument.is_optional() {
            let flag = format!("has_{}", argument.name);
            found.push((vec![flag], texts(&["True", "False"])));
        }
    }
    found
}

fn parametrize((names, values): &Parameter) -> String {
    let quoted: Vec<_> = names.iter().map(|it| format!("\"{it}\"")).collect();
    let names = match quoted.as_slice() {
        [one] => one.clone(),
        all => listed(4, "", "(", all, ")"),
    };
    let values = listed(4, "", "[", values, "]");
    listed(0, "@pytest.mark.parametrize", "(", &[names, values], ")") + "\n"
}

fn quoted(choice: &Literal) -> String {
    format!("\"{}\"", choice.text)
}

fn lines(d: &Declaration) -> Vec<String> {
    let mut lines = Vec::new();
    if d.arguments.iter().any(|it| it.is_array() && it.is_read()) {
        lines.push("rng = np.random.default_rng(0)".to_owned());
    }
    // Sizes first: arrays are made with them.
    let (sizes, others): (Vec<_>, Vec<_>) = d.arguments.iter().partition(|it| d.is_size(it));
    for argument in sizes.into_iter().chain(others) {
        lines.extend(value(d, argument));
    }
    // The function takes its defaults, except where the test has a parameter: for arrays, choices and dtypes.
    let is_given = |it: &&Argument| {
        let is_parameter = it.is_optional() || !it.choices().is_empty() || it.kind == Kind::DType;
        it.default.is_none() || is_parameter
    };
    let given = d.arguments.iter().filter(is_given).map(|it| {
        let value = match it.dtype {
            Type::Variable(number) if it.kind == Kind::DType => dtype_of(d, number),
            _ => it.name.clone(),
        };
        match it.keyword_only || it.default.is_some() {
            true => format!("{}={value}", it.name),
            false => value,
        }
    });
    let names: Vec<_> = (0..d.returned()).map(|it| d.name_of_result(it)).collect();
    let results = match names.is_empty() {
        true => String::new(),
        false => format!("{} = ", names.join(", ")),
    };
    let call = listed(4, &format!("{results}{}", d.name), "(", given, ")");
    let mut compared = d.written();
    compared.retain(|it| !it.is_saved);
    if compared.is_empty() {
        lines.push(call);
        lines.push("# Compare here what it has done.".to_owned());
    } else {
        lines.push(PLACE.to_owned());
        lines.extend(expected(d, &compared));
        lines.push(call);
        lines.extend(comparison(d, &compared));
    }
    lines.iter().map(|it| format!("    {it}")).collect()
}

fn shape_of(d: &Declaration, shape: &Shape) -> String {
    match (shape.leading && shape.extents.is_empty(), d.has_rows()) {
        (true, true) => "leading".to_owned(),
        (true, false) => "shape".to_owned(),
        (false, _) => {
            let sizes = shape.extents.iter().map(|it| it.written("//"));
            let leading = shape.leading.then(|| "*leading".to_owned());
            tuple(leading.into_iter().chain(sizes))
        }
    }
}

fn value(d: &Declaration, argument: &Argument) -> Vec<String> {
    let name = &argument.name;
    let dtype = dtype_shown(d, argument.dtype);
    let Some(shape) = argument.shape() else {
        let is_parameter = matches!(argument.kind, Kind::Option(_) | Kind::DType);
        return match d.by_value(argument) {
            Some(it) => vec![structure::value(it, name)],
            // The shapes of arrays name a size, also if the call leaves it to its default.
            None if d.is_size(argument) || argument.default.is_none() && !is_parameter => {
                vec![format!("{name} = {}", scalar_shown(d, argument))]
            }
            None => Vec::new(),
        };
    };
    let shape = shape_of(d, shape);
    let mut lines = match d.structure(argument.dtype) {
        _ if argument.role() == Some(Role::Out) => {
            vec![format!("{name} = cuvec.empty({shape}, {dtype})")]
        }
        Some(it) => {
            let made = format!("{name} = cuvec.zeros({shape}, {dtype})");
            [vec![made], structure::filled(it, name)].concat()
        }
        None => {
            let values = values::random(d, argument, &shape);
            vec![listed(
                4,
                &format!("{name} = cuvec.asarray"),
                "(",
                &[values, dtype],
                ")",
            )]
        }
    };
    if argument.is_optional() {
        lines.push(format!("if not has_{name}:"));
        lines.push(format!("    {name} = None"));
    }
    lines
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
        dtype if d.dtypes_of(dtype).iter().any(|it| it.is_bool()) => "1".to_owned(),
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

// ---- what NumPy says

fn expected(d: &Declaration, compared: &[Written]) -> Vec<String> {
    if let [one] = compared {
        return vec![format!("expected = {}", zeros(d, one))];
    }
    let mut lines = vec!["expected = {".to_owned()];
    let item = |it: &Written| format!("    \"{}\": {},", it.name, zeros(d, it));
    lines.extend(compared.iter().map(item));
    lines.push("}".to_owned());
    lines
}

/// Returns what an array is in a stub.
fn zeros(d: &Declaration, written: &Written) -> String {
    let name = &written.name;
    let zeros = || {
        let (shape, dtype) = (shape_of(d, &written.shape), dtype_shown(d, written.dtype));
        let real = if matches!(written.dtype, Type::Real(_)) {
            ".real"
        } else {
            ""
        };
        let found = if written.shape.at_most { "[:0]" } else { "" };
        format!("np.zeros({shape}, {dtype}){real}{found}")
    };
    let value = if written.stays() {
        format!("{name}.copy()")
    } else {
        zeros()
    };
    match written.may_be_none() {
        false => value,
        true => format!("None if {name} is None else {value}"),
    }
}

fn comparison(d: &Declaration, compared: &[Written]) -> Vec<String> {
    let mut lines = Vec::new();
    for it in compared.iter().filter(|it| it.is_new_array()) {
        let (name, dtype) = (&it.name, dtype_shown(d, it.dtype));
        if !it.shape.at_most {
            lines.push(format!("assert {name}.shape == {}", shape_of(d, &it.shape)));
        }
        lines.push(match it.dtype {
            Type::Real(_) => format!("assert {name}.dtype.kind == \"f\""),
            _ => format!("assert {name}.dtype == {dtype}"),
        });
    }
    for mut pass in d.found() {
        pass.retain(|it| !it.is_saved);
        lines.extend(sorted(d, &pass));
    }
    let mut tolerance = None;
    for it in compared {
        let name = &it.name;
        let expected = match compared {
            [_] => "expected".to_owned(),
            _ => format!("expected[\"{name}\"]"),
        };
        let optional = it.may_be_none();
        let (table, compare) = compare(d, it, &expected);
        // One that several results share is said once.
        if table.is_some() && table != tolerance {
            lines.extend(table.clone());
            tolerance = table;
        }
        lines.extend(optional.then(|| format!("if {name} is not None:")));
        lines.push(if optional {
            format!("    {compare}")
        } else {
            compare
        });
    }
    lines
}

/// The line that compares, and the one before it if the tolerance depends on the dtype.
fn compare(d: &Declaration, written: &Written, expected: &str) -> (Option<String>, String) {
    let dtypes = d.dtypes_of(written.dtype);
    let compare = |how: &str, rtol: Option<&str>| {
        let mut items = vec![written.name.clone(), expected.to_owned()];
        // Absolutely, too: where terms cancel, what is left of their errors is large compared with the result.
        items.extend(
            rtol.into_iter()
                .flat_map(|it| [format!("rtol={it}"), format!("atol={it}")]),
        );
        let indent = if written.may_be_none() { 8 } else { 4 };
        listed(indent, &format!("np.testing.assert_{how}"), "(", items, ")")
    };
    if !dtypes.iter().any(|it| it.is_inexact()) {
        return (None, compare("array_equal", None));
    }
    let tolerance = tolerance_of(dtypes[0]);
    if dtypes.iter().all(|it| tolerance_of(*it) == tolerance) {
        return (None, compare("allclose", Some(&tolerance)));
    }
    let others = dtypes.iter().filter(|it| tolerance_of(**it) != TOLERANCE);
    let others = others.map(|it| format!("\"{}\": {}", it.numpy(), tolerance_of(*it)));
    let end = format!("}}.get({}, {})", dtype_shown(d, written.dtype), TOLERANCE,);
    let table = listed(4, "rtol = ", "{", others, &end);
    (Some(table), compare("allclose", Some("rtol")))
}

/// Relative tolerance of most results.
const TOLERANCE: &str = "1e-5";

/// Tolerance of a dtype: two units in the last place of short floats; integers: 0.
fn tolerance_of(dtype: DType) -> String {
    let units = |fraction: u32| 2.0 * 0.5_f32.powi(fraction as i32);
    match dtype.small_float() {
        _ if !dtype.is_inexact() => "0".to_owned(),
        None => TOLERANCE.to_owned(),
        Some(it) if it.fraction < 4 => units(it.fraction).to_string(),
        Some(it) => format!("{:.0e}", units(it.fraction)),
    }
}

/// The lines that sort what is found, so that it can be compared.
fn sorted(d: &Declaration, found: &[Written]) -> Vec<String> {
    let is_simple = |it: &&Written| it.shape.rank() == 1 && d.structure(it.dtype).is_none();
    let is_whole = |it: &&Written| d.dtypes_of(it.dtype).into_iter().all(DType::is_integer);
    let mut simple = found.iter().filter(is_simple);
    let key = simple.clone().find(is_whole).or_else(|| simple.next());
    let Some(Written { name: key, .. }) = key else {
        return vec![
            "# It comes in no particular order: sort it before you compare it.".to_owned(),
        ];
    };
    let order = d.free(&["order", "places", "sorted_places"]);
    let mut lines = vec![
        format!("# In no particular order: `expected` is sorted by `{key}`."),
        format!("{order} = np.argsort({key})"),
    ];
    let sort = |it: &Written| format!("{0} = np.asarray({0})[{order}]", it.name);
    lines.extend(found.iter().map(sort));
    lines
}
