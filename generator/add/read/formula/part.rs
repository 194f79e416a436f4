//! Parts of a formula, in each language.

use crate::add::literal::Value;

/// As it is declared, in Python, and in Rust as a real number, and as an integer if it is one.
pub struct Part {
    pub value: Value,
    pub text: String,
    pub python: String,
    pub real: String,
    pub integer: String,
    form: Form,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// A number or a name, with a sign or without.
    Atom,
    /// In parentheses.
    Group,
    /// In Python.
    Power,
    Root,
    Other,
}

impl Part {
    /// `pi` or `e`.
    pub fn constant(value: f64, name: &str) -> Self {
        let mut part = Self::literal(Value::Real(value), name);
        part.python = format!("np.{name}");
        part
    }

    /// A number as it is written.
    pub fn literal(value: Value, text: &str) -> Self {
        let text = text.replace("True", "1").replace("False", "0");
        let sign = if text.starts_with('-') { "-" } else { "" };
        let python = match text.trim_start_matches('-') {
            special @ ("inf" | "nan") => format!("{sign}np.{special}"),
            _ => text.clone(),
        };
        let real = match value {
            Value::Integer(_) => format!("{text}.0"),
            Value::Real(_) => text.clone(),
        };
        Self {
            value,
            python,
            real,
            integer: text.clone(),
            text,
            form: Form::Atom,
        }
    }

    /// This value, with these texts made of the parts' texts.
    fn of(value: Value, text: impl Fn(&dyn Fn(&Self) -> &str) -> String) -> Self {
        Self {
            value,
            text: text(&|it| &it.text),
            python: text(&|it| &it.python),
            real: text(&|it| &it.real),
            integer: text(&|it| &it.integer),
            form: Form::Other,
        }
    }

    pub fn joined(&self, value: Value, sign: char, right: &Self) -> Self {
        Self::of(value, |text| {
            format!("{} {sign} {}", text(self), text(right))
        })
    }

    pub fn negative(&self) -> Self {
        let value = self.value.negative();
        let python = match self.form {
            Form::Power | Form::Root => format!("-({})", self.python), // as formatters have it
            Form::Atom | Form::Group | Form::Other => format!("-{}", self.python),
        };
        Self {
            python,
            form: match self.form {
                Form::Atom => Form::Atom,
                _ => Form::Other,
            },
            ..Self::of(value, |text| format!("-{}", text(self)))
        }
    }

    pub fn grouped(&self) -> Self {
        Self {
            form: Form::Group,
            ..Self::of(self.value, |text| format!("({})", text(self)))
        }
    }

    /// Python's formatters leave the blanks out between atoms.
    pub fn power(&self, value: Value, exponent: &Self) -> Self {
        let is_short = self.form == Form::Atom && exponent.form == Form::Atom;
        let sign = if is_short { "**" } else { " ** " };
        let base = match self.form {
            Form::Root => &self.grouped().python,
            _ => &self.python,
        };
        let (real, count) = (
            self.argument(&self.real),
            exponent.argument(&exponent.integer),
        );
        Self {
            python: format!("{base}{sign}{}", exponent.python),
            real: format!("pow({real}, {count})"),
            integer: match value {
                Value::Integer(value) => value.to_string(),
                Value::Real(_) => String::new(),
            },
            form: Form::Power,
            ..Self::of(value, |text| {
                format!("{}{sign}{}", text(self), text(exponent))
            })
        }
    }

    /// One of its texts as the argument of a function.
    fn argument<'a>(&self, text: &'a str) -> &'a str {
        match self.form {
            Form::Group => &text[1..text.len() - 1],
            _ => text,
        }
    }

    /// In Python a power: a default that is a call is one that linters complain of.
    pub fn root(&self, value: Value) -> Self {
        Self {
            python: match self.form {
                Form::Atom => format!("{}**0.5", self.python),
                _ => format!("({}) ** 0.5", self.python),
            },
            form: Form::Root,
            ..Self::of(value, |text| format!("sqrt({})", text(self)))
        }
    }
}
