//! Docstrings of declared functions, in the form of numpydoc.

use std::fmt::Write;

use cuvec_spec::derivative::Written;
use cuvec_spec::{Argument, Layout, Role, Shape, Spec, Type, doc};

use super::function::Function;
use crate::error::Result;

/// The documentation of a function, taken apart.
///
/// # Errors
/// `Kind::Unavailable`, which names the file and shows the line.
pub fn read(spec: &Spec) -> Result<doc::Doc> {
    let names: Vec<_> = spec.arguments.iter().map(|it| it.name).collect();
    doc::read(spec.doc, spec.name, &names).map_err(|Written(message, at)| {
        let start = spec.doc[..at].rfind('\n').map_or(0, |it| it + 1);
        let line = spec.doc[start..].lines().next().unwrap_or_default();
        super::shown(spec, "documentation", (line, at - start), &message)
    })
}

impl Function {
    /// The docstring of the function in Python.
    #[must_use]
    pub fn docstring(&self) -> String {
        let spec = &self.spec;
        let parameters = self.parameters()
            + &out(spec.results())
            + "stream : int or stream object, optional\n    Run on this CUDA stream"
            + self.waits()
            + ".\n";
        let mut text = self.with_sections(&parameters);
        let declared = spec.signature;
        let _ = write!(text, "\nNotes\n-----\nDeclared as ``{declared}``.");
        for note in [self.dtypes_note(), self.arrays_note(), self.written_note()] {
            text += &note;
        }
        text
    }

    /// Returns the part that does not depend on how it is called: its author's text, the arguments
    /// and the results.
    #[must_use]
    pub fn description(&self) -> String {
        self.with_sections(&self.parameters())
    }

    fn with_sections(&self, parameters: &str) -> String {
        let mut text = format!("{}\n", self.doc.text);
        for (title, section) in [("Parameters", parameters), ("Returns", &self.returns())] {
            if !section.is_empty() {
                let line = "-".repeat(title.len());
                let _ = write!(text, "\n{title}\n{line}\n{section}");
            }
        }
        text
    }

    fn parameters(&self) -> String {
        let spec = &self.spec;
        let mut text = String::new();
        for (parameter, doc) in spec.parameters().iter().zip(&self.doc.of) {
            let default = parameter.default_text();
            let default = default.map_or_else(String::new, |it| format!(", default {it}"));
            let described = described(spec, parameter);
            let _ = writeln!(text, "{} : {described}{default}", parameter.name);
            add_indented(&mut text, doc);
        }
        text
    }

    fn returns(&self) -> String {
        let results = self.results().take(self.spec.results().len());
        let mut text = String::new();
        for (index, result) in results {
            let colon = if result.name.is_empty() { "" } else { " : " };
            let described = described(&self.spec, result);
            let _ = writeln!(text, "{}{colon}{described}", result.name);
            add_indented(&mut text, &self.doc.of[index]);
        }
        text
    }

    fn dtypes_note(&self) -> String {
        let mut text = String::new();
        for (number, variable) in self.spec.variables.iter().enumerate() {
            let name = variable.name;
            let dtypes: Vec<_> = variable.dtypes.iter().map(|it| it.name()).collect();
            let dtypes = listed(&dtypes, "or");
            let _ = match number < self.fixed_variables {
                true => write!(
                    text,
                    "\n`{name}` is {dtypes}, as the {} was constructed for.",
                    self.class()
                ),
                false => write!(text, "\n`{name}` is {dtypes}."),
            };
            let mut types = self.spec.arguments.iter().map(|it| it.dtype);
            if types.any(|it| it == Type::Real(number)) {
                let _ = write!(text, " `real({name})` is the dtype of its real part.");
            }
        }
        text
    }

    /// Describes the arrays, and how many dimensions they may have.
    fn arrays_note(&self) -> String {
        let parameters = self.spec.parameters().iter();
        let arrays: Vec<_> = parameters.filter(|it| it.role != Role::Scalar).collect();
        let any = arrays.iter().filter(|it| it.shape == Shape::ANY).count();
        let broadcast = match self.broadcasts() {
            true if any == arrays.len() => "Shapes are broadcast, as NumPy does.",
            true => "Dimensions in front of the declared ones are broadcast, as NumPy does.",
            false if any > 1 => "Nothing is broadcast: arrays of any shape have the same one.",
            false => "Nothing is broadcast.",
        };
        let strides = match self.spec.walks() {
            true => " They may have any strides.",
            false => "",
        };
        let new = match self.spec.results().iter().all(|it| it.is_number) {
            true => "",
            false if arrays.is_empty() => "\nNew arrays are `CuVec`.",
            false => "\nNew arrays are of the library of the first array, and `CuVec` for NumPy's.",
        };
        match arrays.is_empty() {
            true => new.to_owned(),
            false => format!(
                "\nArrays may be from NumPy, PyTorch, JAX and CuPy, or any object with `__dlpack__`,\n\
                 `__cuda_array_interface__` or the buffer protocol. {broadcast}{strides}{new}"
            ),
        }
    }

    /// Describes the arrays that are written.
    fn written_note(&self) -> String {
        let arguments = self.spec.parameters().iter();
        let mut written: Vec<_> = arguments.filter(|it| it.role.is_written()).collect();
        written.extend(self.spec.results().first());
        let is_contiguous = |it: &&&Argument| it.layout == Layout::Contiguous && !self.spec.walks();
        let contiguous: Vec<_> = written.iter().filter(is_contiguous).copied().collect();
        let others = match self.spec.loops && self.is_element_wise() {
            true if written.len() == 1 => "",
            true => "not overlap with one another",
            false => "not overlap with other arrays",
        };
        let (all, some) = (shown(&written), shown(&contiguous));
        match (written.is_empty(), contiguous.is_empty(), others) {
            (true, ..) => String::new(),
            (_, true, "") => {
                format!("\n{all} may share its memory with arguments that are read.")
            }
            (_, true, _) => format!("\n{all} must {others}."),
            (_, _, "") => format!(
                "\n{some} must be C-contiguous, and may share its memory with arguments that are read."
            ),
            _ if all == some => format!("\n{all} must be C-contiguous, and {others}."),
            _ => format!("\n{some} must be C-contiguous, and {all} {others}."),
        }
    }

    /// Describes whether a call on a stream waits.
    fn waits(&self) -> &'static str {
        let mut results = self.spec.results().iter();
        match results.any(|it| it.is_number) {
            _ if !self.counted.is_empty() => ", and wait for the size of the result",
            true => ", without waiting if numbers go to `out` and no array is in host memory",
            false => ", without waiting if no array is in host memory",
        }
    }
}

/// The names of arrays that are written.
fn shown(arrays: &[&Argument]) -> String {
    let name = |it: &&Argument| match it.role {
        Role::Result => "`out`".to_owned(),
        _ => format!("`{}`", it.name),
    };
    listed(&arrays.iter().map(name).collect::<Vec<_>>(), "and")
}

fn add_indented(text: &mut String, doc: &str) {
    doc.lines()
        .for_each(|line| text.extend(["    ", line, "\n"]));
}

/// `a`, `a or b`, `a, b or c`.
fn listed(names: &[impl AsRef<str>], last: &str) -> String {
    let names: Vec<_> = names.iter().map(AsRef::as_ref).collect();
    match &names[..] {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [before @ .., end] => format!("{} {last} {end}", before.join(", ")),
    }
}

/// The parameter for the results, if there are any.
fn out(results: &[Argument]) -> String {
    let has_number = results.iter().any(|it| it.is_number);
    let (form, what) = match (results, has_number) {
        ([], _) => return String::new(),
        ([_], true) => ("array of shape ()", "the number, which stays on the GPU"),
        ([result], false) if result.at_most => (
            "array",
            "the result, with room for all that may be found; what is returned is a part of it",
        ),
        ([_], false) => ("array", "the result, instead of a new array"),
        (_, true) => (
            "tuple of arrays",
            "the results; numbers are in arrays of shape ()",
        ),
        (_, false) => ("tuple of arrays", "the results, instead of new arrays"),
    };
    format!("out : {form}, optional\n    For {what}.\n")
}

/// "array of T, shape (m, n)"; numbers as they are declared.
fn described(spec: &Spec, argument: &Argument) -> String {
    let text = spec.type_text(argument);
    if argument.chooses.is_some() {
        return format!("{text} or such a dtype");
    }
    if argument.items > 0 {
        let dtype = text.split('[').next().unwrap_or_default();
        return format!("tuple of {} {dtype}", argument.items);
    }
    if argument.role == Role::Scalar || argument.is_number {
        return text;
    }
    let dtype = spec.dtype_text(argument.dtype);
    let shape = text[dtype.len()..].trim_end_matches('?');
    let shape = match argument.shape {
        Shape::ANY => "any shape".to_owned(),
        _ => format!("shape {shape}"),
    };
    let layout = match argument.layout {
        Layout::Contiguous => "",
        Layout::Rows => ", may have strides but in the last dimension",
        Layout::Strided => ", may have strides",
    };
    let written = match argument.role {
        Role::InOut => ", written in place",
        Role::Out => ", overwritten",
        Role::Scalar | Role::In | Role::Result => "",
    };
    let none = if argument.is_optional {
        ", or None"
    } else {
        ""
    };
    format!("array of {dtype}, {shape}{layout}{written}{none}")
}
