//! The sizes of a shape: `2*(n-1)`.

use super::{Fault, PARENTHESES, Read, Reader, TERMS};
use crate::declaration::{Extent, Name};

impl Reader<'_> {
    pub(super) fn extent(&mut self) -> Read<Extent> {
        self.chain(&['+', '-'], |it| it.chain(&['*', '/'], Self::factor))
    }

    fn chain(&mut self, signs: &[char], part: fn(&mut Self) -> Read<Extent>) -> Read<Extent> {
        let mut whole = part(self)?;
        while let Some(sign) = self.peek().filter(|it| signs.contains(it)) {
            // `n->` is no difference.
            if self.text.get(self.at + 1) == Some(&'>') {
                break;
            }
            self.term()?;
            self.at += 1;
            if sign == '/' {
                self.no_second_slash()?;
            }
            self.peek();
            let at = self.at;
            let right = part(self)?;
            if sign == '/' && right.names().is_empty() && right.value(&|_| 0) == Some(0) {
                let hint = "divide by a number that is not 0";
                return Err(Fault::new(at, "a size is divided by zero", hint));
            }
            whole = Extent::Of(Box::new(whole), sign, Box::new(right));
        }
        Ok(whole)
    }

    fn factor(&mut self) -> Read<Extent> {
        if self.take("(") {
            self.open += 1;
            if self.open > PARENTHESES {
                let problem = format!("more than {PARENTHESES} parentheses are open");
                return Err(Fault::new(
                    self.at - 1,
                    problem,
                    "leave out those that do nothing",
                ));
            }
            let inner = self.extent()?;
            self.need(&[")"])?;
            self.open -= 1;
            return Ok(Extent::Grouped(Box::new(inner)));
        }
        self.peek();
        self.term()?;
        if self.peek().is_some_and(|it| it.is_ascii_digit()) {
            let at = self.at;
            let digits = self.digits()?;
            let number = digits.parse();
            let hint = "a size has at most 18 digits";
            return number
                .map(Extent::Number)
                .map_err(|_| Fault::new(at, "the number is too large", hint));
        }
        let (text, at) = self.word("a size")?;
        Ok(Extent::Name(Name { text, at }))
    }

    /// Counts one more name, number or sign.
    fn term(&mut self) -> Read<()> {
        self.terms += 1;
        match self.terms > TERMS {
            true => Err(Fault::new(
                self.at,
                format!("the sizes have more than {TERMS} names, numbers and signs"),
                "let an integer argument be the size: `n: int64`",
            )),
            false => Ok(()),
        }
    }

    /// Fails at the second one of `//`.
    fn no_second_slash(&mut self) -> Read<()> {
        match self.text.get(self.at) {
            Some('/') => {
                let hint = "sizes are divided by `/`, which rounds down: `n/2`";
                Err(Fault::new(self.at - 1, "`//` where `/` is expected", hint))
            }
            _ => Ok(()),
        }
    }
}
