//! Reads the part after the `=` of an argument.

use super::{Fault, Read, Reader};
use crate::declaration::{Extent, Kind, Type, Variable};
use crate::dtype::DType;
use crate::fault::quoted_list;
use crate::literal::{DefaultValue, Literal};

impl Reader<'_> {
    /// Reads the part after the `=`.
    pub(super) fn default_of(
        &mut self,
        name: &str,
        dtype: Type,
        kind: &Kind,
    ) -> Read<DefaultValue> {
        self.peek();
        let at = self.at;
        let is_choice =
            matches!(kind, Kind::Option(names) if names.iter().any(|it| it.text == "None"));
        let is_nothing = !is_choice && self.take_word("None");
        let refused = |problem: String, hint: &str| Err(Fault::new(at, problem, hint));
        match kind {
            Kind::Array {
                is_optional: true, ..
            } if is_nothing => Ok(DefaultValue::Nothing),
            Kind::Array {
                is_optional: true, ..
            } => refused(
                format!("`{name}` is an optional array, whose default is `None`"),
                "write `= None`",
            ),
            Kind::Array { shape, .. }
                if matches!(self.peek(), Some('(' | '['))
                    && matches!(&shape.extents[..], [Extent::Number(1..)]) =>
            {
                let dtype = match dtype {
                    Type::Fixed(dtype) => dtype.numpy(),
                    Type::Variable(number) => &self.variables[number].name,
                    Type::Real(_) | Type::Struct(_) => "float64",
                };
                let count = shape.written(|it| it.written("/")).join(",");
                refused(
                    format!("`{name}` is an array, which every call must have"),
                    &format!("a tuple of numbers has brackets: `{name}: {dtype}[{count}]`"),
                )
            }
            Kind::Array { .. } => refused(
                format!("`{name}` is an array, which every call must have"),
                "remove the default, or let it be None: `x: T(n)? = None`",
            ),
            _ if is_nothing => refused(
                format!("`{name}` is no array, and cannot be None"),
                "only optional arrays can: `x: T(n)? = None`",
            ),
            Kind::Number => Ok(DefaultValue::Number(self.number()?)),
            Kind::Option(_) => Ok(DefaultValue::Choice(self.text()?)),
            Kind::Tuple(count) => Ok(DefaultValue::Items(self.items(*count)?)),
            Kind::DType => refused(
                format!("`{name}` is a dtype without a default"),
                "with one it is `dtype: T = float32`",
            ),
        }
    }

    /// A dtype behind the `=` of what would be a number of a variable: the argument chooses which it is.
    pub(super) fn dtype_default(&mut self, dtype: Type, kind: &Kind) -> Read<Option<DType>> {
        let start = self.at;
        let Type::Variable(variable) = dtype else {
            return Ok(None);
        };
        let word = self.word("");
        let found = word.as_ref().ok().and_then(|(it, _)| self.named(it));
        let (Kind::Number, Some(found), Ok((word, at))) = (kind, found, word) else {
            self.at = start;
            return Ok(None);
        };
        let Variable { name, dtypes, .. } = &self.variables[variable];
        match dtypes.contains(&found) {
            true => Ok(Some(found)),
            false => {
                let problem = format!("`{word}` is not a dtype of `{name}`");
                let hint = format!(
                    "they are {}",
                    quoted_list(dtypes.iter().map(|it| it.numpy()))
                );
                Err(Fault::new(at, problem, hint))
            }
        }
    }

    /// The default of a tuple.
    fn items(&mut self, count: usize) -> Read<Vec<Literal>> {
        self.peek();
        let at = self.at;
        let end = match self.take_of_rust("[") {
            true => "]",
            false => ")",
        };
        if end == ")" && !self.take("(") {
            let hint = "in parentheses: `= (1, 1)`, or `= (1,)`";
            let problem = format!("here the {count} items of a tuple are expected");
            return Err(Fault::new(at, problem, hint));
        }
        let mut items = vec![self.number()?];
        while !self.take(end) {
            self.need(&[",", end])?;
            if self.take(end) {
                break; // as Python writes one item
            }
            items.push(self.number()?);
        }
        match items.len() == count {
            true => Ok(items),
            false => {
                let problem = format!("{} items, and the tuple has {count}", items.len());
                Err(Fault::new(at, problem, "give each item a default"))
            }
        }
    }
}
