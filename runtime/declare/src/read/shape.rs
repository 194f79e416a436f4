//! A shape, from behind the parenthesis, or in Rust the bracket, that opens it.

use super::{FOUND, Fault, Read, Reader};
use crate::declaration::Shape;

impl Reader<'_> {
    /// Reads the part after the `(`, or in Rust `[`, of an array, up to its counterpart.
    pub(super) fn shape_of_result(&mut self, end: &str) -> Read<Shape> {
        let start = self.at;
        if !(self.take_word("at") && self.take_word("most")) {
            self.at = start;
            return self.shape(end).map_err(|it| match self.text.get(it.at) {
                Some('?' | '<' | '*' | ':' | '-') => Fault::new(it.at, it.problem, FOUND),
                _ => it,
            });
        }
        let at = self.at;
        let shape = self.shape(end)?;
        if shape.leading || shape.extents.is_empty() {
            let problem = "`at most` is followed by a size";
            return Err(Fault::new(at, problem, FOUND));
        }
        Ok(Shape {
            at_most: true,
            ..shape
        })
    }

    /// The same, and what is behind the shape of an argument.
    pub(super) fn laid_out_shape(&mut self, end: &str) -> Read<Shape> {
        let start = self.at;
        if self.take_word("at") && self.take_word("most") {
            let problem = "`at most` is of results";
            let hint = "results are behind `->`: `-> index: int64(at most n)`";
            return Err(Fault::new(start, problem, hint));
        }
        self.at = start;
        let mut shape = self.shape(end)?;
        let mut words = ["strided", "rows"].into_iter();
        shape.layout = words.find(|word| self.take_word(word)).unwrap_or_default();
        Ok(shape)
    }

    pub(super) fn shape(&mut self, end: &str) -> Read<Shape> {
        let mut shape = Shape {
            leading: self.take("..."),
            ..Shape::default()
        };
        if self.take(end) {
            return Ok(shape);
        }
        if shape.leading {
            self.need(&[",", end])?;
        }
        loop {
            shape.extents.push(self.extent()?);
            if self.take(end) {
                return Ok(shape);
            }
            self.need(&[",", end])?;
        }
    }
}
