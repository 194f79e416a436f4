//! Numbers of a declaration: what an argument is if a call leaves it out.

use std::fmt;
use std::ops::RangeInclusive;
use std::slice;

use crate::dtype::DType;
use crate::fault::Fault;

/// A number, or a text, as it is written, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    pub text: String,
    pub at: usize,
    /// Formula of a number that is calculated.
    pub formula: Option<Formula>,
}

/// Formula of a number in Rust, and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    pub rust: String,
    pub value: Value,
}

impl Eq for Formula {} // no one is NaN

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Integer(i64),
    Real(f64),
}

impl Value {
    fn real(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Real(value) => value,
        }
    }

    pub fn negative(self) -> Self {
        match self {
            Self::Integer(value) => Self::Integer(value.saturating_neg()),
            Self::Real(value) => Self::Real(-value),
        }
    }

    /// As the runtime calculates: quotients are real. None for what is no number there.
    pub fn calculated(self, sign: char, other: Self) -> Option<Self> {
        let (left, right) = (self.real(), other.real());
        if !left.is_finite() || !right.is_finite() {
            return None;
        }
        let value = match (self, sign, other) {
            (Self::Integer(x), '+', Self::Integer(y)) => {
                return x.checked_add(y).map(Self::Integer);
            }
            (Self::Integer(x), '-', Self::Integer(y)) => {
                return x.checked_sub(y).map(Self::Integer);
            }
            (Self::Integer(x), '*', Self::Integer(y)) => {
                return x.checked_mul(y).map(Self::Integer);
            }
            (_, '+', _) => left + right,
            (_, '-', _) => left - right,
            (_, '*', _) => left * right,
            _ => left / right,
        };
        value.is_finite().then_some(Self::Real(value))
    }

    /// Calculates a power with an integer exponent; only integers to positive ones are integers.
    pub fn power(self, exponent: Self) -> Option<Self> {
        let (Self::Integer(n), true) = (exponent, self.real().is_finite()) else {
            return None;
        };
        if let (Self::Integer(x), 0..) = (self, n) {
            let most = u32::MAX - u32::from(n % 2 == 0); // of -1, 0 and 1
            return x
                .checked_pow(n.try_into().unwrap_or(most))
                .map(Self::Integer);
        }
        let value = self.real().powf(n as f64); // as Python calculates it, with C's `pow`
        value.is_finite().then_some(Self::Real(value))
    }

    pub fn root(self) -> Option<Self> {
        let value = self.real().sqrt();
        value.is_finite().then_some(Self::Real(value))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => write!(f, "{integer}"),
            Self::Real(real) if real.is_nan() => f.write_str("nan"),
            Self::Real(real) => write!(f, "{real:?}"),
        }
    }
}

/// Value of an argument that a call leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// `None`, of an optional array.
    Nothing,
    Number(Literal),
    /// Choice of an option.
    Choice(Literal),
    /// Items of a tuple.
    Items(Vec<Literal>),
    /// Dtype, for an argument that is one.
    DType(DType),
}

impl DefaultValue {
    pub fn number(&self) -> Option<&Literal> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// All numbers of it.
    pub fn numbers(&self) -> &[Literal] {
        match self {
            Self::Number(number) => slice::from_ref(number),
            Self::Items(items) => items,
            Self::Nothing | Self::Choice(_) | Self::DType(_) => &[],
        }
    }
}

/// A tuple, as Python writes one.
pub fn tuple(items: impl Iterator<Item = String>) -> String {
    match items.collect::<Vec<_>>().as_slice() {
        [one] => format!("({one},)"),
        items => format!("({})", items.join(", ")),
    }
}

/// As many as the runtime reads.
const DIGITS: usize = 40;

/// The integers that a language has for defaults.
pub type Integers = RangeInclusive<i64>;

/// Those that a build takes.
pub const INTEGERS: Integers = i64::MIN..=i64::MAX;

impl Literal {
    /// Returns its value, if the runtime has such an integer.
    pub fn value(&self) -> Option<Value> {
        match (self.text.as_str(), &self.formula) {
            (_, Some(formula)) => Some(formula.value),
            ("True", _) => Some(Value::Integer(1)),
            ("False", _) => Some(Value::Integer(0)),
            (text, _) if text.contains(['.', 'e']) || self.is_special() => {
                text.parse().ok().map(Value::Real)
            }
            (text, _) => text.parse().ok().map(Value::Integer),
        }
    }

    /// True if it is infinity, or not a number.
    fn is_special(&self) -> bool {
        matches!(self.text.as_str(), "inf" | "-inf" | "nan")
    }

    /// Checks that it is a number of the dtype.
    pub fn check(&self, dtype: DType, integers: &Integers) -> Result<(), Fault> {
        let has_infinity =
            dtype.is_inexact() && dtype.small_float().is_none_or(|it| it.has_infinity);
        if self.is_special() && (has_infinity || dtype.is_inexact() && self.text == "nan") {
            return Ok(());
        }
        let mantissa = self.text.split('e').next().unwrap_or_default();
        let digits = mantissa.chars().filter(char::is_ascii_digit);
        if self.formula.is_none() && digits.skip_while(|it| *it == '0').count() > DIGITS {
            let problem = format!("a number with more than {DIGITS} digits");
            return Err(Fault::new(self.at, problem, "17 of them are a float64"));
        }
        let number = match self.integer(integers)? {
            Some(integer) if dtype.is_inexact() => integer as f64,
            Some(integer) => {
                let range = dtype.range();
                return match range.contains(&integer.into()) {
                    true => Ok(()),
                    false => Err(self.no_integer(dtype, &range)),
                };
            }
            None if dtype.is_inexact() => self.value().map_or(f64::INFINITY, Value::real),
            None => return Err(self.no_integer(dtype, &dtype.range())),
        };
        let (largest, shown) = match dtype.numpy() {
            "float16" => (65519.0, "65504"),
            "float32" | "complex64" => (f32::MAX.into(), "3.4e38"),
            _ => (f64::MAX, "1.8e308"),
        };
        match number.abs() <= largest {
            true => Ok(()),
            false => Err(Fault::new(
                self.at,
                format!("`{}` is infinite in {}", self.text, dtype.numpy()),
                format!("the largest number there is {shown}"),
            )),
        }
    }

    /// Its value, if it is written as an integer.
    fn integer(&self, integers: &Integers) -> Result<Option<i64>, Fault> {
        let value = match self.value() {
            Some(Value::Real(_)) => return Ok(None),
            Some(Value::Integer(value)) => Some(value),
            None => None,
        };
        let value = value.filter(|it| integers.contains(it));
        let refused = || {
            let problem = format!("`{}` is beyond the integers of declarations", self.text);
            let (first, last) = (integers.start(), integers.end());
            let hint = format!(
                "they go from {first} to {last}; a real number has a point, `1e20` or `1.0`"
            );
            Fault::new(self.at, problem, hint)
        };
        value.ok_or_else(refused).map(Some)
    }

    fn no_integer(&self, dtype: DType, range: &RangeInclusive<i128>) -> Fault {
        let name = dtype.numpy();
        let hint = match dtype.is_bool() {
            true => "it is `True` or `False`".to_owned(),
            false if self.formula.is_some() && matches!(self.value(), Some(Value::Real(_))) => {
                format!(
                    "it is not an integer, as no quotient, root or constant is: {name} takes integers alone"
                )
            }
            false if matches!(self.value(), Some(Value::Real(_))) => {
                format!("it is not an integer, and {name} takes integers alone")
            }
            false => format!("{name} goes from {} to {}", range.start(), range.end()),
        };
        Fault::new(self.at, format!("`{}` is no {name}", self.text), hint)
    }
}

#[cfg(test)]
mod tests {
    use super::Value::{Integer, Real};

    #[test]
    fn powers_are_as_in_python() {
        for (x, n, power) in [
            (Integer(10), 18, Some(Integer(1_000_000_000_000_000_000))),
            (Integer(-1), i64::MAX, Some(Integer(-1))),
            (Integer(10), 300, None),
            (Integer(10), -300, Some(Real(1e-300))),
            (Real(10.0), 22, Some(Real(1e22))),
            (Real(1.1), 100, Some(Real(13780.61233982238))),
            (Real(-3.0), 33, Some(Real(-5559060566555523.0))),
            (Real(0.5), 2000, Some(Real(0.0))),
            (Real(2.0), -1074, Some(Real(5e-324))),
            (Real(7.25), 0, Some(Real(1.0))),
            (Real(1.5), i64::MAX, None),
            (Real(0.0), -1, None),
        ] {
            assert_eq!(x.power(Integer(n)), power, "{x:?} to the power of {n}");
        }
    }
}
