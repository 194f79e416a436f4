//! Numbers as they are written, and texts.

use super::{Fault, Read, Reader};
use crate::literal::Literal;

impl Reader<'_> {
    /// A number as it is written.
    pub(super) fn literal(&mut self) -> Read<Literal> {
        self.peek();
        let at = self.at;
        for (word, in_rust) in [("True", "true"), ("False", "false")] {
            if self.take_word(word) || !self.known.is_cpp && self.take_word(in_rust) {
                return Ok(plain(word.to_owned(), at));
            }
        }
        let mut text = String::from(if self.take("-") { "-" } else { "" });
        for word in ["inf", "nan"] {
            if (word, &*text) != ("nan", "-") && self.take_word(word) {
                text += word;
                return Ok(plain(text, at));
            }
        }
        if self.is_at_word() {
            let hint = "a default is made of numbers, `pi`, `e`, `inf`, `nan` and `sqrt(2)`, as they are here";
            return Err(Fault::new(self.at, "here a number is expected", hint));
        }
        let digits = self.digits()?;
        if digits.len() > 1 && digits.starts_with('0') {
            let problem = "a number that begins with `0`";
            return Err(Fault::new(at, problem, "leave the zeros out"));
        }
        text += &digits;
        if self.text.get(self.at) == Some(&'.') {
            self.at += 1;
            let fraction = self.digits().unwrap_or_else(|_| "0".to_owned());
            text += &format!(".{fraction}");
        }
        if self.text.get(self.at) == Some(&'e') {
            self.at += 1;
            text += if self.take("-") { "e-" } else { "e" };
            text += &self.digits()?;
        }
        Ok(plain(text, at))
    }

    /// A name in quotes of either kind, or as in Rust without them.
    pub(super) fn text(&mut self) -> Read<Literal> {
        let found = self.peek();
        if !self.known.is_cpp && found.is_some_and(|it| it.is_ascii_alphabetic() || it == '_') {
            let (text, at) = self.word("a text")?;
            return Ok(plain(text, at));
        }
        let Some(quote) = found.filter(|it| matches!(it, '\'' | '"')) else {
            let hint = "such as `mode: {'relu', 'silu'} = 'relu'`";
            return Err(Fault::new(
                self.at,
                "here a text in quotes is expected",
                hint,
            ));
        };
        self.at += 1;
        let hint = "texts are of letters, digits and `_`: `'lower_case'`";
        let with_hint = |it: Fault| Fault::new(it.at, it.problem, hint);
        let start = self.at;
        let text = self.word("a text of letters, digits and `_`");
        let (text, at) = text.map_err(with_hint)?;
        let end = self.at;
        self.need(&[quote.encode_utf8(&mut [0; 4])])
            .map_err(with_hint)?;
        match (at, self.at) == (start, end + 1) {
            true => Ok(plain(text, at)),
            false => Err(Fault::new(start, "a text with a blank", hint)),
        }
    }
}

fn plain(text: String, at: usize) -> Literal {
    Literal {
        text,
        at,
        formula: None,
    }
}
