//! Structs, whose bytes bodies and Python understand, and the core does not.

use crate::dtype::DType;

/// A member of a struct: a number, or an array of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub dtype: DType,
    /// From the start of the struct, in bytes.
    pub offset: usize,
    /// Shape of an array; empty for a number.
    pub shape: &'static [usize],
}

impl Field {
    /// How many numbers it has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// A struct, laid out as C does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Struct {
    pub name: &'static str,
    /// In bytes.
    pub size: usize,
    pub alignment: usize,
    pub fields: &'static [Field],
}

impl Struct {
    /// Its name and members: `Particle(pos: float32(3), id: int32)`.
    #[must_use]
    pub fn text(&self) -> String {
        let field = |it: &Field| {
            let shape: Vec<_> = it.shape.iter().map(usize::to_string).collect();
            let shape = match &shape[..] {
                [] => String::new(),
                shape => format!("({})", shape.join(",")),
            };
            format!("{}: {}{shape}", it.name, it.dtype.name())
        };
        let fields: Vec<_> = self.fields.iter().map(field).collect();
        format!("{}({})", self.name, fields.join(", "))
    }
}
