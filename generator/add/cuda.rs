//! A function as a file of CUDA C++.

use std::borrow::Borrow;

use cuvec_declare::DType;
use cuvec_declare::declaration::{Argument, Extent, Kind, Role, Shape, Type};

use super::declaration::{Declaration, Written};
use super::layout::{WIDTH, aligned, call, head};
use super::option;
use super::structure;
use crate::error::Result;
use crate::package::filled;

pub fn source(d: &Declaration) -> Result<String> {
    let own: String = d.structs.iter().map(structure::cpp).collect();
    let row = d.row();
    let is_of_part = row.is_some() || d.is_by_element();
    let mut values = vec![
        ("name", d.name.clone()),
        ("includes", includes(d, is_of_part)),
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
            let (parameters, names) = parameters(d);
            values.extend([
                ("gpu", body(d, "gpu", &parameters)),
                ("cpu", body(d, "cpu", &parameters)),
                ("statements", unused(4, names)),
            ]);
            include_str!("effect.cu.hbs")
        }
        () => {
            values.extend(whole(d));
            include_str!("whole.cu.hbs")
        }
    };
    filled(template, values)
}

fn includes(d: &Declaration, is_of_part: bool) -> String {
    let algorithm = if !is_of_part && d.written().len() > 1 {
        "#include <algorithm>\n"
    } else {
        ""
    };
    format!("{algorithm}#include <cuvec.h>\n\n{}", d.includes())
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

/// A line with a text; what is too long for a line is a raw string, which is left as it is.
pub fn constant(name: &str, lines: &[String]) -> String {
    let start = format!("  static constexpr auto {name} =");
    let one = format!("{start} \"{}\";\n", lines.join(" "));
    if one.len() <= WIDTH + 1 {
        return one;
    }
    let raw = format!("R\"({})\";\n", lines.join("\n      "));
    match format!("{start} R\"({}", lines[0]).len() <= WIDTH {
        true => format!("{start} {raw}"),
        false => format!("{start}\n      {raw}"),
    }
}

fn typed(d: &Declaration, dtype: Type) -> String {
    match dtype {
        Type::Real(number) => format!("real_t<{}>", d.variables[number].name),
        _ => d.typed(dtype, DType::cpp),
    }
}

/// Returns the type of a scalar, or of an element of an array.
fn value(d: &Declaration, argument: &Argument) -> String {
    let dtype = typed(d, argument.dtype);
    match argument.kind {
        Kind::Option(_) => option::name(d, argument),
        Kind::Tuple(count) => format!("Tuple<{dtype}, {count}>"),
        Kind::Number | Kind::DType | Kind::Array { .. } => dtype,
    }
}

fn view(kind: &str, dtype: &str, shape: &Shape) -> String {
    match (shape.rank(), shape.layout) {
        (1, "") => format!("{kind}<{dtype}>"),
        (rank, "") => format!("{kind}<{dtype}, {rank}>"),
        (rank, "rows") => format!("{kind}<{dtype}, {rank}, Rows>"),
        (rank, _) => format!("{kind}<{dtype}, {rank}, Strided>"),
    }
}

/// `template <class T> `, or nothing.
pub fn template(variables: &[impl Borrow<str>]) -> String {
    match variables {
        [] => String::new(),
        names => format!("template <class {}> ", names.join(", class ")),
    }
}

/// `<T>`, or nothing.
pub fn chosen(variables: &[impl Borrow<str>]) -> String {
    match variables {
        [] => String::new(),
        names => format!("<{}>", names.join(", ")),
    }
}

fn variables(d: &Declaration) -> Vec<&str> {
    d.variables.iter().map(|it| it.name.as_str()).collect()
}

/// The head of a body of the struct.
fn body(d: &Declaration, name: &str, parameters: &[String]) -> String {
    let mut all = parameters.to_vec();
    if name == "gpu" {
        all.insert(0, "Call &call".to_owned());
    }
    head(
        2,
        &template(&variables(d)),
        &format!("static void {name}"),
        &all,
    )
}

/// The statements without which compilers would warn of parameters.
fn unused(indent: usize, names: impl IntoIterator<Item = String>) -> String {
    let line = |name: String| format!("{:indent$}(void){name};\n", "");
    names.into_iter().map(line).collect()
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
        (
            "head",
            head(2, &template(&variables(d)), &start, &parameters),
        ),
        ("part", part.to_owned()),
        ("what", d.in_stub().to_owned()),
        ("statements", unused(4, names) + &set),
    ]
}

fn parameters(d: &Declaration) -> (Vec<String>, Vec<String>) {
    let arguments = d.passed().map(|it| {
        let dtype = value(d, it);
        let shown = match it.shape() {
            None => dtype,
            Some(shape) if it.role() == Some(Role::In) => view("In", &dtype, shape),
            Some(shape) => view("Out", &dtype, shape),
        };
        (format!("{shown} {}", it.name), it.name.clone())
    });
    let written = d.written().into_iter().filter(|it| it.argument.is_none());
    let results = written.map(|it| {
        let kind = if it.shape.at_most { "AtMost" } else { "Out" };
        let shown = view(kind, &typed(d, it.dtype), &it.shape);
        (format!("{shown} {}", it.name), it.name)
    });
    arguments.chain(results).unzip()
}

/// One function computes an element of all that is written, one kernel calls it for each.
fn whole(d: &Declaration) -> Vec<(&'static str, String)> {
    let (parameters, names) = parameters(d);
    let (name, template, chosen) = (&d.name, template(&variables(d)), chosen(&variables(d)));
    let written = d.written();
    let with = |items: &[String], one: &str| [items, &[one.to_owned()]].concat();
    // How many elements there are; of several arrays, of the largest.
    let sizes: Vec<_> = written.iter().map(size).collect();
    let (count, counted) = match sizes.as_slice() {
        [one] => (one.clone(), String::new()),
        all => {
            let count = d.free(&["count", "n_elements"]);
            let line = format!(
                "    const int64 {count} = std::max({{{}}});\n",
                all.join(", ")
            );
            (count, line)
        }
    };
    let (mut of_kernel, mut launched) = (parameters.clone(), names.clone());
    if !counted.is_empty() {
        of_kernel.push(format!("int64 {count}"));
        launched.push(count.clone());
    }
    launched.insert(0, format!("threads_for({count})"));
    let start = format!("__host__ __device__ inline void {name}_element");
    let element = format!("{name}_element{chosen}");
    let of_element = with(&names, "i");
    let launch = call(
        4,
        &format!("call.launch<{name}_kernel{chosen}>"),
        &launched,
        ";",
    );
    let parallel = parallel(&count, &element, &of_element);
    vec![
        (
            "element",
            head(0, &template, &start, &with(&parameters, "int64 i")),
        ),
        ("comment", comment(d)),
        ("statements", statements(d, &written)),
        (
            "kernel",
            head(
                0,
                &template,
                &format!("__global__ void {name}_kernel"),
                &of_kernel,
            ),
        ),
        ("call", aligned(4, &element, &of_element, ";")),
        (
            "gpu",
            function(body(d, "gpu", &parameters), &counted, launch),
        ),
        ("cpu", body(d, "cpu", &parameters)),
        ("counted", counted),
        ("parallel", parallel),
        ("count", count),
    ]
}

fn size(written: &Written) -> String {
    let axis = match written.shape.at_most && written.shape.rank() > 1 {
        true => "0",
        false => "",
    };
    format!("{}.size({axis})", written.name)
}

/// A body of the struct, in a line if it is one, as clang-format does it.
fn function(head: String, before: &str, statement: String) -> String {
    let line = format!("{head} {} }}", statement.trim_start());
    match before.is_empty() && line.len() <= WIDTH && !line.contains('\n') {
        true => line,
        false => format!("{head}\n{before}{statement}\n  }}"),
    }
}

/// As clang-format does it: in a line, the body in the next, or the body in lines of its own.
fn parallel(count: &str, element: &str, names: &[String]) -> String {
    let lambda = aligned(0, &format!("[=](int64 i) {{ {element}"), names, "; });");
    let one = format!("    parallel({count}, {lambda}");
    match (one.len(), lambda.len()) {
        (..=WIDTH, _) => one,
        (_, ..=87) => format!("    parallel({count},\n             {lambda}"),
        _ => {
            let body = aligned(6, element, names, ";");
            format!("    parallel({count}, [=](int64 i) {{\n{body}\n    }});")
        }
    }
}

/// The lines that say what is to be written.
fn comment(d: &Declaration) -> String {
    let written = d.written();
    let mut text = String::new();
    if !written.iter().all(|it| it.shape.at_most) {
        let (what, place) = (d.in_stub(), d.place());
        text += &format!("Element `i` of each output, which {what} in this stub: {place}.\n");
    }
    for pass in d.found() {
        let (name, size) = (&pass[0].name, size(&pass[0]));
        text += &format!("Results found at `i`, none in this stub: {}.\n", d.place());
        text += &match (pass.as_slice(), pass[0].shape.rank()) {
            ([_], 1) => format!("`{name}.push(...)` adds it.\n"),
            _ => format!(
                "It has one index in these results: `{name}.next()` returns it, and `next()` of the others\n\
                 counts it, too. Only an index less than `{size}` may be written to.\n"
            ),
        };
    }
    if d.has_rows() {
        text += "Leading dimensions are one here: `T(...,n)` is a matrix of rows.\n";
    }
    if d.arguments.iter().any(|it| d.is_index(it)) {
        text += "An index is not checked: with a parameter `KernelCall call`, for which `call` is passed, here\n\
                 and in the kernel, `call.fail_if(wrong, \"index is out of range\", index)` raises an error.\n";
    }
    text.lines().map(|it| format!("  // {it}\n")).collect()
}

fn statements(d: &Declaration, written: &[Written]) -> String {
    let is_set = |it: &Written| !it.stays() && !it.shape.at_most;
    let set: Vec<_> = written.iter().filter(|it| is_set(it)).collect();
    let is_unused = |it: &String| set.iter().all(|one| one.name != *it);
    let mut text = unused(2, parameters(d).1.into_iter().filter(is_unused));
    if set.is_empty() {
        text += "  (void)i;\n";
    }
    for it in &set {
        let (name, value) = (&it.name, typed(d, it.dtype));
        text += &match written.len() {
            1 => format!("  {name}[i] = {value}();\n"),
            _ => format!("  if (i < {name}.size()) {{\n    {name}[i] = {value}();\n  }}\n"),
        };
    }
    text
}
