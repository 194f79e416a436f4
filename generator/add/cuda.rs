//! A function as a file of CUDA C++.

use super::declaration::{Argument, Declaration, Kind, Role, Shape, Structure, Type, Written};
use super::dtype::DType;
use super::layout::{aligned, call, head};
use super::option;
use super::signature::signature;

pub fn source(declaration: &Declaration) -> String {
    let d = declaration;
    let name = &d.name;
    let (before, bodies) = match d.is_by_element() {
        true => (String::new(), by_element(d)),
        false if d.is_effect() => (String::new(), effect(d)),
        false => (whole_before(d), whole(d)),
    };
    let using = match !d.is_by_element() || uses_names(d) {
        true => "using namespace cuvec;\n\n",
        false => "",
    };
    format!(
        "#include <cuvec.h>\n\n{}{using}{}{}{before}struct {name} {{\n{}  static constexpr auto doc = {};\n\n{bodies}}};\n\
         CUVEC_EXPORT({name});\n",
        d.includes(),
        d.structs.iter().map(Structure::cpp).collect::<String>(),
        option::enums(d),
        declared(d),
        doc(d),
    )
}

fn doc(d: &Declaration) -> String {
    match &super::doc(d)[..] {
        [line] => format!("\"{line}\""),
        lines => format!("R\"({})\"", lines.join("\n")),
    }
}

/// Checks whether it writes dtypes by names of the runtime.
fn uses_names(d: &Declaration) -> bool {
    let mut types = d
        .arguments
        .iter()
        .map(|it| it.dtype)
        .chain(d.results.iter().map(|it| it.dtype));
    let is_tuple = |it: &Argument| matches!(it.kind, Kind::Tuple(_));
    let is_name = |it: DType| it.cpp() == it.numpy() && !it.is_bool();
    let own = d.structs.iter().filter(|it| it.file.is_none());
    let mut members = own.flat_map(|it| &it.members);
    d.arguments.iter().any(is_tuple)
        || members.any(|it| is_name(it.dtype))
        || types.any(|it| match it {
            Type::Fixed(dtype) => is_name(dtype),
            Type::Variable(_) | Type::Struct(_) => false,
            Type::Real(_) => true,
        })
}

/// The lines with the signature and the derivative.
fn declared(d: &Declaration) -> String {
    let derivative = d.derivative.as_ref();
    let derivative = derivative.map(|it| constant("derivative", std::slice::from_ref(it)));
    constant("signature", &signature(d)) + &derivative.unwrap_or_default()
}

/// A line with a text; what is too long for a line is a raw string, which is left as it is.
pub fn constant(name: &str, lines: &[String]) -> String {
    let start = format!("  static constexpr auto {name} =");
    let one = format!("{start} \"{}\";\n", lines.join(" "));
    if one.len() <= 101 {
        return one;
    }
    let raw = format!("R\"({})\";\n", lines.join("\n      "));
    match format!("{start} R\"({}", lines[0]).len() <= 100 {
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

/// The parameter for a result.
fn result(dtype: &str, shape: &Shape) -> String {
    let kind = if shape.at_most { "AtMost" } else { "Out" };
    view(kind, dtype, shape)
}

/// For how many numbers what computes a result is called.
fn count(written: &Written) -> String {
    let axis = match written.shape.at_most && written.shape.rank() > 1 {
        true => "0",
        false => "",
    };
    format!("{}.size({axis})", written.name)
}

/// `template <class T> `, or nothing.
fn template(d: &Declaration) -> String {
    let names: Vec<_> = d
        .variables
        .iter()
        .map(|it| format!("class {}", it.name))
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("template <{}> ", names.join(", ")),
    }
}

/// `<T>`, or nothing.
fn chosen(d: &Declaration) -> String {
    let names: Vec<_> = d.variables.iter().map(|it| it.name.as_str()).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("<{}>", names.join(", ")),
    }
}

// ---- an element at a time

fn by_element(d: &Declaration) -> String {
    let mut parameters = Vec::new();
    let mut unused = Vec::new();
    for argument in d.passed() {
        let dtype = value(d, argument);
        let name = &argument.name;
        parameters.push(match argument.role() {
            Some(Role::In) if argument.is_optional() => format!("const {dtype} *{name}"),
            Some(_) if argument.is_optional() => format!("{dtype} *{name}"),
            Some(Role::Inout | Role::Out) => format!("{dtype} &{name}"),
            Some(Role::In) | None => format!("{dtype} {name}"),
        });
        if argument.is_read() {
            unused.push(name.clone());
        }
    }
    let mut lines = Vec::new();
    for written in d.written() {
        let dtype = typed(d, written.dtype);
        if written.argument.is_none() {
            parameters.push(format!("{dtype} &{}", written.name));
        }
        let name = &written.name;
        match (written.stays(), written.may_be_none()) {
            (true, _) => {}
            (false, false) => lines.push(format!("{name} = {dtype}();")),
            (false, true) => lines.push(format!(
                "if ({name}) {{\n      *{name} = {dtype}();\n    }}"
            )),
        }
    }
    let unused = unused.iter().map(|it| format!("(void){it};"));
    let statements: Vec<_> = unused.chain(lines).collect();
    let each = body(
        d,
        "static __host__ __device__ void each",
        &parameters,
        &statements,
    );
    format!("  // {}: {}.\n{each}\n", stub_comment(d), d.place())
}

/// A body of such statements. As clang-format does it: what is short stays in a line.
fn body(d: &Declaration, start: &str, parameters: &[String], statements: &[String]) -> String {
    let template = template(d);
    let end = match statements {
        [] => Some(" {}".to_owned()),
        [statement] if !statement.contains('\n') => Some(format!(" {{ {statement} }}")),
        _ => None,
    };
    let one_line = end.map(|end| aligned(2, &format!("{template}{start}"), parameters, &end));
    match one_line {
        Some(line) if line.lines().count() == 1 && line.len() <= 100 => line,
        _ => {
            let lines: String = statements.iter().map(|it| format!("    {it}\n")).collect();
            format!("{}\n{lines}  }}", head(2, &template, start, parameters))
        }
    }
}

/// The bodies of a function that writes nothing.
fn effect(d: &Declaration) -> String {
    let (mut parameters, names) = inputs(d);
    let unused = |name: &String| format!("(void){name};");
    let mut statements: Vec<_> = names.iter().map(unused).collect();
    let cpu = body(d, "static void cpu", &parameters, &statements);
    parameters.insert(0, "Call &call".to_owned());
    statements.insert(0, unused(&"call".to_owned()));
    let gpu = body(d, "static void gpu", &parameters, &statements);
    let place = d.place();
    format!("  // What it does, nothing in this stub: {place}.\n{gpu}\n{cpu}\n")
}

fn stub_comment(d: &Declaration) -> &'static str {
    match d.written().iter().all(Written::stays) {
        true => "An element, which stays as it is in this stub",
        false => "An element, which is zero in this stub",
    }
}

// ---- whole arrays

/// Parameters of what computes an element, without those that are only written.
fn inputs(d: &Declaration) -> (Vec<String>, Vec<String>) {
    let arguments = d.passed().filter(|it| it.is_read());
    arguments
        .map(|it| (parameter(d, it), it.name.clone()))
        .unzip()
}

fn parameter(d: &Declaration, argument: &Argument) -> String {
    let dtype = value(d, argument);
    let shown = match &argument.kind {
        Kind::Number | Kind::Option(_) | Kind::Tuple(_) | Kind::DType => dtype,
        Kind::Array {
            role: Role::In,
            shape,
            ..
        } => view("In", &dtype, shape),
        Kind::Array { shape, .. } => view("Out", &dtype, shape),
    };
    format!("{shown} {}", argument.name)
}

/// Returns a kernel's parameters, and the names that it is called with, if it writes these.
fn with_written(d: &Declaration, pass: &[Written]) -> (Vec<String>, Vec<String>) {
    let (mut parameters, mut names) = inputs(d);
    for written in pass.iter().filter(|it| !it.stays()) {
        let dtype = typed(d, written.dtype);
        parameters.push(format!(
            "{} {}",
            result(&dtype, &written.shape),
            written.name
        ));
        names.push(written.name.clone());
    }
    (parameters, names)
}

/// The comment and the body of what finds elements in a stub.
fn finds(d: &Declaration, pass: &[Written]) -> (String, String) {
    let [written] = pass else {
        return finds_together(d, pass);
    };
    let name = &written.name;
    let unused = with_written(d, pass).1.into_iter().chain(["i".to_owned()]);
    let body = unused.map(|it| format!("  (void){it};\n")).collect();
    let how = match written.shape.rank() {
        1 => format!("`{name}.push(...)`"),
        _ => format!("`{name}.next()`"),
    };
    let comment = format!("// What is found at `i`, nothing in this stub, is added\n// with {how}");
    (comment, body)
}

/// The same of several results: they have one place for what belongs together, and each is counted.
fn finds_together(d: &Declaration, pass: &[Written]) -> (String, String) {
    let found = d.free(&["found", "is_found", "finds"]);
    let at = d.free(&["at", "place", "found_at"]);
    let first = &pass[0];
    let unused = inputs(d).1.into_iter().chain(["i".to_owned()]);
    let mut body: String = unused.map(|it| format!("  (void){it};\n")).collect();
    body += &format!(
        "  const bool {found} = false;\n  if ({found}) {{\n    const int64 {at} = {}.next();\n",
        first.name
    );
    for other in &pass[1..] {
        body += &format!("    {}.next();\n", other.name);
    }
    body += &format!("    if ({at} < {}) {{\n", count(first));
    for written in pass {
        body += &element_found(d, written, &at);
    }
    body += "    }\n  }\n";
    let comment = format!(
        "// What is found at `i` has one index in all the results: `{}.next()` returns it,\n\
         // and the others count it, too. Nothing is found in this stub",
        first.name
    );
    (comment, body)
}

/// The lines that write what is found, with a loop for each of its own dimensions.
fn element_found(d: &Declaration, written: &Written, at: &str) -> String {
    let Written { name, shape, .. } = written;
    let is_free = |it: &String| *it == d.free(&[it]);
    let letters = ('j'..='z').map(String::from).filter(is_free);
    let indices: Vec<_> = letters.take(shape.rank() - 1).collect();
    let mut lines = String::new();
    let mut indent = 6;
    for (axis, index) in indices.iter().enumerate() {
        lines += &format!(
            "{:indent$}for (int64 {index} = 0; {index} < {name}.size({}); ++{index}) {{\n",
            "",
            axis + 1
        );
        indent += 2;
    }
    let element = match indices.is_empty() {
        true => format!("{name}[{at}]"),
        false => format!("{name}({at}, {})", indices.join(", ")),
    };
    lines += &format!("{:indent$}{element} = {}();\n", "", typed(d, written.dtype));
    for depth in (0..indices.len()).rev() {
        lines += &format!("{:1$}}}\n", "", 6 + 2 * depth);
    }
    lines
}

/// Returns the functions that compute an element of each array, and the kernels.
fn whole_before(d: &Declaration) -> String {
    let rows = match d.has_rows() {
        true => "// Leading dimensions are one here: `T(...,n)` is a matrix of rows.\n",
        false => "",
    };
    let place = d.place().replacen("and in", "and\n// in", 1);
    let indices = match d.arguments.iter().any(|it| d.is_index(it)) {
        true => {
            "// An index is not checked: with a parameter `KernelCall call`, for which `call` is passed, here\n\
             // and in the kernel, `call.fail_if(wrong, \"index is out of range\", index)` raises an error.\n"
        }
        false => "",
    };
    let mut text = String::new();
    for pass in d.passes() {
        let written = &pass[0];
        let (comment, body) = match written.shape.at_most {
            true => finds(d, &pass),
            false => computes(d, written),
        };
        let (parameters, _) = with_written(d, &pass);
        let kernel = format!(
            "__global__ void {}_{}_kernel",
            d.name,
            d.name_of_pass(&pass)
        );
        let (names, element) = element(d, &pass);
        text += &format!(
            "{comment}: {place}.\n{rows}{indices}{}\n{body}}}\n\n\
             {}\n  for (int64 i = thread_index(); i < {}; i += thread_count()) {{\n{}\n  }}\n}}\n\n",
            head_of_element(d, &pass),
            head(0, &template(d), &kernel, &parameters),
            count(written),
            aligned(4, &element, &names, ";"),
        );
    }
    text
}

/// The first line of what computes an element, or finds what is at an index.
fn head_of_element(d: &Declaration, pass: &[Written]) -> String {
    let written = &pass[0];
    let template = template(d);
    let inline = if template.is_empty() { "inline " } else { "" };
    let (mut parameters, returned) = match written.shape.at_most {
        true => (with_written(d, pass).0, "void".to_owned()),
        false => (inputs(d).0, typed(d, written.dtype)),
    };
    parameters.push("int64 i".to_owned());
    let start = format!(
        "__host__ __device__ {inline}{returned} {}_{}",
        d.name,
        d.name_of_pass(pass)
    );
    head(0, &template, &start, &parameters)
}

/// The comment and the body of what computes an element in a stub.
fn computes(d: &Declaration, written: &Written) -> (String, String) {
    let name = &written.name;
    let (_, names) = inputs(d);
    let unused = names.iter().filter(|it| *it != name);
    let unused: String = unused.map(|it| format!("  (void){it};\n")).collect();
    let (first, body) = match written.stays() {
        true => ("stays as it is", format!("{unused}  return {name}[i];\n")),
        false => {
            let dtype = typed(d, written.dtype);
            let body = format!("{unused}  (void)i;\n  return {dtype}();\n");
            ("is zero", body)
        }
    };
    let comment = format!("// Element `i` of `{name}` in memory, which {first} in this stub");
    (comment, body)
}

/// Returns the arguments of the call for each element, and the call without them.
fn element(d: &Declaration, pass: &[Written]) -> (Vec<String>, String) {
    let (name, chosen) = (d.name_of_pass(pass), chosen(d));
    let (mut names, before) = match pass[0].shape.at_most {
        true => (with_written(d, pass).1, String::new()),
        false => (inputs(d).1, format!("{name}[i] = ")),
    };
    names.push("i".to_owned());
    (names, format!("{before}{}_{name}{chosen}", d.name))
}

fn whole(d: &Declaration) -> String {
    let chosen = chosen(d);
    let mut parameters: Vec<_> = d.passed().map(|it| parameter(d, it)).collect();
    let (mut gpu, mut cpu) = (String::new(), String::new());
    for written in d.written().iter().filter(|it| it.argument.is_none()) {
        let view = result(&typed(d, written.dtype), &written.shape);
        parameters.push(format!("{view} {}", written.name));
    }
    for pass in d.passes() {
        let name = format!("{}_{}", d.name, d.name_of_pass(&pass));
        let (_, mut names) = with_written(d, &pass);
        let count = count(&pass[0]);
        names.insert(0, format!("threads_for({count})"));
        gpu += &call(
            4,
            &format!("call.launch<{name}_kernel{chosen}>"),
            &names,
            ";",
        );
        gpu.push('\n');
        let (names, element) = element(d, &pass);
        // As clang-format does it: in a line, the body in the next, the body in lines of its own.
        let lambda = aligned(0, &format!("[=](int64 i) {{ {element}"), &names, "; });");
        let one = format!("    parallel({count}, {lambda}");
        cpu += &match (one.len(), lambda.len()) {
            (..=100, _) => format!("{one}\n"),
            (_, ..=87) => format!("    parallel({count},\n             {lambda}\n"),
            _ => {
                let body = aligned(6, &element, &names, ";");
                format!("    parallel({count}, [=](int64 i) {{\n{body}\n    }});\n")
            }
        };
    }
    let template = template(d);
    let mut of_gpu = vec!["Call &call".to_owned()];
    of_gpu.extend(parameters.iter().cloned());
    format!(
        "{}\n{gpu}  }}\n\n{}\n{cpu}  }}\n",
        head(2, &template, "static void gpu", &of_gpu),
        head(2, &template, "static void cpu", &parameters),
    )
}
