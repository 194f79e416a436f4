//! Marks, words and digits, and what is said where another one is expected.

use super::{EXAMPLE, Fault, Read, Reader};

impl Reader<'_> {
    pub(super) fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|it| it.is_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    pub(super) fn take(&mut self, mark: &str) -> bool {
        self.peek();
        let end = self.at + mark.len();
        let found = self
            .text
            .get(self.at..end)
            .is_some_and(|it| it.iter().copied().eq(mark.chars()));
        if found {
            self.at = end;
        }
        found
    }

    /// Takes a mark that only declarations in Rust have.
    pub(super) fn take_of_rust(&mut self, mark: &str) -> bool {
        !self.known.is_cpp && self.take(mark)
    }

    pub(super) fn need(&mut self, marks: &[&str]) -> Read<()> {
        if marks.iter().any(|mark| self.take(mark)) {
            return Ok(());
        }
        let marks: Vec<_> = marks.iter().map(|mark| format!("`{mark}`")).collect();
        let problem = match self.peek() {
            Some(found) => format!("`{found}` where {} is expected", marks.join(" or ")),
            None => format!("it ends where {} is expected", marks.join(" or ")),
        };
        Err(Fault::new(self.at, problem, EXAMPLE))
    }

    /// A colon, or else this hint.
    pub(super) fn colon(&mut self, hint: &str) -> Read<()> {
        self.need(&[":"])
            .map_err(|it| Fault::new(it.at, it.problem, hint))
    }

    pub(super) fn end(&mut self) -> Read<()> {
        match self.peek() {
            None => Ok(()),
            Some(found) => Err(Fault::new(
                self.at,
                format!("unexpected `{found}`"),
                EXAMPLE,
            )),
        }
    }

    /// A name, and where it begins.
    pub(super) fn word(&mut self, what: &str) -> Read<(String, usize)> {
        let is_first = |it: char| it.is_ascii_alphabetic() || it == '_';
        let found = self.peek();
        let start = self.at;
        if !found.is_some_and(is_first) {
            let problem = match found {
                Some(found) => format!("`{found}` where {what} is expected"),
                None => format!("it ends where {what} is expected"),
            };
            return Err(Fault::new(start, problem, EXAMPLE));
        }
        while self
            .text
            .get(self.at)
            .is_some_and(|it| is_first(*it) || it.is_ascii_digit())
        {
            self.at += 1;
        }
        Ok((self.text[start..self.at].iter().collect(), start))
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let start = self.at;
        let found = self.word("").is_ok_and(|(found, _)| found == word);
        if !found {
            self.at = start;
        }
        found
    }

    /// Checks whether a word begins here.
    pub(super) fn is_at_word(&mut self) -> bool {
        self.peek()
            .is_some_and(|it| it.is_ascii_alphabetic() || it == '_')
    }

    pub(super) fn digits(&mut self) -> Read<String> {
        self.peek();
        let start = self.at;
        while self.text.get(self.at).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
        match start == self.at {
            true => Err(Fault::new(start, "here a number is expected", EXAMPLE)),
            false => Ok(self.text[start..self.at].iter().collect()),
        }
    }
}
