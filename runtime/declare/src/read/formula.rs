//! Defaults that are calculated: `2*pi/3`, `sqrt(2)**3`.

use std::f64::consts::{E, PI};

use super::{Fault, Literal, PARENTHESES, Read, Reader};
use crate::literal::{Formula, Value};

impl Reader<'_> {
    /// A number, or what is calculated of some.
    pub(super) fn number(&mut self) -> Read<Literal> {
        let is_sign = |it: char| matches!(it, '+' | '-' | '*' | '/');
        self.peek();
        let at = self.at;
        self.no_module()?;
        let is_constant = |it: &mut Self| {
            it.take("-");
            it.take("(")
                || ["pi", "e", "sqrt", "pow"]
                    .iter()
                    .any(|word| it.take_word(word))
        };
        if !is_constant(self) {
            self.at = at;
            let literal = self.literal()?;
            if !self.peek().is_some_and(is_sign) {
                return Ok(literal);
            }
        }
        self.at = at;
        let sum = self.sum()?;
        let formula = Formula {
            rust: match sum.value {
                Value::Real(_) => sum.real,
                Value::Integer(_) => sum.integer,
            },
            value: sum.value,
        };
        Ok(Literal {
            text: sum.text,
            at,
            formula: Some(formula),
        })
    }

    /// Fails at `np.pi`.
    fn no_module(&mut self) -> Read<()> {
        let start = self.at;
        for word in ["np", "numpy", "math"] {
            if self.take_word(word) && self.take(".") {
                let problem = format!("`{word}.` where a number is expected");
                let hint = "`pi`, `e`, `inf`, `nan` and `sqrt(2)` stand by themselves";
                return Err(Fault::new(start, problem, hint));
            }
            self.at = start;
        }
        Ok(())
    }

    fn sum(&mut self) -> Read<Part> {
        self.chain_of(['+', '-'], |it| it.chain_of(['*', '/'], Self::power))
    }

    fn chain_of(&mut self, signs: [char; 2], next: fn(&mut Self) -> Read<Part>) -> Read<Part> {
        let mut part = next(self)?;
        while let Some(sign) = self.peek().filter(|it| signs.contains(it)) {
            let at = self.at;
            self.at += 1;
            if sign == '/' && self.text.get(self.at) == Some(&'/') {
                let hint = "a quotient of defaults is real: `1/2`; write an integer as it is";
                return Err(Fault::new(at, "`//` where `/` is expected", hint));
            }
            let right = next(self)?;
            let value = calculated(part.value.calculated(sign, right.value), at)?;
            part = part.joined(value, sign, &right);
        }
        Ok(part)
    }

    /// A sign before a power is no part of its base, as in Python.
    fn power(&mut self) -> Read<Part> {
        self.peek();
        let start = self.at;
        let base = self.base()?;
        self.peek();
        let at = self.at;
        if !self.take("**") {
            return Ok(base);
        }
        if self.text[start] == '-' {
            self.at = start + 1;
            return Ok(self.power()?.negative());
        }
        let exponent = self.power()?;
        let value = calculated(base.value.power(exponent.value), at)?;
        Ok(base.power(value, &exponent))
    }

    fn base(&mut self) -> Read<Part> {
        self.peek();
        let at = self.at;
        let is_negative = self.take("-");
        self.peek();
        let root = self.at;
        let is_root = self.take_word("sqrt");
        if !is_root {
            self.no_module()?;
        }
        let part = if !self.known.is_cpp && self.take_word("pow") {
            self.need(&["("])?;
            self.opened(at)?;
            let base = self.sum()?;
            self.need(&[","])?;
            let exponent = self.sum()?;
            self.need(&[")"])?;
            self.open -= 1;
            let value = calculated(base.value.power(exponent.value), at)?;
            base.power(value, &exponent)
        } else if is_root || self.peek() == Some('(') {
            self.need(&["("])?;
            self.opened(at)?;
            let inner = self.sum()?;
            self.need(&[")"])?;
            self.open -= 1;
            match is_root {
                true => {
                    let value = calculated(inner.value.root(), root)?;
                    inner.root(value)
                }
                false => inner.grouped(),
            }
        } else if self.take_word("pi") {
            Part::literal(Value::Real(PI), "pi")
        } else if self.take_word("e") {
            Part::literal(Value::Real(E), "e")
        } else {
            self.at = at;
            return self.literal_part(at);
        };
        Ok(if is_negative { part.negative() } else { part })
    }

    fn opened(&mut self, at: usize) -> Read<()> {
        self.open += 1;
        match self.open > PARENTHESES {
            true => {
                let problem = format!("more than {PARENTHESES} parentheses are open");
                Err(Fault::new(at, problem, "leave out those that do nothing"))
            }
            false => Ok(()),
        }
    }

    fn literal_part(&mut self, at: usize) -> Read<Part> {
        let literal = self.literal()?;
        let value = literal.value().ok_or_else(|| {
            let problem = format!("`{}` is beyond the integers of declarations", literal.text);
            Fault::new(at, problem, "a real number has a point, `1e20` or `1.0`")
        })?;
        Ok(Part::literal(value, &literal.text))
    }
}

fn calculated(value: Option<Value>, at: usize) -> Read<Value> {
    value.ok_or_else(|| {
        let hint = "it is too large, divided by zero, a root of a negative number, a power whose \
                    exponent is no integer, or of `inf` or `nan`";
        Fault::new(at, "this cannot be calculated", hint)
    })
}

/// A part of a formula: as it is declared, and in Rust as a real number, and as an integer if it is one.
struct Part {
    value: Value,
    text: String,
    real: String,
    integer: String,
    /// True if it is in parentheses.
    is_group: bool,
}

impl Part {
    /// A number as it is written, `pi` or `e`.
    fn literal(value: Value, text: &str) -> Self {
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

    fn joined(&self, value: Value, sign: char, right: &Self) -> Self {
        Self::of(value, |text| {
            format!("{} {sign} {}", text(self), text(right))
        })
    }

    fn negative(&self) -> Self {
        Self::of(self.value.negative(), |text| format!("-{}", text(self)))
    }

    fn grouped(&self) -> Self {
        Self {
            is_group: true,
            ..Self::of(self.value, |text| format!("({})", text(self)))
        }
    }

    fn power(&self, value: Value, exponent: &Self) -> Self {
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

    fn root(&self, value: Value) -> Self {
        Self::of(value, |text| format!("sqrt({})", text(self)))
    }
}
