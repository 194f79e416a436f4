//! The bodies of a declaration: what they take, and the call of the function in them.

use super::draft::{Draft, Part};
use super::launch::Origin;
use super::lines::{comment, statement};
use super::source::Parameter;
use super::usage::Axis;
use crate::add;
use crate::add::c_types::{self, Element};

/// As the code of the declaration calls it, whose struct may have the same name.
fn called(draft: &Draft) -> String {
    let function = draft.function;
    let path: String = function
        .namespaces
        .iter()
        .map(|it| format!("{it}::"))
        .collect();
    let chosen = add::chosen(&draft.variables);
    format!("::{path}{}{chosen}", function.name)
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
        Part::Scalar { name, element, .. } => Some(match element {
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

/// Arguments of the call of the function: no size is cut to fewer bits.
fn arguments(draft: &Draft) -> Vec<String> {
    let parameters = draft.function.parameters.iter();
    let of = |(part, parameter): (&Part, &Parameter)| match part {
        Part::Stream => "call.stream()".to_owned(),
        Part::Size { array, axis } => {
            let size = size(array, *axis);
            match c_types::dtype(&parameter.element) {
                Some(Element::Dtype { dtype, .. }) if dtype.numpy() == "int64" => size,
                _ => format!("cuvec::narrow<{}>({size})", parameter.element),
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
                !matches!(element, Element::Variable(_)) && c_types::needs_cast(&parameter.element);
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
        Part::Scalar { name, element, .. } => scalar(name, element, &parameter.element),
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
        Element::Dtype { dtype, .. } if c_types::needs_cast(text) && dtype.is_inexact() => {
            format!("cuvec::same_bytes<{text}>({name})")
        }
        _ => name.to_owned(),
    }
}

fn head(draft: &Draft, start: &str, parameters: &[String]) -> String {
    add::head(2, &add::template(&draft.variables), start, parameters) + "\n"
}

pub fn gpu(draft: &Draft, origin: &Origin) -> String {
    let mut of_gpu = vec!["cuvec::Call &call".to_owned()];
    of_gpu.extend(parameters(draft, true));
    let body = match draft.function.is_kernel {
        true => launch(draft, origin),
        false => on_stream(draft),
    };
    format!("{}{body}  }}\n", head(draft, "static void gpu", &of_gpu))
}

fn launch(draft: &Draft, origin: &Origin) -> String {
    let mut items = vec!["grid".to_owned()];
    items.extend(arguments(draft));
    grid(draft, origin) + &statement(&format!("call.launch<{}>", called(draft)), &items, ";")
}

/// The grid of the first launch in the file, or a guess, and which of them it is.
fn grid(draft: &Draft, origin: &Origin) -> String {
    let found = origin.launches.iter().find_map(|launch| {
        let items = launch
            .grid
            .iter()
            .map(|it| in_terms_of(draft, it.as_ref()?));
        let items = items.collect::<Option<Vec<_>>>()?;
        (!items.is_empty()).then_some((launch, items))
    });
    let first = origin.launches.first();
    let mut note = match (&found, first) {
        (Some((launch, _)), _) => format!(
            "the grid is of {}:{}, {}",
            origin.path, launch.line, launch.text
        ),
        (None, Some(launch)) => {
            format!(
                "the grid is a guess; {}:{} has {}",
                origin.path, launch.line, launch.text
            )
        }
        (None, None) => "the grid is a guess".to_owned(),
    };
    if let [_, others @ ..] = origin.launches.as_slice()
        && !others.is_empty()
    {
        note += &format!(", and {} more", others.len());
    }
    let mut text = comment(4, &note);
    let is_shared_known = found.as_ref().is_some_and(|(_, items)| items.len() > 2);
    if origin.has_dynamic_shared_memory && !is_shared_known {
        text += &comment(
            4,
            "it has `extern` shared memory: its bytes are the last argument of the grid",
        );
    }
    text + &match found {
        Some((_, mut items)) => {
            if items.len() > 2 && items[2] == "0" && !origin.has_dynamic_shared_memory {
                items.pop();
            }
            statement("const cuvec::Grid grid", &items, ";")
        }
        None => guess(draft, origin),
    }
}

/// The size or the scalar that a parameter of the kernel is.
fn value_of(draft: &Draft, parameter: &str) -> Option<String> {
    let mut both = draft.function.parameters.iter().zip(&draft.parts);
    both.find_map(|(it, part)| match part {
        Part::Size { array, axis } if it.name == *parameter => Some(size(array, *axis)),
        Part::Scalar {
            name,
            element: Element::Dtype { dtype, count: 1 },
            ..
        } if it.name == *parameter && dtype.is_integer() => Some(name.clone()),
        _ => None,
    })
}

/// Replaces the parameters of an expression, which are between `$`.
fn in_terms_of(draft: &Draft, expression: &str) -> Option<String> {
    let parts = expression.split('$').enumerate();
    parts
        .map(|(at, it)| {
            if at % 2 == 0 {
                Some(it.to_owned())
            } else {
                value_of(draft, it)
            }
        })
        .collect()
}

fn size(array: &str, axis: Option<usize>) -> String {
    format!(
        "{array}.size({})",
        axis.map_or(String::new(), |it| it.to_string())
    )
}

/// A thread for each element, or for each along two or three axes; along one that tells only blocks apart, a block.
fn guess(draft: &Draft, origin: &Origin) -> String {
    let size_of = |text: &String| {
        value_of(draft, text).or_else(|| text.parse::<u32>().is_ok().then(|| text.clone()))
    };
    let with_shared = |mut items: Vec<String>| {
        items.extend(origin.has_dynamic_shared_memory.then(|| "0".to_owned()));
        statement("const cuvec::Grid grid", &items, ";")
    };
    let last = origin
        .threads
        .iter()
        .rposition(|it| it.has_threads || it.has_blocks)
        .unwrap_or(0);
    let axes = &origin.threads[..=last];
    let is_flat = |axis: &Axis| !axis.has_threads;
    let sizes: Vec<_> = axes
        .iter()
        .map(|it| it.end.as_ref().and_then(size_of))
        .collect();
    // As many as a launch in the file has, which only the number of its blocks is not known of.
    let launched = || {
        let threads = origin.launches.first()?.grid.get(1)?.as_ref();
        in_terms_of(draft, threads?)
    };
    let rows = |axis: &Axis| {
        let array = || size_of_parameter(draft, axis.row_array.as_ref()?);
        axis.end.as_ref().and_then(size_of).or_else(array)
    };
    if let [axis] = axes
        && axis.has_rows
    {
        let rows = rows(axis).unwrap_or_else(|| "1".to_owned());
        return with_shared(vec![rows, launched().unwrap_or_else(|| "256".to_owned())]);
    }
    if let ([axis], [end]) = (axes, sizes.as_slice()) {
        let end = end.clone().or_else(|| elements(draft));
        let end = end.unwrap_or_else(|| "1".to_owned());
        return match (
            origin.has_dynamic_shared_memory,
            is_flat(axis) && axis.has_blocks,
        ) {
            (_, true) => with_shared(vec![end, "1".to_owned()]),
            (false, _) => format!("    const cuvec::Grid grid = cuvec::threads_for({end});\n"),
            (true, _) => with_shared(vec![format!("({end} + 255) / 256"), "256".to_owned()]),
        };
    }
    let with_threads = axes.iter().filter(|it| !is_flat(it)).count();
    let threads: Vec<u32> = axes
        .iter()
        .enumerate()
        .map(|(at, axis)| match (is_flat(axis), with_threads, at) {
            (true, ..) => 1,
            (_, 1, _) => 256,
            (_, 2, _) => 16,
            (_, _, 2) => 4,
            _ => 8,
        })
        .collect();
    let blocks = axes
        .iter()
        .zip(&sizes)
        .zip(&threads)
        .map(|((axis, size), threads)| match (size, threads) {
            _ if axis.has_rows => rows(axis).unwrap_or_else(|| "1".to_owned()),
            (Some(size), 1) => size.clone(),
            (Some(size), threads) => format!("({size} + {}) / {threads}", threads - 1),
            (None, _) => "1".to_owned(),
        });
    let threads = threads.iter().map(u32::to_string).collect::<Vec<_>>();
    let blocks = blocks.collect::<Vec<_>>();
    let both = [blocks, threads].map(|it| format!("dim3({})", it.join(", ")));
    with_shared(both.to_vec())
}

/// The number of elements of an array.
fn size_of_parameter(draft: &Draft, parameter: &str) -> Option<String> {
    let mut both = draft.function.parameters.iter().zip(&draft.parts);
    both.find_map(|(it, part)| match part {
        Part::Array { name, .. } if it.name == parameter => Some(size(name, None)),
        _ => None,
    })
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

pub fn has_stream(draft: &Draft) -> bool {
    draft.parts.iter().any(|it| matches!(it, Part::Stream))
}

pub fn cpu(draft: &Draft) -> String {
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
pub fn no_gpu(draft: &Draft) -> String {
    format!(
        "{}{}    throw std::runtime_error(\"it has no code for the GPU; CUVEC_DEVICE=cpu runs it\");\n  }}\n",
        comment(2, "it works on the CPU alone"),
        head(draft, "static void gpu", &parameters(draft, false))
    )
}
