//! A declaration as a file of `kernels/`: how the function is reached, what it takes, and the call.

use super::draft::{Draft, Part};
use super::source::Parameter;
use super::types::{self, Element};
use crate::add::{aligned, call, constant};

/// Where the code of the function is.
pub struct Origin<'a> {
    /// The source, in the package.
    pub path: &'a str,
    /// Whether it can be compiled with nvcc alone.
    pub needs_cuda: bool,
    /// Whether the file includes it, instead of being linked to it.
    pub is_included: bool,
    /// What is known of the launches of a kernel: files, lines and grids.
    pub launches: Vec<String>,
    /// Up to where threads go along x, y and z: parameters or numbers.
    pub threads: [Option<String>; 3],
    pub has_axis: [bool; 3],
    pub has_dynamic_shared_memory: bool,
}

/// What begins each comment on something that is not known.
pub const MARK: &str = "// adopt: ";

/// Of a line, as clang-format has it.
const WIDTH: usize = 100;

/// The text of the declaration; `signature` in lines.
pub fn source(draft: &Draft, origin: &Origin, signature: &[String]) -> String {
    let name = &draft.name;
    let kind = if draft.function.is_kernel {
        "kernel"
    } else {
        "function"
    };
    let doc = format!(
        "Run the {kind} `{}` of {}.",
        draft.function.name, origin.path
    );
    let notes: String = draft.notes.iter().map(|it| comment(2, it)).collect();
    let waits = origin.needs_cuda && !draft.function.is_kernel && !has_stream(draft);
    let reached = guarded(origin.needs_cuda, &reached(draft, origin));
    let bodies = match origin.needs_cuda {
        true => format!(
            "{}  static constexpr auto cpu = cuvec::gpu_only;\n",
            guarded(true, &gpu(draft, origin))
        ),
        false => format!("{}\n{}", cpu(draft), guarded(true, &no_gpu(draft))),
    };
    format!(
        "#include <cuvec.h>\n\n{reached}\nstruct {name} {{\n{notes}{}{}\n{bodies}}};\nCUVEC_EXPORT({name});\n",
        constant("signature", signature),
        constant("doc", &[doc])
            + if waits {
                "  static constexpr bool allow_cuda_graph = false;\n"
            } else {
                ""
            },
    )
}

/// The declaration in the words of NumPy.
pub fn signature(draft: &Draft) -> String {
    let variables: Vec<_> = draft
        .variables
        .iter()
        .map(|it| format!("{it}: float32"))
        .collect();
    let variables = match variables.is_empty() {
        true => String::new(),
        false => format!("<{}>", variables.join(", ")),
    };
    let arguments = draft.parts.iter().filter_map(|part| match part {
        Part::Array {
            name,
            element,
            shape,
            is_written,
        } => {
            let inout = if *is_written { "inout " } else { "" };
            Some(format!(
                "{name}: {inout}{}({})",
                dtype(element),
                shape.join(",")
            ))
        }
        Part::Scalar { name, element } => Some(match element {
            Element::Dtype {
                dtype,
                count: count @ 2..,
            } => format!("{name}: {}[{count}]", dtype.numpy()),
            element => format!("{name}: {}", dtype(element)),
        }),
        Part::Size { .. } | Part::Stream => None,
    });
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let result = draft.result.map(|it| format!(" -> {}", it.numpy()));
    format!(
        "{}{variables}({arguments}){}",
        draft.name,
        result.unwrap_or_default()
    )
}

fn dtype(element: &Element) -> &str {
    match element {
        Element::Dtype { dtype, .. } => dtype.numpy(),
        Element::Variable(name) => name,
    }
}

/// A mark, in as many lines as it takes.
fn comment(indent: usize, note: &str) -> String {
    let mut lines = vec![format!("{:indent$}{}", "", MARK.trim_end())];
    for word in note.split(' ') {
        let last = lines.len() - 1;
        match lines[last].len() + 1 + word.len() <= WIDTH {
            true => lines[last] += &format!(" {word}"),
            false => lines.push(format!("{:indent$}// {word}", "")),
        }
    }
    lines.join("\n") + "\n"
}

fn guarded(is_guarded: bool, text: &str) -> String {
    match is_guarded {
        true => format!("#ifdef CUVEC_CUDA\n{text}#endif\n"),
        false => text.to_owned(),
    }
}

fn line(indent: usize, head: &str, items: &[String], tail: &str) -> String {
    aligned(indent, head, items, tail) + "\n"
}

/// In a body.
fn statement(head: &str, items: &[String], tail: &str) -> String {
    call(4, head, items, tail) + "\n"
}

// ---- the function itself

fn reached(draft: &Draft, origin: &Origin) -> String {
    if origin.is_included {
        return format!("#include \"../{}\"\n", origin.path);
    }
    let function = draft.function;
    let mut headers: Vec<_> = function
        .parameters
        .iter()
        .map(|it| it.element.as_str())
        .chain([function.returned.as_str()])
        .filter_map(types::header)
        .collect();
    headers.sort_unstable();
    headers.dedup();
    let headers: String = headers
        .iter()
        .map(|it| format!("#include <{it}>\n"))
        .collect();
    let parameters: Vec<_> = function.parameters.iter().map(declared).collect();
    let linkage = if function.is_c { "extern \"C\" " } else { "" };
    let kernel = if function.is_kernel {
        "__global__ "
    } else {
        ""
    };
    let head = format!("{linkage}{kernel}{} {}", function.returned, function.name);
    let head = line(0, &head, &parameters, ";");
    let head = match function.namespaces.join("::").as_str() {
        "" => head,
        all => format!("namespace {all} {{\n{head}}} // namespace {all}\n"),
    };
    format!("{headers}// Defined in {}.\n{head}", origin.path)
}

fn declared(parameter: &Parameter) -> String {
    let is_const = if parameter.is_const { "const " } else { "" };
    let stars = "*".repeat(parameter.pointers);
    let reference = if parameter.is_reference { "&" } else { "" };
    let text = format!(
        "{is_const}{} {stars}{reference}{}",
        parameter.element, parameter.name
    );
    text.trim_end().to_owned()
}

/// As the code of the declaration calls it, whose struct may have the same name.
fn called(draft: &Draft) -> String {
    let function = draft.function;
    let path: String = function
        .namespaces
        .iter()
        .map(|it| format!("{it}::"))
        .collect();
    let chosen = match draft.variables.is_empty() {
        true => String::new(),
        false => format!("<{}>", draft.variables.join(", ")),
    };
    format!("::{path}{}{chosen}", function.name)
}

// ---- what bodies have

fn template(draft: &Draft) -> String {
    let names: Vec<_> = draft
        .variables
        .iter()
        .map(|it| format!("class {it}"))
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("template <{}> ", names.join(", ")),
    }
}

/// A type of C++, by its full name.
fn typed(element: &Element) -> String {
    match element {
        Element::Variable(name) => name.clone(),
        Element::Dtype { dtype, .. } if dtype.cpp() == dtype.numpy() && !dtype.is_bool() => {
            format!("cuvec::{}", dtype.cpp())
        }
        Element::Dtype { dtype, .. } => dtype.cpp().to_owned(),
    }
}

/// The parameters of a body, with names or with these in comments.
fn parameters(draft: &Draft, are_used: bool) -> Vec<String> {
    let named = |kind: String, name: &str| match are_used {
        true => format!("{kind} {name}"),
        false => format!("{kind} /*{name}*/"),
    };
    let of = |part: &Part| match part {
        Part::Array {
            name,
            element,
            shape,
            is_written,
        } => {
            let kind = if *is_written { "Out" } else { "In" };
            let rank = if shape.len() == 1 {
                String::new()
            } else {
                format!(", {}", shape.len())
            };
            Some(named(
                format!("cuvec::{kind}<{}{rank}>", typed(element)),
                name,
            ))
        }
        Part::Scalar { name, element } => Some(match element {
            Element::Dtype {
                count: count @ 2.., ..
            } => named(format!("cuvec::Tuple<{}, {count}>", typed(element)), name),
            element => named(typed(element), name),
        }),
        Part::Size { .. } | Part::Stream => None,
    };
    let result = draft.result.map(|dtype| {
        let element = Element::Dtype { dtype, count: 1 };
        named(format!("cuvec::Out<{}, 0>", typed(&element)), "result")
    });
    draft.parts.iter().filter_map(of).chain(result).collect()
}

/// What the function is called with. A launch converts numbers by itself.
fn arguments(draft: &Draft) -> Vec<String> {
    let parameters = draft.function.parameters.iter();
    let of = |(part, parameter): (&Part, &Parameter)| match part {
        Part::Stream => "call.stream()".to_owned(),
        Part::Size { array, axis } => {
            let size = format!(
                "{array}.size({})",
                axis.map_or(String::new(), |it| it.to_string())
            );
            match draft.function.is_kernel {
                true => size,
                false => format!("static_cast<{}>({size})", parameter.element),
            }
        }
        Part::Array {
            name,
            is_written,
            element,
            ..
        } => {
            let data = format!("{name}.data");
            let pointer = format!("{} *", parameter.element);
            let is_cast =
                !matches!(element, Element::Variable(_)) && types::needs_cast(&parameter.element);
            match (is_cast, *is_written || parameter.is_const) {
                (false, true) => data,
                (false, false) => format!("const_cast<{pointer}>({data})"),
                (true, true) => format!(
                    "reinterpret_cast<{}{pointer}>({data})",
                    if *is_written { "" } else { "const " }
                ),
                (true, false) => {
                    format!(
                        "reinterpret_cast<{pointer}>(const_cast<{} *>({data}))",
                        typed(element)
                    )
                }
            }
        }
        Part::Scalar { name, element } => scalar(name, element, &parameter.element),
    };
    draft.parts.iter().zip(parameters).map(of).collect()
}

fn scalar(name: &str, element: &Element, text: &str) -> String {
    match element {
        Element::Dtype {
            count: count @ 2.., ..
        } => {
            let items: Vec<_> = (0..*count).map(|it| format!("{name}[{it}]")).collect();
            match text {
                "dim3" => format!("dim3({})", items.join(", ")),
                _ => format!("{text}{{{}}}", items.join(", ")),
            }
        }
        Element::Dtype { dtype, .. } if types::needs_cast(text) && dtype.is_inexact() => {
            format!("cuvec::same_bytes<{text}>({name})")
        }
        _ => name.to_owned(),
    }
}

fn head(draft: &Draft, start: &str, parameters: &[String]) -> String {
    let template = template(draft);
    match template.as_str() {
        "" => line(2, start, parameters, " {"),
        _ => format!(
            "  {}\n{}",
            template.trim_end(),
            line(2, start, parameters, " {")
        ),
    }
}

// ---- bodies

fn gpu(draft: &Draft, origin: &Origin) -> String {
    let mut of_gpu = vec!["cuvec::Call &call".to_owned()];
    of_gpu.extend(parameters(draft, true));
    let body = match draft.function.is_kernel {
        true => launch(draft, origin),
        false => on_stream(draft),
    };
    format!("{}{body}  }}\n", head(draft, "static void gpu", &of_gpu))
}

fn launch(draft: &Draft, origin: &Origin) -> String {
    let mut note = "the grid is a guess".to_owned();
    if let [first, others @ ..] = origin.launches.as_slice() {
        note += &format!("; {first}");
        if !others.is_empty() {
            note += &format!(", and {} more", others.len());
        }
    }
    let mut text = comment(4, &note);
    if origin.has_dynamic_shared_memory {
        text += &comment(
            4,
            "it has `extern` shared memory: its bytes are the last argument of the grid",
        );
    }
    let mut items = vec!["grid".to_owned()];
    items.extend(arguments(draft));
    text += &grid(draft, origin);
    text + &statement(&format!("call.launch<{}>", called(draft)), &items, ";")
}

/// A thread for each element, or for each along two or three axes.
fn grid(draft: &Draft, origin: &Origin) -> String {
    let size_of = |text: &String| {
        let mut both = draft.function.parameters.iter().zip(&draft.parts);
        both.find_map(|(parameter, part)| match part {
            Part::Size { array, axis } if parameter.name == *text => {
                let axis = axis.map_or(String::new(), |it| it.to_string());
                Some(format!("{array}.size({axis})"))
            }
            Part::Scalar { name, .. } if parameter.name == *text => Some(name.clone()),
            _ => None,
        })
        .or_else(|| text.parse::<u32>().is_ok().then(|| text.clone()))
    };
    let sizes = origin
        .threads
        .each_ref()
        .map(|it| it.as_ref().and_then(size_of));
    let with_shared = |mut items: Vec<String>| {
        items.extend(origin.has_dynamic_shared_memory.then(|| "0".to_owned()));
        statement("const cuvec::Grid grid", &items, ";")
    };
    let blocks = |size: &Option<String>, threads: u32| match size {
        Some(size) => format!("({size} + {}) / {threads}", threads - 1),
        None => "1".to_owned(),
    };
    match (&sizes, origin.has_axis) {
        ([x, y, z], [.., true]) => with_shared(vec![
            format!("dim3({}, {}, {})", blocks(x, 8), blocks(y, 8), blocks(z, 4)),
            "dim3(8, 8, 4)".to_owned(),
        ]),
        ([x, y, _], [_, true, _]) => with_shared(vec![
            format!("dim3({}, {})", blocks(x, 16), blocks(y, 16)),
            "dim3(16, 16)".to_owned(),
        ]),
        ([x, ..], _) => {
            let size = x.clone().or_else(|| elements(draft));
            let size = size.unwrap_or_else(|| "1".to_owned());
            match origin.has_dynamic_shared_memory {
                false => format!("    const cuvec::Grid grid = cuvec::threads_for({size});\n"),
                true => with_shared(vec![format!("({size} + 255) / 256"), "256".to_owned()]),
            }
        }
    }
}

/// How many elements the array has that is written first, or is first.
fn elements(draft: &Draft) -> Option<String> {
    let array = |only_written: bool| {
        draft.parts.iter().find_map(|part| match part {
            Part::Array {
                name, is_written, ..
            } if *is_written || !only_written => Some(format!("{name}.size()")),
            _ => None,
        })
    };
    array(true).or_else(|| array(false))
}

/// A call of a host function that works on the GPU.
fn on_stream(draft: &Draft) -> String {
    let called_with = |before: &str, after: &str| {
        statement(
            &format!("{before}{}", called(draft)),
            &arguments(draft),
            after,
        )
    };
    let text = match draft.result {
        _ if draft.returns_status => called_with("call.check(", ");"),
        None => called_with("", ";"),
        Some(dtype) => {
            let element = typed(&Element::Dtype { dtype, count: 1 });
            let value = called_with(&format!("const {element} value = "), ";");
            format!(
                "{value}    call.copy(cuvec::In<{element}, 0>{{&call.keep(value), {{}}}}, result);\n"
            )
        }
    };
    match has_stream(draft) {
        true => text,
        false => format!(
            "{}    call.check(cudaStreamSynchronize(call.stream()));\n{text}    call.check(cudaDeviceSynchronize());\n",
            comment(4, "it takes no stream, so that the call waits for the GPU")
        ),
    }
}

fn has_stream(draft: &Draft) -> bool {
    draft.parts.iter().any(|it| matches!(it, Part::Stream))
}

fn cpu(draft: &Draft) -> String {
    let before = if draft.result.is_some() {
        "*result = "
    } else {
        ""
    };
    let head_of_call = format!("{before}{}", called(draft));
    let call = statement(&head_of_call, &arguments(draft), ";");
    format!(
        "{}{call}  }}\n",
        head(draft, "static void cpu", &parameters(draft, true))
    )
}

/// Without it a package for GPUs would not compile.
fn no_gpu(draft: &Draft) -> String {
    format!(
        "{}{}    throw std::runtime_error(\"it has no code for the GPU; CUVEC_DEVICE=cpu runs it\");\n  }}\n",
        comment(2, "it works on the CPU alone"),
        head(draft, "static void gpu", &parameters(draft, false))
    )
}
