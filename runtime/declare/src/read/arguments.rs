//! The arguments: arrays, numbers, tuples and options.

use super::{Fault, ITEMS, Read, Reader};
use crate::declaration::{Argument, Kind, Role, Type};
use crate::dtype::DType;
use crate::literal::{DefaultValue, Literal};

impl Reader<'_> {
    pub(super) fn arguments(&mut self) -> Read<Vec<Argument>> {
        let mut arguments = Vec::new();
        let mut keyword_only = false;
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            if self.take("*") {
                keyword_only = true;
                self.need(&[","])?;
            }
            arguments.push(self.argument(keyword_only)?);
            if self.take(")") {
                return Ok(arguments);
            }
            self.need(&[",", ")"])?;
            if self.take_of_rust(")") {
                return Ok(arguments); // behind a comma, where each has its line
            }
        }
    }

    fn argument(&mut self, keyword_only: bool) -> Read<Argument> {
        let (name, at) = self.word("the name of an argument")?;
        self.need(&[":"])?;
        let (dtype, mut kind) = match self.take("{") {
            true => (Type::Fixed(DType::OPTION), Kind::Option(self.choices()?)),
            false => self.array_or_numbers(&name, at)?,
        };
        let mut default = None;
        if self.take("=") {
            default = Some(match self.dtype_default(dtype, &kind)? {
                Some(chosen) => {
                    kind = Kind::DType;
                    DefaultValue::DType(chosen)
                }
                None => self.default_of(&name, dtype, &kind)?,
            });
        }
        Ok(Argument {
            name,
            dtype,
            kind,
            default,
            keyword_only,
            at,
        })
    }

    fn array_or_numbers(&mut self, name: &str, at: usize) -> Read<(Type, Kind)> {
        if self.take_of_rust("&") {
            return self.reference(false);
        }
        if self.take_of_rust("[") {
            self.peek();
            let at = self.at;
            if self.take_word("usize") {
                let problem = "the items of a tuple have a dtype";
                return Err(Fault::new(at, problem, "such as `[i64; 2]`"));
            }
            let dtype = self.dtype()?;
            self.need(&[";"])?;
            return Ok((dtype, Kind::Tuple(self.count()?)));
        }
        if !self.known.is_cpp && self.take_word("usize") {
            return Ok((Type::Fixed(DType::SIZE), Kind::Number));
        }
        if self.take_of_rust("Option<") {
            self.need(&["&"])?;
            let read = self.reference(true)?;
            self.need(&[">"])?;
            return Ok(read);
        }
        let role = match () {
            () if self.take_word("inout") => Role::Inout,
            () if self.take_word("out") => Role::Out,
            () => Role::In,
        };
        if let Some(dtype) = self.variable_of("dtype")? {
            return Ok((dtype, Kind::DType));
        }
        let dtype = self.dtype()?;
        let kind = match () {
            () if self.take("(") => self.array(role)?,
            () if self.take("[") => Kind::Tuple(self.count()?),
            () => Kind::Number,
        };
        if !matches!(kind, Kind::Array { .. }) && self.take("?") {
            let problem = format!("`{name}` is no array, and cannot be None");
            let hint = "only optional arrays can: `x: T(n)? = None`; give it a number as default";
            return Err(Fault::new(self.at - 1, problem, hint));
        }
        if role != Role::In && !matches!(kind, Kind::Array { .. }) {
            let what = if kind == Kind::Number {
                "number"
            } else {
                "tuple"
            };
            let hint = "give it a shape, such as `()`, or return the number: `-> float64`";
            let problem = format!("`{name}` is a {what}, which cannot be written");
            return Err(Fault::new(at, problem, hint));
        }
        Ok((dtype, kind))
    }

    /// Reads the part after the `&` of an array as in Rust: `mut T[n]`.
    fn reference(&mut self, is_optional: bool) -> Read<(Type, Kind)> {
        let role = match () {
            () if self.take_word("mut") => Role::Inout,
            () if self.take_word("out") => Role::Out,
            () => Role::In,
        };
        let dtype = self.dtype()?;
        self.need(&["["])?;
        let shape = self.laid_out_shape("]")?;
        let kind = Kind::Array {
            role,
            shape,
            is_optional,
        };
        Ok((dtype, kind))
    }

    /// Reads the part after the `(`.
    fn array(&mut self, role: Role) -> Read<Kind> {
        let shape = self.laid_out_shape(")")?;
        let is_optional = self.take("?");
        Ok(Kind::Array {
            role,
            shape,
            is_optional,
        })
    }

    /// How many items a tuple has, which is behind the `[`.
    fn count(&mut self) -> Read<usize> {
        let found = self.peek();
        let at = self.at;
        if found.is_some_and(|it| !it.is_ascii_digit()) {
            let problem = "here the number of items of a tuple is expected";
            return Err(Fault::new(
                at,
                problem,
                "an array is `x: T(n)`, or `x: &T[n]`",
            ));
        }
        let count = self.digits()?.parse().unwrap_or(usize::MAX);
        self.need(&["]"])?;
        match count {
            1..=ITEMS => Ok(count),
            _ => {
                let problem = format!("a tuple has 1 to {ITEMS} items");
                Err(Fault::new(
                    at,
                    problem,
                    "an array has more: `a: float64(n)`",
                ))
            }
        }
    }

    /// Reads the part after the `{`.
    fn choices(&mut self) -> Read<Vec<Literal>> {
        let mut choices: Vec<Literal> = Vec::new();
        loop {
            let choice = self.text()?;
            if choices.iter().any(|it| it.text == choice.text) {
                let problem = format!("`{}` is there twice", choice.text);
                return Err(Fault::new(choice.at, problem, "remove one of them"));
            }
            choices.push(choice);
            if self.take("}") {
                return Ok(choices);
            }
            self.need(&[",", "}"])?;
        }
    }
}
