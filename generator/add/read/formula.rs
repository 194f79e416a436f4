//! Defaults that are calculated: `2*pi/3`.

use super::{Fault, Literal, PARENTHESES, Read, Reader};
use crate::add::literal::{Formula, Value};

/// A number, a constant or a sign, as it is written.
struct Part {
    text: String,
    is_integer: bool,
}

impl Reader {
    /// A number, or what is calculated of some.
    pub(super) fn number(&mut self) -> Read<Literal> {
        let is_sign = |it: char| matches!(it, '+' | '-' | '*' | '/');
        self.peek();
        let at = self.at;
        let is_constant = |it: &mut Self| {
            it.take("-");
            it.take("(") || it.take_word("pi") || it.take_word("e")
        };
        if !is_constant(self) {
            self.at = at;
            let literal = self.literal()?;
            if !self.peek().is_some_and(is_sign) {
                return Ok(literal);
            }
        }
        self.at = at;
        let mut parts = Vec::new();
        let value = self.sum(&mut parts)?;
        let text = |shown: &dyn Fn(&Part) -> String| parts.iter().map(shown).collect::<String>();
        let is_real = matches!(value, Value::Real(_));
        let of_numpy = |part: &Part| match part.text.as_str() {
            constant @ ("pi" | "e" | "inf" | "nan") => format!("np.{constant}"),
            text => text.to_owned(),
        };
        let of_rust = |part: &Part| match is_real && part.is_integer {
            true => format!("{}.0", part.text),
            false => part.text.clone(),
        };
        let formula = Formula {
            python: text(&of_numpy),
            rust: text(&of_rust),
            value,
        };
        Ok(Literal {
            text: text(&|part| part.text.clone()),
            at,
            formula: Some(formula),
        })
    }

    fn sum(&mut self, parts: &mut Vec<Part>) -> Read<Value> {
        let value = self.product(parts)?;
        self.chain_of(parts, value, ['+', '-'], Self::product)
    }

    fn product(&mut self, parts: &mut Vec<Part>) -> Read<Value> {
        let value = self.part(parts)?;
        self.chain_of(parts, value, ['*', '/'], Self::part)
    }

    fn chain_of(
        &mut self,
        parts: &mut Vec<Part>,
        mut value: Value,
        signs: [char; 2],
        next: fn(&mut Self, &mut Vec<Part>) -> Read<Value>,
    ) -> Read<Value> {
        while let Some(sign) = self.peek().filter(|it| signs.contains(it)) {
            let at = self.at;
            self.at += 1;
            parts.push(mark(format!(" {sign} ")));
            let right = next(self, parts)?;
            value = value.calculated(sign, right).ok_or_else(|| {
                let problem = "this cannot be calculated";
                Fault::new(
                    at,
                    problem,
                    "it is too large, divided by zero, or of `inf` or `nan`",
                )
            })?;
        }
        Ok(value)
    }

    fn part(&mut self, parts: &mut Vec<Part>) -> Read<Value> {
        self.peek();
        let at = self.at;
        let is_negative = self.take("-");
        if self.take("(") {
            self.open += 1;
            if self.open > PARENTHESES {
                let problem = format!("more than {PARENTHESES} parentheses are open");
                return Err(Fault::new(at, problem, "leave out those that do nothing"));
            }
            parts.push(mark(if is_negative { "-(" } else { "(" }.to_owned()));
            let value = self.sum(parts)?;
            self.need(&[")"])?;
            self.open -= 1;
            parts.push(mark(")".to_owned()));
            return Ok(if is_negative { value.negative() } else { value });
        }
        for (name, value) in [("pi", std::f64::consts::PI), ("e", std::f64::consts::E)] {
            if self.take_word(name) {
                if is_negative {
                    parts.push(mark("-".to_owned()));
                }
                parts.push(mark(name.to_owned()));
                return Ok(Value::Real(if is_negative { -value } else { value }));
            }
        }
        self.at = at;
        let literal = self.literal()?;
        let (sign, text) = match literal.text.strip_prefix('-') {
            Some(text) => ("-", text),
            None => ("", literal.text.as_str()),
        };
        let text = match text {
            "True" => "1",
            "False" => "0",
            text => text,
        };
        let value = literal.value().ok_or_else(|| {
            let problem = format!("`{}` is beyond the integers of declarations", literal.text);
            Fault::new(at, problem, "a real number has a point, `1e20` or `1.0`")
        })?;
        parts.push(mark(sign.to_owned()));
        parts.push(Part {
            text: text.to_owned(),
            is_integer: matches!(value, Value::Integer(_)),
        });
        Ok(value)
    }
}

fn mark(text: String) -> Part {
    Part {
        text,
        is_integer: false,
    }
}
