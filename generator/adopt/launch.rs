//! Where a function comes from, and the grids of its launches, in the terms of what the kernel is called with.

use std::collections::HashMap;

use tree_sitter::Node;

use super::source::{Function, Source, field};
use super::usage::Axis;
use crate::add::blank::Word;

/// Words of an expression that stay as they are.
const KEPT: [&str; 10] = [
    "dim3", "sizeof", "float", "double", "int", "char", "unsigned", "long", "short", "size_t",
];

/// Depth to which a size is followed through variables.
const DEPTH: usize = 4;

/// Number of launches of a kernel whose grids are looked at: one is taken.
const LOOKED_AT: usize = 8;

pub struct Origin<'a> {
    /// The source, in the package.
    pub path: &'a str,
    /// True if it can be compiled only with nvcc.
    pub needs_cuda: bool,
    /// True if the file includes it, instead of being linked to it.
    pub is_included: bool,
    pub launches: Vec<Launch>,
    /// How threads are told apart along x, y and z.
    pub threads: &'a [Axis; 3],
    pub has_dynamic_shared_memory: bool,
}

pub struct Launch {
    pub line: usize,
    /// As it is there, `<<<…>>>`.
    pub text: String,
    /// Blocks, threads and bytes of shared memory, of parameters of the kernel and numbers; nothing for what is made of
    /// something else.
    pub grid: Vec<Option<String>>,
}

pub fn launches(kernel: &Function, functions: &[Function], source: &Source) -> Vec<Launch> {
    let launches = source.launches(&kernel.name).into_iter().enumerate();
    launches
        .map(|(at, word)| Launch {
            line: source.line(word.at),
            text: word.text.split_whitespace().collect::<Vec<_>>().join(" "),
            grid: (at < LOOKED_AT)
                .then(|| grid(word, kernel, functions, source))
                .flatten()
                .unwrap_or_default(),
        })
        .collect()
}

fn grid(
    word: &Word,
    kernel: &Function,
    functions: &[Function],
    source: &Source,
) -> Option<Vec<Option<String>>> {
    let bodies = functions.iter().filter_map(|it| it.body);
    let body = bodies
        .into_iter()
        .find(|it| it.byte_range().contains(&word.at))?;
    let mut given = HashMap::new();
    let rest = source.text[word.at..].trim_start().strip_prefix('(')?;
    for (parameter, argument) in kernel.parameters.iter().zip(items(rest)?) {
        if parameter.pointers == 0 {
            given.entry(argument).or_insert(parameter.name.clone());
        }
    }
    let locals = locals(body, source);
    let inner = word.text.strip_prefix("<<<")?.strip_suffix(">>>")?;
    let known = Known {
        given,
        locals,
        source,
    };
    let parts = items(&format!("{inner})"))?;
    // The stream is the call's own.
    let parts = parts.iter().take(3);
    Some(parts.map(|it| known.expanded(it, DEPTH)).collect())
}

struct Known<'a> {
    /// Parameters by what they are launched with.
    given: HashMap<String, String>,
    locals: HashMap<String, Option<String>>,
    source: &'a Source,
}

impl Known<'_> {
    fn expanded(&self, text: &str, depth: usize) -> Option<String> {
        let mut expanded = String::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let end = rest
                .find(|c| !is_word(c))
                .unwrap_or(rest.len())
                .max(first.len_utf8());
            let (word, after) = rest.split_at(end);
            rest = after;
            if !is_word(first) || first.is_ascii_digit() || KEPT.contains(&word) {
                // `x.size()`, `p->n` and texts are of something else.
                let is_known = !matches!(first, '.' | '>' | '"' | '\'' | '[' | '&' | '{');
                expanded += is_known.then_some(word)?;
            } else if let Some(parameter) = self.given.get(word) {
                expanded += &format!("${parameter}$");
            } else if let Some(number) = self.source.constant(word) {
                expanded += number;
            } else {
                let value = self.locals.get(word)?.as_ref()?;
                let value = self.expanded(value, depth.checked_sub(1)?)?;
                let is_whole = text.trim() == word || value.parse::<u32>().is_ok();
                expanded += &if is_whole {
                    value
                } else {
                    format!("({value})")
                };
            }
        }
        Some(expanded)
    }
}

/// Splits a list at its commas, up to the closing parenthesis.
fn items(text: &str) -> Option<Vec<String>> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => {
                found.push(text[start..at].trim().to_owned());
                return Some(found);
            }
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// The variables of a body with their values; nothing for one that is declared twice, or assigned.
fn locals(body: Node, source: &Source) -> HashMap<String, Option<String>> {
    let of = |node: Node| source.text[node.byte_range()].to_owned();
    let mut found = HashMap::new();
    let mut left = vec![body];
    while let Some(node) = left.pop() {
        let mut cursor = node.walk();
        left.extend(node.named_children(&mut cursor));
        let (name, value) = match node.kind() {
            "assignment_expression" | "update_expression" => {
                (field(node, "left").or(field(node, "argument")), None)
            }
            // `dim3 blocks(rows, cols)` reads as the declaration of a function.
            "function_declarator" => (
                field(node, "declarator"),
                field(node, "parameters").map(|it| format!("dim3{}", of(it))),
            ),
            "init_declarator" => {
                let value = field(node, "value");
                let is_list = value.is_some_and(|it| it.kind() == "argument_list");
                let start = if is_list { "dim3" } else { "" };
                (
                    field(node, "declarator"),
                    value.map(|it| format!("{start}{}", of(it))),
                )
            }
            _ => continue,
        };
        if let Some(name) = name.map(of) {
            let entry = found.entry(name);
            entry.and_modify(|it| *it = None).or_insert(value);
        }
    }
    found
}
