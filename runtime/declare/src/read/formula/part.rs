//! Parts of a formula, in each language.

use crate::literal::Value;

/// As it is declared, and in Rust as a real number, and as an integer if it is one.
pub struct Part {
    pub value: Value,
    pub text: String,
    pub real: String,
    pub integer: String,
    /// True if it is in parentheses.
    is_group: bool,
}

impl Part {
    /// A number as it is written, `pi` or `e`.
    pub fn literal(value: Value, text: &str) -> Self {
        let text = text.replace("True", "1").replace("False", "0");
        let real = match value {
            Value::Integer(_) => format!("{text}.0"),
            Value::Real(_) => text.clone(),
        };
        Self {
            value,
            real,
            integer: text.clone(),
            text,
            is_group: false,
        }
    }

    /// This value, with these texts made of the parts' texts.
    fn of(value: Value, text: impl Fn(&dyn Fn(&Self) -> &str) -> String) -> Self {
        Self {
            value,
            text: text(&|it| &it.text),
            real: text(&|it| &it.real),
            integer: text(&|it| &it.integer),
            is_group: false,
        }
    }

    pub fn joined(&self, value: Value, sign: char, right: &Self) -> Self {
        Self::of(value, |text| {
            format!("{} {sign} {}", text(self), text(right))
        })
    }

    pub fn negative(&self) -> Self {
        Self::of(self.value.negative(), |text| format!("-{}", text(self)))
    }

    pub fn grouped(&self) -> Self {
        Self {
            is_group: true,
            ..Self::of(self.value, |text| format!("({})", text(self)))
        }
    }

    pub fn power(&self, value: Value, exponent: &Self) -> Self {
        let (real, count) = (
            self.argument(&self.real),
            exponent.argument(&exponent.integer),
        );
        Self {
            real: format!("pow({real}, {count})"),
            integer: match value {
                Value::Integer(value) => value.to_string(),
                Value::Real(_) => String::new(),
            },
            ..Self::of(value, |text| format!("{}**{}", text(self), text(exponent)))
        }
    }

    /// One of its texts as the argument of a function.
    fn argument<'a>(&self, text: &'a str) -> &'a str {
        match self.is_group {
            true => &text[1..text.len() - 1],
            false => text,
        }
    }

    pub fn root(&self, value: Value) -> Self {
        Self::of(value, |text| format!("sqrt({})", text(self)))
    }
}
