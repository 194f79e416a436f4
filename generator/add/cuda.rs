//! A function as a file of CUDA C++.

use cuvec_declare::declaration::{Argument, Extent, Role, Shape};

use super::cpp::{constant, head, parameters, typed, unused, value, view};
use super::declaration::Declaration;
use super::{option, passes, structure};
use crate::error::Result;
use crate::package::filled;

pub fn source(d: &Declaration) -> Result<String> {
    let own: String = d.structs.iter().map(structure::cpp).collect();
    let row = d.row();
    let is_of_part = row.is_some() || d.is_by_element();
    let mut values = vec![
        ("name", d.name.clone()),
        (
            "includes",
            format!("#include <cuvec.h>\n\n{}", d.includes()),
        ),
        ("types", own + &option::enums(d)),
        ("declared", declared(d)),
        ("place", d.place().to_owned()),
    ];
    let template = match () {
        () if is_of_part => {
            values.extend(of_part(d, row.as_ref()));
            include_str!("each.cu.hbs")
        }
        () if d.is_effect() => {
            let (parameters, names): (Vec<_>, Vec<_>) = parameters(d).into_iter().unzip();
            let of_gpu = [&["Call &call".to_owned()], &parameters[..]].concat();
            values.extend([
                ("gpu", head(d, "static void gpu", &of_gpu)),
                ("cpu", head(d, "static void cpu", &parameters)),
                ("statements", unused(4, names)),
            ]);
            include_str!("effect.cu.hbs")
        }
        () => {
            values.extend(passes::values(d));
            include_str!("passes.cu.hbs")
        }
    };
    filled(template, values)
}

/// The lines with the signature, the derivative and the documentation.
fn declared(d: &Declaration) -> String {
    let derivative = d.derivative.as_ref();
    let derivative = derivative.map(|it| constant("derivative", std::slice::from_ref(it)));
    let doc = match &d.doc()[..] {
        [line] => format!("\"{line}\""),
        lines => format!("R\"({})\"", lines.join("\n")),
    };
    let doc = format!("  static constexpr auto doc = {doc};\n");
    constant("signature", &d.signature()) + &derivative.unwrap_or_default() + &doc
}

/// A parameter that is a number, or an element of an array.
fn item(d: &Declaration, argument: &Argument) -> String {
    let (dtype, name) = (value(d, argument), &argument.name);
    match argument.role() {
        Some(Role::In) if argument.is_optional() => format!("const {dtype} *{name}"),
        Some(_) if argument.is_optional() => format!("{dtype} *{name}"),
        Some(Role::Inout | Role::Out) => format!("{dtype} &{name}"),
        Some(Role::In) | None => format!("{dtype} {name}"),
    }
}

/// A parameter of a body of rows of this extent.
fn part_of_row(d: &Declaration, argument: &Argument, extent: &Extent) -> String {
    let (dtype, name) = (value(d, argument), &argument.name);
    match argument.shape() {
        None => item(d, argument),
        Some(shape) if shape.leading && shape.extents.is_empty() => item(d, argument),
        Some(_) if argument.role() != Some(Role::In) => format!("RowOut<{dtype}> {name}"),
        // All rows share one without leading dimensions.
        Some(shape) if shape.leading || *shape == Shape::of(extent) => {
            format!("RowIn<{dtype}> {name}")
        }
        Some(shape) => format!("{} {name}", view("In", &dtype, shape)),
    }
}

/// The body of one element of each array, or of one row of this extent.
fn of_part(d: &Declaration, extent: Option<&Extent>) -> [(&'static str, String); 4] {
    let written = d.written();
    let row = d.free(&["row", "this_row"]);
    let (name, part) = match extent {
        None => ("each", "An element"),
        Some(_) => ("row", "A row"),
    };
    let is_row = |shape: &Shape| extent.is_some() && !shape.extents.is_empty();
    let mut parameters: Vec<_> = extent.iter().map(|_| format!("Row &{row}")).collect();
    parameters.extend(d.passed().map(|it| match extent {
        None => item(d, it),
        Some(extent) => part_of_row(d, it, extent),
    }));
    for it in written.iter().filter(|it| it.argument.is_none()) {
        let (dtype, name) = (typed(d, it.dtype), &it.name);
        parameters.push(match is_row(&it.shape) {
            false => format!("{dtype} &{name}"),
            true => format!("RowOut<{dtype}> {name}"),
        });
    }
    let (mut names, mut set) = (Vec::new(), String::new());
    for it in written.iter().filter(|it| !it.stays()) {
        let (name, dtype) = (&it.name, typed(d, it.dtype));
        set += &match (is_row(&it.shape), it.may_be_none()) {
            (true, _) => format!("    {row}.each([&](Place i) {{ {name}[i] = {dtype}(); }});\n"),
            (_, true) => format!("    if ({name}) {{\n      *{name} = {dtype}();\n    }}\n"),
            (_, false) => format!("    {name} = {dtype}();\n"),
        };
    }
    if extent.is_some() && !set.contains(".each(") {
        names.push(row);
    }
    names.extend(
        d.passed()
            .filter(|it| it.is_read())
            .map(|it| it.name.clone()),
    );
    let start = format!("static __host__ __device__ void {name}");
    [
        ("head", head(d, &start, &parameters)),
        ("part", part.to_owned()),
        ("what", d.in_stub().to_owned()),
        ("statements", unused(4, names) + &set),
    ]
}
