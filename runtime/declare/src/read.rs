//! Reads a signature: `(m,n),(n)->(m)`, or the whole declaration, `gemv<T: float32>(a: T(m,n), …) -> y: T(m)`.

mod arguments;
mod default;
mod dtype;
mod extent;
mod formula;
mod literal;
mod notation;
mod results;
mod scan;
mod shape;
mod structure;
mod variables;

use crate::declaration::{Declaration, Structure, Variable};
use crate::dtype::DType;
use crate::fault::Fault;
use crate::literal::Literal;
pub use dtype::dtype;

type Read<T> = Result<T, Fault>;

/// The limits of the runtime: names, numbers and signs of all sizes, and what is read without end.
const TERMS: usize = 64;
const PARENTHESES: usize = 16;
/// Most items of all tuples of a function.
pub const ITEMS: usize = 64;

pub const EXAMPLE: &str =
    "such as 'gemv<T: float32, float64>(a: T(m,n), x: T(n), *, beta: T = 0) -> y: T(m)'";

/// Hint for a result with a size that no argument gives.
pub const FOUND: &str =
    "a size that the function finds is `at most n`: `-> index: int64(at most n)`";

/// Reads a whole declaration.
pub fn declaration(text: &str, structs: &[Structure]) -> Read<Declaration> {
    let mut reader = Reader::new(text);
    reader.structs = structs;
    reader.declaration()
}

/// Reads a struct: `Particle(pos: float32(3), energy: float32)`.
pub fn structure(text: &str) -> Read<Structure> {
    Reader::new(text).structure()
}

/// Reads the notation of NumPy's generalized functions. Names of arguments are made up.
pub fn shapes(name: &str, text: &str, dtypes: &[DType]) -> Read<Declaration> {
    Reader::new(text).shapes(name, dtypes)
}

struct Reader<'a> {
    /// Those that it may name, and those that it has named.
    structs: &'a [Structure],
    named: Vec<Structure>,
    text: Vec<char>,
    at: usize,
    variables: Vec<Variable>,
    /// How many terms were read, and how many parentheses are open.
    terms: usize,
    open: usize,
}

impl Reader<'_> {
    fn new(text: &str) -> Self {
        Self {
            structs: &[],
            named: Vec::new(),
            text: text.chars().collect(),
            at: 0,
            variables: Vec::new(),
            terms: 0,
            open: 0,
        }
    }

    fn declaration(mut self) -> Read<Declaration> {
        let (name, _) = self.word("the name of the function")?;
        if self.take("<") {
            self.read_variables()?;
        }
        self.need(&["("])?;
        let arguments = self.arguments()?;
        let results = match self.take("->") {
            true => self.results()?,
            false => Vec::new(),
        };
        self.end()?;
        let variables = self.variables;
        Ok(Declaration {
            name,
            variables,
            structs: self.named,
            arguments,
            results,
        })
    }
}
