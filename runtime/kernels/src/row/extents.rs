//! Extents of arrays, as they are written: `m, 2 * n - 1`. The compiler reads them.

use cuvec_spec::c::MAX_NAME;
use cuvec_spec::{Dimension, Extent, MAX_DIMENSIONS, Term};

use super::{is_leading, same};

/// Most terms, and most axes, of a function.
const MAX: usize = 64;

/// All extents of a function.
pub struct Extents {
    dimensions: [Dimension; MAX_DIMENSIONS],
    pub dimension_count: usize,
    terms: [Term; MAX],
    pub term_count: usize,
    /// First term and number of terms.
    extents: [(usize, usize); MAX],
    pub count: usize,
}

/// Reads the extents of one array from left to right.
struct Reader<'a> {
    text: &'static str,
    at: usize,
    all: &'a mut Extents,
    numbers: &'a [&'static str],
}

impl Extents {
    /// Reads the extents of each argument and result. `numbers` has the names of the arguments that are
    /// numbers, at their places.
    ///
    /// # Panics
    /// When something is not written as it must be: an error of the build.
    #[must_use]
    pub const fn read(shapes: &[&'static str], numbers: &[&'static str]) -> Self {
        let none = Dimension {
            name: "",
            scalar: None,
        };
        let mut all = Self {
            dimensions: [none; MAX_DIMENSIONS],
            dimension_count: 0,
            terms: [Term::Add; MAX],
            term_count: 0,
            extents: [(0, 0); MAX],
            count: 0,
        };
        let mut index = 0;
        while index < shapes.len() {
            let text = shapes[index];
            let mut reader = Reader {
                text,
                at: 0,
                all: &mut all,
                numbers,
            };
            reader.list();
            index += 1;
        }
        all
    }

    /// Which extents belong to the array whose extents are written so: the first, and how many.
    #[must_use]
    pub const fn of(&self, shapes: &[&'static str], written: &str) -> (usize, usize) {
        let (mut index, mut first) = (0, 0);
        while index < shapes.len() {
            let count = axes(shapes[index]);
            if same(shapes[index], written) {
                return (first, count);
            }
            first += count;
            index += 1;
        }
        (0, 0)
    }

    #[must_use]
    pub const fn terms<const N: usize>(&self) -> [Term; N] {
        let (mut terms, mut at) = ([Term::Add; N], 0);
        while at < N {
            terms[at] = self.terms[at];
            at += 1;
        }
        terms
    }

    #[must_use]
    pub const fn all<const N: usize>(&self, terms: &'static [Term]) -> [Extent; N] {
        let (mut extents, mut at) = ([Extent(&[]); N], 0);
        while at < N {
            let (first, count) = self.extents[at];
            extents[at] = Extent(terms.split_at(first).1.split_at(count).0);
            at += 1;
        }
        extents
    }

    #[must_use]
    pub const fn dimensions<const N: usize>(&self) -> [Dimension; N] {
        let (mut dimensions, mut at) = (
            [Dimension {
                name: "",
                scalar: None,
            }; N],
            0,
        );
        while at < N {
            dimensions[at] = self.dimensions[at];
            at += 1;
        }
        dimensions
    }
}

/// How many axes are written so, without the leading ones.
const fn axes(text: &str) -> usize {
    let (bytes, mut at) = (text.as_bytes(), 0);
    if bytes.is_empty() {
        return 0;
    }
    let (mut commas, mut ends_with_comma) = (0, false);
    while at < bytes.len() {
        if bytes[at] == b',' {
            commas += 1;
            ends_with_comma = true;
        } else if bytes[at] != b' ' && bytes[at] != b'\n' {
            ends_with_comma = false;
        }
        at += 1;
    }
    commas + !ends_with_comma as usize - is_leading(text) as usize
}

impl Reader<'_> {
    const fn list(&mut self) {
        let mut left = axes(self.text);
        if is_leading(self.text) {
            self.at = 3;
            assert!(self.take(b',') || left == 0, "`...` is followed by a comma");
        }
        while left > 0 {
            assert!(self.all.count < MAX, "a function has too many dimensions");
            let first = self.all.term_count;
            self.expression();
            self.all.extents[self.all.count] = (first, self.all.term_count - first);
            self.all.count += 1;
            left -= 1;
            assert!(
                self.take(b',') || left == 0 && self.next() == 0,
                "a size is made of names, whole numbers, + - * / and parentheses"
            );
        }
    }

    const fn expression(&mut self) {
        self.product();
        loop {
            if self.take(b'+') {
                self.product();
                self.term(Term::Add);
            } else if self.take(b'-') {
                self.product();
                self.term(Term::Subtract);
            } else {
                return;
            }
        }
    }

    const fn product(&mut self) {
        self.factor();
        loop {
            if self.take(b'*') {
                self.factor();
                self.term(Term::Multiply);
            } else if self.take(b'/') {
                self.factor();
                self.term(Term::Divide);
            } else {
                return;
            }
        }
    }

    const fn factor(&mut self) {
        if self.take(b'(') {
            self.expression();
            assert!(self.take(b')'), "a parenthesis of a size is not closed");
        } else if self.next().is_ascii_digit() {
            let mut number = 0;
            while self.at < self.text.len() && self.byte().is_ascii_digit() {
                number = number * 10 + (self.byte() - b'0') as i64;
                self.at += 1;
            }
            self.term(Term::Number(number));
        } else {
            let name = self.name();
            let dimension = self.dimension(name);
            self.term(Term::Dimension(dimension));
        }
    }

    const fn byte(&self) -> u8 {
        self.text.as_bytes()[self.at]
    }

    /// The next letter that is no blank; 0 at the end.
    const fn next(&mut self) -> u8 {
        while self.at < self.text.len() && matches!(self.byte(), b' ' | b'\n') {
            self.at += 1;
        }
        if self.at < self.text.len() {
            self.byte()
        } else {
            0
        }
    }

    const fn take(&mut self, letter: u8) -> bool {
        let is_next = self.next() == letter;
        self.at += is_next as usize;
        is_next
    }

    const fn name(&mut self) -> &'static str {
        let first = self.next();
        assert!(
            first.is_ascii_alphabetic() || first == b'_',
            "a size is made of names, whole numbers, + - * / and parentheses"
        );
        let start = self.at;
        while self.at < self.text.len()
            && (self.byte().is_ascii_alphanumeric() || self.byte() == b'_')
        {
            self.at += 1;
        }
        self.text.split_at(start).1.split_at(self.at - start).0
    }

    const fn dimension(&mut self, name: &'static str) -> usize {
        let mut index = 0;
        while index < self.all.dimension_count {
            if same(self.all.dimensions[index].name, name) {
                return index;
            }
            index += 1;
        }
        assert!(index < MAX_DIMENSIONS, "a function has too many dimensions");
        assert!(name.len() < MAX_NAME, "a name has 63 letters at most");
        let (mut scalar, mut at) = (None, 0);
        while at < self.numbers.len() {
            if same(self.numbers[at], name) {
                scalar = Some(at);
            }
            at += 1;
        }
        self.all.dimensions[index] = Dimension { name, scalar };
        self.all.dimension_count += 1;
        index
    }

    const fn term(&mut self, term: Term) {
        assert!(
            self.all.term_count < MAX,
            "the sizes of a function are too long"
        );
        self.all.terms[self.all.term_count] = term;
        self.all.term_count += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn extents_are_read_as_they_are_written() {
        const SHAPES: &[&str] = &["", "m, 2 * n - 1", "...", "bins", "(n + 1) / 2,"];
        let all = Extents::read(SHAPES, &["bins", "", "", ""]);
        let terms = all.terms::<12>().to_vec().leak();
        let extents = all.all::<4>(terms);
        let dimensions = all.dimensions::<3>();
        let texts: Vec<_> = extents
            .iter()
            .map(|extent| extent.text(&dimensions))
            .collect();
        assert_eq!(texts, ["m", "2*n-1", "bins", "(n+1)/2"]);
        assert_eq!((all.count, all.term_count, all.dimension_count), (4, 12, 3));
        assert_eq!(
            dimensions.map(|dimension| dimension.scalar),
            [None, None, Some(0)]
        );
        assert_eq!(all.of(SHAPES, "m, 2 * n - 1"), (0, 2));
        assert_eq!(all.of(SHAPES, "(n + 1) / 2,"), (3, 1));
        assert_eq!(all.of(SHAPES, "...").1, 0);
    }
}
