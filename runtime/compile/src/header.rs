//! A header with declarations as the constants that `cuvec/signature.h` has for them.

use std::fmt::Write;

use cuvec_declare::DType;
use cuvec_declare::declaration::{
    Argument, Declaration, Extent, Kind, Outcome, Role, Shape, Step, Type,
};
use cuvec_declare::literal::{DefaultValue, Literal, Value};

/// The header for a file with these declarations, by the texts that they were read from.
pub fn header<'a>(declarations: impl Iterator<Item = (&'a str, &'a Declaration)>) -> String {
    let mut all = String::new();
    for (text, declaration) in declarations {
        let _ = writeln!(all, "    {},", Row::new(declaration).signature(text));
    }
    format!(
        "// The declarations of a file of kernels/, written by the build.\n#pragma once\n\nnamespace cuvec::detail {{\n\
         constexpr Signature signatures[] = {{\n{all}}};\n}} // namespace cuvec::detail\n"
    )
}

/// Sizes, choices and items, which arguments have in common, in the order in which they are declared.
struct Row<'a> {
    declaration: &'a Declaration,
    dimensions: Vec<&'a str>,
    /// Sizes in postfix notation, one behind the other.
    terms: Vec<String>,
    choices: Vec<String>,
    items: Vec<String>,
}

/// Members of `cuvec_argument`, in the order of abi.h.
#[derive(Default)]
struct Members {
    dtype: String,
    role: &'static str,
    rank: isize,
    keyword_only: bool,
    default: Option<String>,
    is_number: bool,
    shape: String,
    at_most: bool,
    is_optional: bool,
    choices: (usize, usize),
    is_saved: bool,
    layout: &'static str,
    items: (usize, usize),
    chooses: usize,
}

impl<'a> Row<'a> {
    fn new(declaration: &'a Declaration) -> Self {
        Self {
            declaration,
            dimensions: declaration.dimensions(),
            terms: Vec::new(),
            choices: Vec::new(),
            items: Vec::new(),
        }
    }

    fn signature(mut self, text: &str) -> String {
        let d = self.declaration;
        let mut arguments: Vec<_> = d.arguments.iter().map(|it| self.argument(it)).collect();
        arguments.extend(d.results.iter().map(|it| self.result(it)));
        let dimensions = self.dimensions.iter().map(|name| {
            let scalar = d.integer(name).map_or(-1, |it| it as isize);
            format!("{{\"{name}\", {scalar}}}")
        });
        let variables = d.variables.iter().map(|it| {
            let dtypes = list(it.dtypes.iter().map(|it| code(*it)));
            format!("{{\"{}\", {}, {dtypes}}}", it.name, it.dtypes.len())
        });
        let dimensions: Vec<_> = dimensions.collect();
        let counts = [
            arguments.len(),
            dimensions.len(),
            d.variables.len(),
            d.structs.len(),
        ];
        let parts = [
            list(arguments.into_iter()),
            list(dimensions.into_iter()),
            list(variables),
            list(d.structs.iter().map(|it| format!("{{\"{}\"}}", it.name))),
            list(self.terms.into_iter()),
            list(self.choices.into_iter()),
            list(self.items.into_iter()),
        ];
        format!(
            "{{{},\n     \"{}\", {},\n     {}}}",
            quoted(text),
            d.name,
            counts.map(|it| it.to_string()).join(", "),
            parts.join(",\n     ")
        )
    }

    fn argument(&mut self, argument: &Argument) -> String {
        let mut members = Members {
            dtype: self.dtype(argument.dtype),
            role: "CUVEC_SCALAR",
            keyword_only: argument.keyword_only,
            is_optional: argument.is_optional(),
            ..Members::default()
        };
        match &argument.kind {
            Kind::Number => {}
            Kind::Option(choices) => {
                members.choices = (self.choices.len(), choices.len());
                let texts = choices.iter().map(|it| format!("{{\"{}\"}}", it.text));
                self.choices.extend(texts);
            }
            Kind::Tuple(count) => {
                members.items = (self.items.len(), *count);
                let given = argument.default.iter().flat_map(|it| it.numbers());
                let mut items: Vec<_> = given.map(number).collect();
                items.resize(*count, "{}".to_owned());
                self.items.extend(items);
            }
            Kind::DType => {
                members.dtype = code(DType::OPTION);
                if let Type::Variable(variable) = argument.dtype {
                    members.chooses = 1 + variable;
                }
            }
            Kind::Array { role, shape, .. } => {
                members.role = match role {
                    Role::In => "CUVEC_IN",
                    Role::Inout => "CUVEC_INOUT",
                    Role::Out => "CUVEC_OUT",
                };
                self.array(shape, &mut members);
            }
        }
        members.default = argument.default.as_ref().map(|it| match it {
            DefaultValue::Nothing | DefaultValue::Items(_) => "{}".to_owned(),
            DefaultValue::Number(literal) => number(literal),
            DefaultValue::Choice(_) | DefaultValue::DType(_) => {
                let index = self.declaration.choice(argument).unwrap_or_default();
                format!("{{1, {index}, 0}}")
            }
        });
        members.written(&argument.name)
    }

    fn result(&mut self, result: &Outcome) -> String {
        let mut members = Members {
            dtype: self.dtype(result.dtype),
            role: "CUVEC_RESULT",
            is_number: result.shape.is_none(),
            is_saved: result.is_saved,
            ..Members::default()
        };
        if let Some(shape) = &result.shape {
            self.array(shape, &mut members);
        }
        members.written(&result.name)
    }

    fn array(&mut self, shape: &Shape, members: &mut Members) {
        let extents: Vec<_> = shape.extents.iter().map(|it| self.extent(it)).collect();
        let rank = extents.len() as isize;
        members.rank = if shape.leading { -1 - rank } else { rank };
        members.shape = list(extents.into_iter());
        members.at_most = shape.at_most;
        members.layout = match shape.layout {
            "rows" => "CUVEC_ROWS",
            "strided" => "CUVEC_STRIDED",
            _ => "CUVEC_CONTIGUOUS",
        };
    }

    fn extent(&mut self, extent: &Extent) -> String {
        let first = self.terms.len();
        let dimensions = &self.dimensions;
        let terms = extent.postfix().into_iter().map(|step| match step {
            Step::Number(number) => format!("{{'#', {number}}}"),
            Step::Name(name) => {
                let index = dimensions.iter().position(|it| *it == name.text);
                format!("{{'d', {}}}", index.unwrap_or_default())
            }
            Step::Sign(sign) => format!("{{'{sign}', 0}}"),
        });
        self.terms.extend(terms);
        format!("{{{first}, {}}}", self.terms.len() - first)
    }

    fn dtype(&self, dtype: Type) -> String {
        match dtype {
            Type::Fixed(dtype) => code(dtype),
            Type::Variable(variable) => format!("-1 - {variable}"),
            Type::Real(variable) => format!("-1 - CUVEC_MAX_VARIABLES - {variable}"),
            Type::Struct(number) => format!("CUVEC_STRUCT_DTYPE + {number}"),
        }
    }
}

impl Members {
    fn written(&self, name: &str) -> String {
        let flag = |it: bool| u8::from(it).to_string();
        let or_none = |it: &str| if it.is_empty() { "{}" } else { it }.to_owned();
        let layout = if self.layout.is_empty() {
            "CUVEC_CONTIGUOUS"
        } else {
            self.layout
        };
        let members = [
            format!("\"{name}\""),
            self.dtype.clone(),
            self.role.to_owned(),
            self.rank.to_string(),
            flag(self.keyword_only),
            flag(self.default.is_some()),
            flag(self.is_number),
            or_none(&self.shape),
            or_none(self.default.as_deref().unwrap_or_default()),
            flag(self.at_most),
            flag(self.is_optional),
            format!("{}, {}", self.choices.0, self.choices.1),
            flag(self.is_saved),
            layout.to_owned(),
            format!("{}, {}", self.items.0, self.items.1),
            self.chooses.to_string(),
        ];
        format!("{{{}}}", members.join(", "))
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("{{{}}}", items.collect::<Vec<_>>().join(", "))
}

fn code(dtype: DType) -> String {
    format!("CUVEC_{}", dtype.numpy().to_uppercase())
}

fn number(literal: &Literal) -> String {
    match literal.value() {
        Some(Value::Integer(i64::MIN)) => "{1, INT64_MIN, -0x1p63}".to_owned(),
        Some(Value::Integer(value)) => format!("{{1, {value}, {:e}}}", value as f64),
        Some(Value::Real(value)) if value.is_nan() => {
            "{0, 0, std::numeric_limits<double>::quiet_NaN()}".to_owned()
        }
        Some(Value::Real(value)) if value.is_infinite() => {
            let sign = if value < 0.0 { "-" } else { "" };
            format!("{{0, 0, {sign}std::numeric_limits<double>::infinity()}}")
        }
        Some(Value::Real(value)) => format!("{{0, 0, {value:e}}}"),
        None => "{}".to_owned(), // `check` has refused it
    }
}

/// A literal of C++.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}
