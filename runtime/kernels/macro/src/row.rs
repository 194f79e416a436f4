//! The spec of a function, which hosts read, as constants of `cuvec-spec`.

use cuvec_declare::Declaration;
use cuvec_declare::declaration::{Argument, Extent, Kind, Outcome, Role, Shape, Step, Type};
use cuvec_declare::literal::{DefaultValue, Literal, Value};
use cuvec_declare::signature::words;
use proc_macro::{Delimiter, TokenStream};

use crate::tokens::{grouped, tokens};

/// Documentation, signature, dimensions and arguments, each in brackets, as `__row!` takes them. The declaration is
/// one of a method if there are inherited variables.
pub fn row(declaration: &Declaration, docs: TokenStream, inherited: usize) -> TokenStream {
    let signature = words(declaration, inherited).join(" ");
    let dimensions: Vec<_> = declaration.dimensions();
    let dimension = |name: &&str| {
        let scalar = declaration.integer(name);
        format!("__row::Dimension {{ name: {name:?}, scalar: {scalar:?} }},")
    };
    let row = Row {
        declaration,
        dimensions: &dimensions,
    };
    let arguments = declaration.arguments.iter().map(|it| row.argument(it));
    let results = declaration.results.iter().map(|it| row.result(it));
    let has_rows = declaration
        .shapes()
        .any(|it| it.leading && !it.extents.is_empty());
    let parts = [
        docs,
        tokens(&format!("{signature:?}")),
        tokens(&dimensions.iter().map(dimension).collect::<String>()),
        tokens(&arguments.chain(results).collect::<String>()),
        tokens(&has_rows.to_string()),
    ];
    let parts = parts.map(|it| grouped(Delimiter::Bracket, it));
    parts.into_iter().collect()
}

struct Row<'a> {
    declaration: &'a Declaration,
    dimensions: &'a [&'a str],
}

impl Row<'_> {
    fn argument(&self, argument: &Argument) -> String {
        let Argument { name, kind, .. } = argument;
        let role = match argument.role() {
            None => "Scalar",
            Some(Role::In) => "In",
            Some(Role::Inout) => "InOut",
            Some(Role::Out) => "Out",
        };
        let (dtype, chooses) = match (kind, argument.dtype) {
            (Kind::DType, Type::Variable(variable)) => (
                "__row::Type::Fixed(__row::DType::I32)".to_owned(),
                Some(variable),
            ),
            (_, dtype) => (self.dtype(dtype), None),
        };
        let choices: Vec<&str> = match (kind, argument.dtype) {
            (Kind::DType, dtype) => {
                let dtypes = self.declaration.dtypes_of(dtype);
                dtypes.into_iter().map(|it| it.numpy()).collect()
            }
            _ => argument.choices().iter().map(|it| &*it.text).collect(),
        };
        let items = match kind {
            Kind::Tuple(items) => *items,
            _ => 0,
        };
        let layout = match argument.shape().map(|it| it.layout) {
            Some("rows") => "Rows",
            Some("strided") => "Strided",
            _ => "Contiguous",
        };
        format!(
            "__row::Argument {{ name: {name:?}, role: __row::Role::{role}, dtype: {dtype}, shape: {}, keyword_only: {}, default: {}, \
             is_number: false, at_most: false, is_optional: {}, choices: &{choices:?}, chooses: {chooses:?}, \
             is_saved: false, layout: __row::Layout::{layout}, items: {items} }},",
            self.shape(argument.shape()),
            argument.keyword_only,
            self.default(argument)
                .map_or("None".to_owned(), |it| format!(
                    "Some(__row::DefaultValue::{it})"
                )),
            argument.is_optional(),
        )
    }

    fn result(&self, result: &Outcome) -> String {
        format!(
            "__row::Argument {{ name: {:?}, role: __row::Role::Result, dtype: {}, shape: {}, keyword_only: false, default: None, \
             is_number: {}, at_most: {}, is_optional: false, choices: &[], chooses: None, is_saved: {}, \
             layout: __row::Layout::Contiguous, items: 0 }},",
            result.name,
            self.dtype(result.dtype),
            self.shape(result.shape.as_ref()),
            result.shape.is_none(),
            result.shape.as_ref().is_some_and(|it| it.at_most),
            result.is_saved,
        )
    }

    fn dtype(&self, dtype: Type) -> String {
        let typed = |name: &str| format!("<{name} as __row::Typed>::TYPE");
        match dtype {
            Type::Fixed(dtype) => typed(dtype.rust()),
            Type::Struct(number) => typed(&self.declaration.structs[number].name),
            Type::Variable(variable) => format!("__row::Type::Variable({variable})"),
            Type::Real(variable) => format!("__row::Type::Real({variable})"),
        }
    }

    fn default(&self, argument: &Argument) -> Option<String> {
        Some(match argument.default.as_ref()? {
            DefaultValue::Nothing => "Nothing".to_owned(),
            DefaultValue::Number(literal) => format!("Number({})", number(literal)),
            DefaultValue::Choice(_) | DefaultValue::DType(_) => {
                let index = self.declaration.choice(argument).unwrap_or_default();
                format!("Number(__row::Number::Integer({index}))")
            }
            DefaultValue::Items(items) => {
                let items: Vec<_> = items.iter().map(number).collect();
                format!("Items(&[{}])", items.join(", "))
            }
        })
    }

    fn shape(&self, shape: Option<&Shape>) -> String {
        let Some(shape) = shape else {
            return "__row::Shape::of(&[])".to_owned();
        };
        let extent = |it: &Extent| format!("__row::Extent(&[{}]),", self.terms(it));
        let extents: String = shape.extents.iter().map(extent).collect();
        let how = if shape.leading { "leading" } else { "of" };
        format!("__row::Shape::{how}(&[{extents}])")
    }

    fn terms(&self, extent: &Extent) -> String {
        let term = |step| match step {
            Step::Number(number) => format!("Number({number})"),
            Step::Name(name) => {
                let index = self.dimensions.iter().position(|it| *it == name.text);
                format!("Dimension({})", index.unwrap_or_default())
            }
            Step::Sign('+') => "Add".to_owned(),
            Step::Sign('-') => "Subtract".to_owned(),
            Step::Sign('*') => "Multiply".to_owned(),
            Step::Sign(_) => "Divide".to_owned(),
        };
        let terms = extent.postfix().into_iter().map(term);
        terms.map(|it| format!("__row::Term::{it},")).collect()
    }
}

fn number(literal: &Literal) -> String {
    match literal.value() {
        Some(Value::Real(value)) if value.is_nan() => "__row::Number::Real(f64::NAN)".to_owned(),
        Some(Value::Real(value)) if value.is_infinite() => {
            let sign = if value < 0.0 { "-" } else { "" };
            format!("__row::Number::Real({sign}f64::INFINITY)")
        }
        Some(Value::Real(value)) => format!("__row::Number::Real({value:?})"),
        Some(Value::Integer(value)) => format!("__row::Number::Integer({value})"),
        None => "__row::Number::Integer(0)".to_owned(), // `check` has refused it
    }
}
