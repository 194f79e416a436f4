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
mod variables;

use crate::declaration::{Declaration, Member, Structure, Variable};
use crate::dtype::DType;
use crate::fault::Fault;
use crate::literal::Literal;
pub use dtype::dtype;

type Read<T> = Result<T, Fault>;

/// The limits of the runtime: names, numbers and signs of all sizes, and what is read without end.
pub const TERMS: usize = 64;
const PARENTHESES: usize = 16;
/// Most items of all tuples of a function.
pub const ITEMS: usize = 64;

pub const EXAMPLE: &str =
    "such as 'gemv<T: float32, float64>(a: T(m,n), x: T(n), *, beta: T = 0) -> y: T(m)'";

/// Hint for a result with a size that no argument gives.
pub const FOUND: &str =
    "a size that the function finds is `at most n`: `-> index: int64(at most n)`";

/// Names that a declaration may use, and does not declare.
#[derive(Default)]
pub struct Known<'a> {
    pub structs: &'a [Structure],
    /// True if a name, with an uppercase letter unless in C++, may be a struct that is not among these.
    pub other_structs: bool,
    /// True for declarations in C++, which take nothing of the notation in Rust.
    pub is_cpp: bool,
    /// Dtype variables of a class.
    pub variables: &'a [Variable],
    /// Sizes that the arrays of an object have.
    pub sizes: &'a [String],
}

/// Reads a whole declaration.
pub fn declaration(text: &str, structs: &[Structure]) -> Read<Declaration> {
    let known = Known {
        structs,
        ..Known::default()
    };
    whole(text, &known)
}

/// The same, where more names are known.
pub fn whole(text: &str, known: &Known) -> Read<Declaration> {
    let mut reader = Reader::new(text, known);
    let declaration = reader.declaration()?;
    reader.end()?;
    Ok(declaration)
}

/// Reads the declaration that a text begins with; it ends at this letter.
pub fn head(text: &str, known: &Known) -> Read<(Declaration, usize)> {
    let mut reader = Reader::new(text, known);
    let declaration = reader.declaration()?;
    Ok((declaration, reader.at))
}

/// Reads a struct: `Particle(pos: float32(3), energy: float32)`.
pub fn structure(text: &str) -> Read<Structure> {
    Reader::new(text, &Known::default()).structure()
}

/// Reads the notation of NumPy's generalized functions. Names of arguments are made up.
pub fn shapes(name: &str, text: &str, dtypes: &[DType]) -> Read<Declaration> {
    Reader::new(text, &Known::default()).shapes(name, dtypes)
}

struct Reader<'a> {
    known: &'a Known<'a>,
    /// Structs that it has named.
    named: Vec<Structure>,
    text: Vec<char>,
    at: usize,
    variables: Vec<Variable>,
    /// How many terms were read, and how many parentheses are open.
    terms: usize,
    open: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &str, known: &'a Known<'a>) -> Self {
        Self {
            known,
            named: Vec::new(),
            text: text.chars().collect(),
            at: 0,
            variables: known.variables.to_vec(),
            terms: 0,
            open: 0,
        }
    }

    fn declaration(&mut self) -> Read<Declaration> {
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
        Ok(Declaration {
            name,
            variables: self.variables.clone(),
            structs: self.named.clone(),
            arguments,
            results,
        })
    }

    fn structure(mut self) -> Read<Structure> {
        let (name, _) = self.word("the name of the struct")?;
        self.need(&["("])?;
        let mut members = Vec::new();
        loop {
            let (name, _) = self.word("a member")?;
            self.need(&[":"])?;
            let (word, at) = self.word("a dtype")?;
            let dtype = self.known_dtype(&word, at)?;
            let mut shape = Vec::new();
            if self.take("(") {
                loop {
                    let at = self.at;
                    let size = self.digits()?.parse();
                    let hint = "a size has at most 18 digits";
                    let large = |_| Fault::new(at, "the number is too large", hint);
                    shape.push(size.map_err(large)?);
                    if self.take(")") {
                        break;
                    }
                    self.need(&[",", ")"])?;
                }
            }
            members.push(Member { name, dtype, shape });
            if self.take(")") {
                break;
            }
            self.need(&[",", ")"])?;
        }
        self.end()?;
        Ok(Structure {
            name,
            members,
            file: None,
        })
    }
}
