//! Extents of axes: expressions of dimensions.

use std::fmt;

use cuvec_declare::read::TERMS;

use crate::MAX_DIMENSIONS;

/// A named size. Arrays that have it must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    pub name: &'static str,
    /// The index of the integer argument that gives it; otherwise arrays do.
    pub scalar: Option<usize>,
}

/// One step of an expression in postfix notation: `2*n-1` is 2, n, *, 1, -.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    Number(i64),
    /// The index of a dimension of the function.
    Dimension(usize),
    Add,
    Subtract,
    Multiply,
    /// Rounds down.
    Divide,
}

/// The extent of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent(pub &'static [Term]);

/// Why an extent has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    Overflow,
    DivisionByZero,
}

impl Extent {
    /// The dimension that the extent is by itself, which an array then gives.
    #[must_use]
    pub const fn dimension(self) -> Option<usize> {
        match self.0 {
            [Term::Dimension(index)] => Some(*index),
            _ => None,
        }
    }

    /// The dimension that can be calculated from the size of the axis: the only one there, and not divided.
    #[must_use]
    pub fn solvable(self) -> Option<usize> {
        let mut found = None;
        for term in self.0 {
            match *term {
                Term::Divide => return None,
                Term::Dimension(_) if found.is_some() => return None,
                Term::Dimension(index) => found = Some(index),
                _ => {}
            }
        }
        found
    }

    /// The size that the dimension of a solvable extent has where the axis has this one; none if there is no
    /// such size.
    #[must_use]
    pub fn solve(self, size: i64) -> Option<i64> {
        let sizes = |value| [value; MAX_DIMENSIONS];
        let zero = self.value(&sizes(0)).ok()?;
        let slope = self.value(&sizes(1)).ok()?.checked_sub(zero)?;
        let rest = size.checked_sub(zero)?;
        let solution = rest.checked_div(slope)?;
        (rest % slope == 0 && solution >= 0).then_some(solution)
    }

    /// Its value for these sizes of the function's dimensions.
    ///
    /// # Errors
    /// When there is none.
    ///
    /// # Panics
    /// When the terms are no expression.
    pub fn value(self, sizes: &[i64]) -> Result<i64, Impossible> {
        let mut stack = [0_i64; TERMS];
        let mut height = 0;
        for &term in self.0 {
            let value = match term {
                Term::Number(number) => number,
                Term::Dimension(index) => sizes[index],
                operation => {
                    height -= 2;
                    apply(operation, stack[height], stack[height + 1])?
                }
            };
            stack[height] = value;
            height += 1;
        }
        assert_eq!(height, 1, "an expression leaves one value");
        Ok(stack[0])
    }

    /// As it is written: `2*n-1`.
    #[must_use]
    pub fn text(self, dimensions: &[Dimension]) -> String {
        let mut stack: Vec<(u8, String)> = Vec::new(); // with how strongly each holds together
        for &term in self.0 {
            let written = match term {
                Term::Number(number) => (3, number.to_string()),
                Term::Dimension(index) => (3, dimensions[index].name.to_owned()),
                operation => {
                    let (strength, sign) = sign_of(operation);
                    let (right, left) = (stack.pop(), stack.pop());
                    let left = left.map_or_else(String::new, |part| enclosed(part, strength));
                    let right = right.map_or_else(String::new, |part| enclosed(part, strength + 1));
                    (strength, format!("{left}{sign}{right}"))
                }
            };
            stack.push(written);
        }
        stack.pop().map_or_else(String::new, |(_, text)| text)
    }
}

fn apply(operation: Term, left: i64, right: i64) -> Result<i64, Impossible> {
    let value = match operation {
        Term::Add => left.checked_add(right),
        Term::Subtract => left.checked_sub(right),
        Term::Multiply => left.checked_mul(right),
        _ if right == 0 => return Err(Impossible::DivisionByZero),
        _ => left.checked_div(right).map(|quotient| {
            let rest = left % right;
            quotient - i64::from(rest != 0 && (rest < 0) != (right < 0))
        }),
    };
    value.ok_or(Impossible::Overflow)
}

const fn sign_of(operation: Term) -> (u8, char) {
    match operation {
        Term::Add => (1, '+'),
        Term::Subtract => (1, '-'),
        Term::Multiply => (2, '*'),
        _ => (2, '/'),
    }
}

fn enclosed((strength, text): (u8, String), wanted: u8) -> String {
    if strength < wanted {
        format!("({text})")
    } else {
        text
    }
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overflow => "is too large",
            Self::DivisionByZero => "divides by zero",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: Term = Term::Dimension(0);
    const M: Term = Term::Dimension(1);
    const NAMES: [Dimension; 2] = [
        Dimension {
            name: "n",
            scalar: None,
        },
        Dimension {
            name: "m",
            scalar: None,
        },
    ];

    fn check(terms: &'static [Term], text: &str, value: i64) {
        let extent = Extent(terms);
        assert_eq!(extent.text(&NAMES), text);
        assert_eq!(extent.value(&[5, 3]), Ok(value), "{text}");
    }

    #[test]
    fn expressions_are_written_and_have_values() {
        use Term::{Add, Divide, Multiply, Number, Subtract};
        check(&[N], "n", 5);
        check(&[Number(7)], "7", 7);
        check(&[Number(2), N, Multiply, Number(1), Subtract], "2*n-1", 9);
        check(&[Number(2), N, Number(1), Subtract, Multiply], "2*(n-1)", 8);
        check(&[N, M, Number(1), Subtract, Subtract], "n-(m-1)", 3);
        check(&[N, M, Subtract, Number(1), Subtract], "n-m-1", 1);
        check(&[N, M, Add, Number(2), Divide], "(n+m)/2", 4);
        check(&[N, M, Number(2), Divide, Divide], "n/(m/2)", 5);
    }

    #[test]
    fn division_rounds_down() {
        const HALF: Extent = Extent(&[N, Term::Number(2), Term::Divide]);
        for (n, half) in [(5, 2), (4, 2), (-5, -3), (-4, -2)] {
            assert_eq!(HALF.value(&[n]), Ok(half), "{n}");
        }
        const QUOTIENT: Extent = Extent(&[N, M, Term::Divide]);
        for (n, quotient) in [(5, -3), (4, -2), (-5, 2), (-4, 2)] {
            assert_eq!(QUOTIENT.value(&[n, -2]), Ok(quotient), "{n}");
        }
    }

    #[test]
    fn what_has_no_value_is_said() {
        const QUOTIENT: Extent = Extent(&[N, M, Term::Divide]);
        const PRODUCT: Extent = Extent(&[N, M, Term::Multiply]);
        assert_eq!(QUOTIENT.value(&[1, 0]), Err(Impossible::DivisionByZero));
        assert_eq!(QUOTIENT.value(&[i64::MIN, -1]), Err(Impossible::Overflow));
        assert_eq!(PRODUCT.value(&[i64::MAX, 2]), Err(Impossible::Overflow));
        assert_eq!(Impossible::DivisionByZero.to_string(), "divides by zero");
        assert_eq!(Impossible::Overflow.to_string(), "is too large");
    }

    #[test]
    fn extents_of_one_dimension_are_solved() {
        use Term::{Add, Divide, Multiply, Number, Subtract};
        const MORE: Extent = Extent(&[M, Number(1), Add]);
        const TWICE: Extent = Extent(&[Number(2), N, Multiply, Number(1), Subtract]);
        assert_eq!((MORE.solvable(), TWICE.solvable()), (Some(1), Some(0)));
        assert_eq!([1, 5, 0].map(|it| MORE.solve(it)), [Some(0), Some(4), None]);
        assert_eq!(
            [1, 5, 0].map(|it| TWICE.solve(it)),
            [Some(1), Some(3), None]
        );
        const NONE: Extent = Extent(&[Number(0), N, Multiply]);
        assert_eq!(NONE.solve(0), None);
        assert_eq!(Extent(&[N, Number(2), Divide]).solvable(), None);
        assert_eq!(Extent(&[N, M, Add]).solvable(), None);
        assert_eq!(Extent(&[N, N, Add]).solvable(), None);
        assert_eq!(Extent(&[Number(3)]).solvable(), None);
    }

    #[test]
    fn a_dimension_by_itself_is_given_by_arrays() {
        assert_eq!(Extent(&[M]).dimension(), Some(1));
        assert_eq!(Extent(&[Term::Number(1)]).dimension(), None);
        assert_eq!(Extent(&[N, Term::Number(1), Term::Add]).dimension(), None);
    }
}
