//! Strings and comments of a file in C++, and the signatures among the strings.

/// A signature as it is in a file: one literal or several, raw or not.
pub struct Signature {
    pub text: String,
    /// Where its letters are in the file, and its end.
    pub places: Vec<usize>,
    /// The place behind it.
    pub end: usize,
}

/// The signatures of a file, and the place of the first one that is no literal, such as a macro.
#[derive(Default)]
pub struct Signatures {
    pub read: Vec<Signature>,
    pub unread: Option<usize>,
}

pub fn signatures(file: &str) -> Signatures {
    let mut reader = Reader::new(file);
    let mut found = Signatures::default();
    while !reader.rest().is_empty() {
        if reader.skip_other() {
            continue;
        }
        let start = reader.at;
        reader.skip_while(is_part);
        if reader.at == start {
            reader.skip_letter();
        } else if &file[start..reader.at] == "signature" && reader.take_equals() {
            match reader.literals() {
                Some(signature) => found.read.push(signature),
                None => found.unread = found.unread.or(Some(start)),
            }
        }
    }
    found
}

/// Reads a file from left to right, past comments and literals.
pub struct Reader<'a> {
    file: &'a str,
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(file: &'a str) -> Self {
        Self { file, at: 0 }
    }

    pub fn rest(&self) -> &'a str {
        &self.file[self.at..]
    }

    pub fn skip_letter(&mut self) {
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
    }

    /// Skips a comment or a literal; returns whether there was one.
    pub fn skip_other(&mut self) -> bool {
        self.skip_comment() || self.skip_literal()
    }

    fn skip_while(&mut self, is_it: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|it| !is_it(it)).unwrap_or(rest.len());
    }

    /// Moves behind the next `text`, or to the end.
    fn skip_to(&mut self, text: &str) {
        let rest = self.rest();
        self.at += rest.find(text).map_or(rest.len(), |it| it + text.len());
    }

    fn skip_comment(&mut self) -> bool {
        let rest = self.rest();
        if rest.starts_with("//") {
            self.skip_to("\n");
        } else if rest.starts_with("/*") {
            self.skip_to("*/");
        } else {
            return false;
        }
        true
    }

    fn blank(&mut self) {
        loop {
            self.skip_while(char::is_whitespace);
            if !self.skip_comment() {
                return;
            }
        }
    }

    /// `=`, perhaps behind `[]`.
    fn take_equals(&mut self) -> bool {
        self.blank();
        if self.rest().starts_with('[') {
            self.skip_to("]");
            self.blank();
        }
        let is_there = self.rest().starts_with('=') && !self.rest().starts_with("==");
        self.at += usize::from(is_there);
        is_there
    }

    fn is_at_string(&self) -> bool {
        self.rest().starts_with('"') || self.rest().starts_with("R\"")
    }

    fn skip_literal(&mut self) -> bool {
        if self.is_at_string() {
            let start = self.at;
            let _ = self.literal(&mut Vec::new());
            self.at = self.at.max(start + 1);
            return true;
        }
        let is_separator = self.file[..self.at].ends_with(is_part); // 1'000
        if !self.rest().starts_with('\'') || is_separator {
            return false;
        }
        let line = self.rest().lines().next().unwrap_or_default();
        let mut letters = line.char_indices().skip(1);
        while let Some((place, letter)) = letters.next() {
            match letter {
                '\\' => _ = letters.next(),
                '\'' => {
                    self.at += place + 1;
                    return true;
                }
                _ => {}
            }
        }
        self.at += 1; // one alone is an apostrophe, as in #error
        true
    }

    /// The literals here, which make one.
    fn literals(&mut self) -> Option<Signature> {
        let (mut letters, mut end, mut is_known) = (Vec::new(), None, true);
        self.blank();
        while self.is_at_string() {
            let last = self.literal(&mut letters);
            is_known &= last.is_some();
            end = last.map(|it| (it, self.at));
            self.blank();
        }
        let (last, end) = end.filter(|_| is_known && !letters.is_empty())?;
        let places = letters.iter().map(|(place, _)| *place).chain([last]);
        Some(Signature {
            places: places.collect(),
            text: letters.iter().map(|(_, letter)| *letter).collect(),
            end,
        })
    }

    /// Passes over a literal, and returns the place of its end, if it could be read.
    fn literal(&mut self, letters: &mut Vec<(usize, char)>) -> Option<usize> {
        match self.rest().starts_with('R') {
            true => self.raw(letters),
            false => self.plain(letters),
        }
    }

    fn raw(&mut self, letters: &mut Vec<(usize, char)>) -> Option<usize> {
        let rest = self.rest();
        let open = rest.find('(').unwrap_or(rest.len());
        let close = format!("){}\"", rest.get(2..open).unwrap_or_default());
        let end = rest[open..].find(&close).map_or(rest.len(), |it| open + it);
        let text = rest.get(open + 1..end).unwrap_or_default();
        // Compilers do not see `\r` before the end of a line.
        let seen = text.char_indices().filter(|(_, letter)| *letter != '\r');
        letters.extend(seen.map(|(place, letter)| (self.at + open + 1 + place, letter)));
        let last = self.at + end;
        self.at = (last + close.len()).min(self.file.len());
        Some(last)
    }

    fn plain(&mut self, letters: &mut Vec<(usize, char)>) -> Option<usize> {
        let (start, mut is_known) = (self.at + 1, true);
        let mut text = self.file[start..].char_indices().peekable();
        while let Some((place, letter)) = text.next() {
            let place = start + place;
            match letter {
                '"' => {
                    self.at = place + 1;
                    return is_known.then_some(place);
                }
                '\n' => {
                    self.at = place;
                    return None;
                }
                '\\' => match text.next() {
                    Some((_, '\r')) if text.next_if(|it| it.1 == '\n').is_some() => {}
                    Some((_, '\n')) => {} // a line that goes on
                    Some((_, 'n')) => letters.push((place + 1, '\n')),
                    Some((_, letter @ ('"' | '\''))) => letters.push((place + 1, letter)),
                    _ => is_known = false,
                },
                letter => letters.push((place, letter)),
            }
        }
        self.at = self.file.len();
        None
    }
}

pub fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}
