//! A function of whole arrays in CUDA C++: a pass for each array that it writes.

use cuvec_declare::declaration::Argument;

use super::cpp::{chosen, head, parameter, parameters, typed, unused, variables};
use super::declaration::{Declaration, Written};
use super::layout::{WIDTH, call};

/// A function of an element, and the array whose elements it is called for.
struct Pass {
    comment: String,
    result: String,
    name: String,
    over: String,
    rank: usize,
    /// Parameters besides those that are read, with their names.
    written: Vec<(String, String)>,
    statement: String,
}

/// Values for the template: the functions, and the body that calls them.
pub fn values(d: &Declaration) -> Vec<(&'static str, String)> {
    let (written, found) = (d.written(), d.found());
    let set = written.iter().filter(|it| !it.shape.at_most);
    let passes = set.map(|it| sets(d, it));
    let passes: Vec<_> = passes.chain(found.iter().map(|it| finds(d, it))).collect();
    let mut all = vec!["Call &call".to_owned()];
    all.extend(parameters(d).into_iter().map(|it| it.0));
    let calls: Vec<_> = passes.iter().map(|it| it.call(d)).collect();
    vec![
        ("comment", comment(d)),
        ("elements", passes.iter().map(|it| it.function(d)).collect()),
        ("passes", body(&head(d, "static void passes", &all), &calls)),
    ]
}

/// A function with these statements, in one line if it is one and fits, as clang-format does it.
fn body(head: &str, statements: &[String]) -> String {
    let line = format!("{head} {} }}", statements[0].trim());
    match statements.len() == 1 && line.len() <= WIDTH && !line.contains('\n') {
        true => line,
        false => format!("{head}\n{}\n  }}", statements.join("\n")),
    }
}

/// Name of the function of an element. Nothing else of a declaration may be called so.
pub fn element(written: &Written) -> String {
    format!("{}_element", written.name)
}

/// Sets each element of an array.
fn sets(d: &Declaration, written: &Written) -> Pass {
    let (name, rank, dtype) = (&written.name, written.shape.rank(), typed(d, written.dtype));
    let stays = written.stays();
    let what = if stays { "stays as it is" } else { "is zero" };
    let value = match rank {
        _ if !stays => format!("{dtype}()"),
        0 => format!("*{name}"),
        1 => format!("{name}[{}]", d.indices(1)[0]),
        _ => format!("{name}({})", d.indices(rank).join(", ")),
    };
    let place = d.place();
    Pass {
        comment: format!("An element of `{name}`, which {what} in this stub: {place}.\n"),
        result: dtype,
        name: element(written),
        over: name.clone(),
        rank,
        written: Vec::new(),
        statement: format!("    return {value};\n"),
    }
}

/// Adds to results of which the function finds how much there is, which have one size.
fn finds(d: &Declaration, found: &[Written]) -> Pass {
    let is_whole = |it: &&Argument| it.is_array() && it.is_read() && !it.is_optional();
    let read = d.arguments.iter().find(is_whole);
    let read = read.and_then(|it| Some((it.name.clone(), it.shape()?.rank())));
    let (name, first) = (&found[0].name, found[0].shape.rank());
    let (over, rank) = read.unwrap_or_else(|| (name.clone(), first));
    let how = match (found.len(), first) {
        (1, 1) => format!("`{name}.push(...)` adds it.\n"),
        _ => format!(
            "It has one index in these results: `{name}.next()` returns it, and `next()` of the others\n\
             counts it, too. Only an index less than `{name}.size(0)` may be written to.\n"
        ),
    };
    let place = d.place();
    let is_found = |it: &(String, String)| found.iter().any(|written| written.name == it.1);
    Pass {
        comment: format!(
            "Results found at an element of `{over}`, none in this stub: {place}.\n{how}"
        ),
        result: "void".to_owned(),
        name: element(&found[0]),
        over,
        rank,
        written: parameters(d).into_iter().filter(is_found).collect(),
        statement: String::new(),
    }
}

impl Pass {
    /// The parameters, with their names.
    fn given(&self, d: &Declaration) -> Vec<(String, String)> {
        let read = d.passed().filter(|it| it.is_read());
        let read = read.map(|it| (parameter(d, it), it.name.clone()));
        read.chain(self.written.iter().cloned()).collect()
    }

    fn function(&self, d: &Declaration) -> String {
        let indices = d.indices(self.rank).into_iter();
        let indices = indices.map(|it| (format!("int64 {it}"), it));
        let (typed, names): (Vec<_>, Vec<_>) = indices.chain(self.given(d)).unzip();
        let start = format!("static __host__ __device__ {} {}", self.result, self.name);
        let head = head(d, &start, &typed);
        let is_letter = |it: char| it.is_alphanumeric() || it == '_';
        let used: Vec<_> = self.statement.split(|it| !is_letter(it)).collect();
        let unused = unused(
            4,
            names.into_iter().filter(|it| !used.contains(&it.as_str())),
        );
        let lines = self.comment.lines();
        let comment: String = lines.map(|it| format!("  // {it}\n")).collect();
        format!("{comment}{head}\n{unused}{}  }}\n\n", self.statement)
    }

    fn call(&self, d: &Declaration) -> String {
        let start = format!("call.each<{}{}>", self.name, chosen(&variables(d)));
        let mut all = vec![self.over.clone()];
        all.extend(self.given(d).into_iter().map(|it| it.1));
        call(4, &start, &all, ";")
    }
}

/// The lines on all functions of elements.
fn comment(d: &Declaration) -> String {
    let mut text = String::new();
    if d.has_rows() {
        text += "  // Leading dimensions are one here: `T(...,n)` is a matrix of rows.\n";
    }
    if d.arguments.iter().any(|it| d.is_index(it)) {
        text += "  // An index is not checked: with a parameter `KernelCall call`, for which `call` is passed\n  \
                 // below, `call.fail_if(wrong, \"index is out of range\", index)` raises an error.\n";
    }
    text
}
