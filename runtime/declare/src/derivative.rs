//! Derivatives as they are written: `dx, dw = f_bwd(dy, x, w, eps=eps)`, or several such steps with `;`
//! between them.

use crate::literal::Value as Number;

/// A word or a number, and the byte at which it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written<T>(pub T, pub usize);

/// Argument that is passed to a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given<'a> {
    Name(&'a str),
    Number(Number),
}

/// A call of a function, whose results are gradients.
#[derive(Debug, PartialEq)]
pub struct Step<'a> {
    pub gradients: Vec<Written<&'a str>>,
    pub function: Written<&'a str>,
    /// Each with the name of the parameter, if it is given by name.
    pub arguments: Vec<(Option<Written<&'a str>>, Written<Given<'a>>)>,
    /// Where the arguments end.
    pub end: usize,
}

/// Message, and the byte where the fault is.
pub type Fault = Written<String>;

/// The steps of a derivative.
///
/// # Errors
/// For a text that is none.
pub fn read(text: &str) -> Result<Vec<Step<'_>>, Fault> {
    let mut reader = Reader { text, at: 0 };
    let mut steps = vec![reader.step()?];
    while reader.take(';') {
        steps.push(reader.step()?);
    }
    match reader.rest().is_empty() {
        true => Ok(steps),
        false => Err(reader.expected("`;` or the end")),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Skips blanks, and returns the rest.
    fn rest(&mut self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        self.at = self.text.len() - rest.len();
        rest
    }

    fn take(&mut self, sign: char) -> bool {
        let is_next = self.rest().starts_with(sign);
        self.at += usize::from(is_next);
        is_next
    }

    fn need(&mut self, sign: char) -> Result<(), Fault> {
        match self.take(sign) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{sign}`"))),
        }
    }

    fn expected(&mut self, what: &str) -> Fault {
        self.rest();
        let example = "such as `dx, dw = f_bwd(dy, x, w)`";
        Written(
            format!("{what} is expected: a derivative is written {example}"),
            self.at,
        )
    }

    /// The characters that follow and are in a word or in a number.
    fn token(&mut self) -> Written<&'a str> {
        let (rest, start) = (self.rest(), self.at);
        let mut before = ' ';
        let is_other = |letter: char| {
            let is_sign = matches!(letter, '+' | '-') && matches!(before, ' ' | 'e' | 'E');
            before = letter;
            !(letter.is_alphanumeric() || matches!(letter, '_' | '.') || is_sign)
        };
        let token = &rest[..rest.find(is_other).unwrap_or(rest.len())];
        self.at += token.len();
        Written(token, start)
    }

    fn word(&mut self, what: &str) -> Result<Written<&'a str>, Fault> {
        let Written(word, start) = self.token();
        let is_word = word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        if is_word && !word.contains(['.', '+', '-']) {
            return Ok(Written(word, start));
        }
        self.at = start;
        Err(self.expected(what))
    }

    fn given(&mut self) -> Result<Written<Given<'a>>, Fault> {
        let Written(token, start) = self.token();
        let number = token.parse().map(Number::Integer).ok();
        let number = number.or_else(|| token.parse().map(Number::Real).ok());
        if let Some(number) = number.filter(|_| token.contains(|it: char| it.is_ascii_digit())) {
            return Ok(Written(Given::Number(number), start));
        }
        self.at = start;
        let Written(word, start) = self.word("a name or a number")?;
        Ok(Written(Given::Name(word), start))
    }

    fn step(&mut self) -> Result<Step<'a>, Fault> {
        let mut gradients = vec![self.word("the gradient of an argument")?];
        while self.take(',') {
            gradients.push(self.word("the gradient of an argument")?);
        }
        self.need('=')?;
        let function = self.word("a function")?;
        self.need('(')?;
        let mut arguments = Vec::new();
        while !self.take(')') {
            if !arguments.is_empty() {
                self.need(',')?;
            }
            let given = self.given()?;
            arguments.push(match given {
                Written(Given::Name(parameter), at) if self.take('=') => {
                    (Some(Written(parameter, at)), self.given()?)
                }
                given => (None, given),
            });
        }
        Ok(Step {
            gradients,
            function,
            arguments,
            end: self.at - 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_calls_of_functions() {
        let steps = read("dx, dw = f_bwd(dy, x , eps=eps, a = -1.5e-3);da=g(2)").unwrap();
        let name = |name, at| Written(Given::Name(name), at);
        assert_eq!(steps[0].gradients, [Written("dx", 0), Written("dw", 4)]);
        assert_eq!(steps[0].function, Written("f_bwd", 9));
        let number = Written(Given::Number(Number::Real(-1.5e-3)), 36);
        let arguments = [
            (None, name("dy", 15)),
            (None, name("x", 19)),
            (Some(Written("eps", 23)), name("eps", 27)),
            (Some(Written("a", 32)), number),
        ];
        assert_eq!(steps[0].arguments, arguments);
        assert_eq!(steps[1].gradients, [Written("da", 45)]);
        let two = Written(Given::Number(Number::Integer(2)), 50);
        assert_eq!(steps[1].arguments, [(None, two)]);
        assert_eq!(steps[1].end, 51);
    }

    #[test]
    fn what_is_no_derivative_has_a_place() {
        for (text, what, place) in [
            ("", "the gradient of an argument", 0),
            ("dx = ", "a function", 5),
            ("dx f(dy)", "`=`", 3),
            ("dx = f dy", "`(`", 7),
            ("dx = f(dy", "`,`", 9),
            ("dx = f(dy,)", "a name or a number", 10),
            ("dx = f(1x)", "a name or a number", 7),
            ("dx = f(dy) dw = g(dy)", "`;` or the end", 11),
            ("2 = f(dy)", "the gradient of an argument", 0),
        ] {
            let Written(message, at) = read(text).unwrap_err();
            assert!(
                message.starts_with(&format!("{what} is")),
                "{text}: {message}"
            );
            assert_eq!(at, place, "{text}");
        }
    }
}
