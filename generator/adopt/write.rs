//! A declaration as a file of `kernels/`: how the function is reached, its signature, and its bodies.

use super::body;
use super::draft::{Draft, Part};
use super::launch::Origin;
use super::lines::{comment, guarded, line};
use super::source::Parameter;
use crate::add::c_types::{self, Element};
use crate::add::constant;

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
    let waits = origin.needs_cuda && !draft.function.is_kernel && !body::has_stream(draft);
    let reached = guarded(origin.needs_cuda, &reached(draft, origin));
    let bodies = match origin.needs_cuda {
        true => format!(
            "{}  static constexpr auto cpu = cuvec::gpu_only;\n",
            guarded(true, &body::gpu(draft, origin))
        ),
        false => format!(
            "{}\n{}",
            body::cpu(draft),
            guarded(true, &body::no_gpu(draft))
        ),
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
        Part::Scalar {
            name,
            element,
            default,
        } => {
            let default = default.as_ref().map(|it| format!(" = {it}"));
            Some(match element {
                Element::Dtype {
                    dtype,
                    count: count @ 2..,
                } => format!("{name}: {}[{count}]", dtype.numpy()),
                element => {
                    let default = default.unwrap_or_default();
                    format!("{name}: {}{default}", dtype(element))
                }
            })
        }
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
        .filter_map(c_types::header)
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
