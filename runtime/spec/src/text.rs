//! Declarations as people read them.

use cuvec_declare::literal::Value as Number;

use crate::argument::{Argument, DefaultValue, Role, Shape, Type};
use crate::dtype::DType;
use crate::extent::Extent;
use crate::spec::Spec;

impl Spec {
    /// A shape as Python would write it: `(m, n-1)`, `(n,)`, `(..., n)`.
    #[must_use]
    pub fn shape_text(&self, shape: Shape) -> String {
        let leading = shape.leading.then(|| "...".to_owned());
        let text = |extent: &Extent| extent.text(self.dimensions);
        let texts: Vec<_> = leading
            .into_iter()
            .chain(shape.extents.iter().map(text))
            .collect();
        match &texts[..] {
            [text] if !shape.leading => format!("({text},)"),
            _ => format!("({})", texts.join(", ")),
        }
    }

    /// The dtype of an argument, and its shape if it is an array: `T(m, n)`.
    #[must_use]
    pub fn type_text(&self, argument: &Argument) -> String {
        if !argument.choices.is_empty() {
            return format!("{{{}}}", argument.choices_text(", ", ", "));
        }
        let dtype = self.dtype_text(argument.dtype);
        if argument.items > 0 {
            return format!("{dtype}[{}]", argument.items);
        }
        if argument.role == Role::Scalar || argument.is_number {
            return dtype.into_owned();
        }
        let shape = self.shape_text(argument.shape);
        let optional = if argument.is_optional { "?" } else { "" };
        match argument.at_most {
            true => format!("{dtype}{}", shape.replacen('(', "(at most ", 1)),
            false => format!("{dtype}{shape}{optional}"),
        }
    }
}

impl Argument {
    /// The choices of an option, with these words between them.
    #[must_use]
    pub fn choices_text(&self, between: &str, last: &str) -> String {
        let quoted = |choice: &&str| format!("'{choice}'");
        let mut texts: Vec<_> = self.choices.iter().map(quoted).collect();
        match texts.pop() {
            Some(end) if !texts.is_empty() => format!("{}{last}{end}", texts.join(between)),
            end => end.unwrap_or_default(),
        }
    }

    /// The default as a literal of Python, which has none for infinity.
    #[must_use]
    pub fn default_literal(&self) -> Option<String> {
        let literal = |number: &Number| match *number {
            Number::Real(real) if real.is_nan() => "1e999-1e999".to_owned(),
            Number::Real(f64::INFINITY) => "1e999".to_owned(),
            Number::Real(f64::NEG_INFINITY) => "-1e999".to_owned(),
            number => self.number_text(number),
        };
        Some(match self.default? {
            DefaultValue::Number(number) if self.choices.is_empty() => literal(&number),
            DefaultValue::Items(items) => tuple_text(items.iter().map(literal)),
            _ => self.default_text()?,
        })
    }

    /// The default as Python shows it.
    #[must_use]
    pub fn default_text(&self) -> Option<String> {
        Some(match self.default? {
            DefaultValue::Nothing => "None".to_owned(),
            DefaultValue::Items(items) => tuple_text(items.iter().map(|it| self.number_text(*it))),
            DefaultValue::Number(Number::Integer(index)) if !self.choices.is_empty() => {
                let choice = self.choices.get(index as usize);
                format!("'{}'", choice.copied().unwrap_or_default())
            }
            DefaultValue::Number(number) => self.number_text(number),
        })
    }

    fn number_text(&self, number: Number) -> String {
        match (number, self.dtype) {
            (Number::Integer(0), Type::Fixed(DType::Bool)) => "False".to_owned(),
            (Number::Integer(_), Type::Fixed(DType::Bool)) => "True".to_owned(),
            (number, _) => number.to_string(),
        }
    }
}

fn tuple_text(items: impl Iterator<Item = String>) -> String {
    match &items.collect::<Vec<_>>()[..] {
        [one] => format!("({one},)"),
        items => format!("({})", items.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dimension, Term, Variable};

    const N: Extent = Extent(&[Term::Dimension(0)]);
    const LESS: Extent = Extent(&[Term::Dimension(0), Term::Number(1), Term::Subtract]);

    #[test]
    fn arguments_are_written_as_python_would() {
        let spec = Spec {
            name: "f",
            dimensions: &[Dimension {
                name: "n",
                scalar: None,
            }],
            variables: &[Variable {
                name: "T",
                dtypes: &[DType::F32],
            }],
            ..Spec::EMPTY
        };
        let variable = Type::Variable(0);
        let text = |argument: Argument| spec.type_text(&argument);
        let array = |shape| text(Argument::input("x", variable, shape));
        assert_eq!(array(Shape::ANY), "T(...)");
        assert_eq!(array(Shape::leading(&[N])), "T(..., n)");
        assert_eq!(array(Shape::of(&[N])), "T(n,)");
        assert_eq!(array(Shape::of(&[LESS, N])), "T(n-1, n)");
        assert_eq!(array(Shape::of(&[])), "T()");
        let flag = Argument::scalar("b", Type::Fixed(DType::Bool));
        assert_eq!(text(flag), "bool");
        let found = Argument::result("y", variable, Shape::of(&[N])).at_most();
        assert_eq!(text(found), "T(at most n,)");
        assert_eq!(flag.default_text(), None);
        let default = |argument: Argument, number| argument.or(number).default_text().unwrap();
        assert_eq!(default(flag, Number::Integer(1)), "True");
        let dtype = Argument::dtype("d", 0, &["float32", "float16"]).or(Number::Integer(1));
        assert_eq!(text(dtype), "{'float32', 'float16'}");
        assert_eq!(dtype.default_literal().unwrap(), "'float16'");
        let third = Argument::scalar("a", variable).or(Number::Real(1.0 / 3.0));
        assert_eq!(third.default_literal().unwrap(), "0.3333333333333333");
        let written = Argument::output("y", variable, Shape::of(&[N])).optional();
        assert_eq!(text(written), "T(n,)?");
        let scalar = Argument::scalar("a", variable);
        assert_eq!(default(scalar, Number::Integer(-2)), "-2");
        assert_eq!(default(scalar, Number::Real(0.5)), "0.5");
    }
}
