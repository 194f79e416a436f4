//! Dtypes, dtype variables and structs, by their names.

use super::{Fault, Read, Reader};
use crate::declaration::{Structure, Type};
use crate::dtype::{DTYPES, DType};
use crate::fault::{quoted_list, similar};

impl Reader<'_> {
    pub(super) fn dtype_of_result(&mut self) -> Read<Type> {
        match self.variable_of("real")? {
            Some(Type::Variable(variable)) => Ok(Type::Real(variable)),
            _ => self.dtype(),
        }
    }

    /// The variable in the parentheses behind this word, if it is there.
    pub(super) fn variable_of(&mut self, word: &str) -> Read<Option<Type>> {
        let start = self.at;
        if !(self.take_word(word) && self.take("(")) {
            self.at = start;
            return Ok(None);
        }
        let at = self.at;
        let dtype = self.dtype()?;
        if !matches!(dtype, Type::Variable(_)) {
            let problem = format!("`{word}` is of a dtype variable");
            let hint = "a dtype that is known needs no argument, and its real part is known, too";
            return Err(Fault::new(at, problem, hint));
        }
        self.need(&[")"])?;
        Ok(Some(dtype))
    }

    pub(super) fn dtype(&mut self) -> Read<Type> {
        let (word, at) = self.word("a dtype")?;
        if word == "real" && self.peek() == Some('(') {
            let hint = "give an argument a variable of its own: `<T: complex64, R: float32>`";
            return Err(Fault::new(at, "`real` is the dtype of results alone", hint));
        }
        if let Some(variable) = self.variables.iter().position(|it| it.name == word) {
            return Ok(Type::Variable(variable));
        }
        if let Some(structure) = self.structure_of(&word) {
            let place = self.named.iter().position(|it| *it == structure);
            return Ok(Type::Struct(place.unwrap_or_else(|| {
                self.named.push(structure);
                self.named.len() - 1
            })));
        }
        self.known_dtype(&word, at).map(Type::Fixed)
    }

    /// A dtype by its name.
    pub(super) fn known_dtype(&self, word: &str, at: usize) -> Read<DType> {
        dtype(word, self.known.is_cpp).map_err(|(problem, hint)| Fault::new(at, problem, hint))
    }

    pub(super) fn named(&self, word: &str) -> Option<DType> {
        named(word, self.known.is_cpp)
    }

    /// Checks whether a type may begin with this word.
    pub(super) fn is_dtype(&self, word: &str) -> bool {
        ["saved", "real"].contains(&word)
            || self.named(word).is_some()
            || self.variables.iter().any(|it| it.name == word)
            || self.structure_of(word).is_some()
    }

    fn structure_of(&self, word: &str) -> Option<Structure> {
        let known = self.known.structs.iter().find(|it| it.name == word);
        let is_like_one = |it: &str| match self.known.is_cpp {
            true => dtype(it, true).is_err_and(|(_, hint)| !hint.starts_with("did you mean")),
            false => it.len() > 1 && it.starts_with(|it: char| it.is_ascii_uppercase()),
        };
        let may_be_other = self.known.other_structs && is_like_one(word);
        let other = || Structure {
            name: word.to_owned(),
            members: Vec::new(),
            file: None,
        };
        known.cloned().or_else(|| may_be_other.then(other))
    }
}

/// Names of some dtypes in C and CUDA that are like the name of another dtype or of none.
const IN_C: [(&str, &str); 6] = [
    ("half", "float16"),
    ("float", "float32"),
    ("double", "float64"),
    ("int", "int32"),
    ("long", "int64"),
    ("size_t", "int64"),
];

/// In C++.
const OF_STRUCTS: &str =
    "a struct is declared with CUVEC_STRUCT, in the file or in what it includes";

/// Returns the kind and the bits of a word like `float128`.
fn kind_and_bits(word: &str) -> Option<(&str, &str)> {
    let kind = word.trim_end_matches(|it: char| it.is_ascii_digit());
    let kinds = ["int", "uint", "float", "complex"];
    let bits = &word[kind.len()..];
    let begins_one = DTYPES.iter().any(|it| it.numpy.starts_with(word)); // `float8`
    (kinds.contains(&kind) && !bits.is_empty() && !begins_one).then_some((kind, bits))
}

/// The dtype of this name; in C++ only NumPy's names are some.
fn named(word: &str, is_cpp: bool) -> Option<DType> {
    DType::named(word).filter(|it| !is_cpp || it.numpy() == word)
}

/// A dtype by its name; else what is wrong with it, and a hint.
pub fn dtype(word: &str, is_cpp: bool) -> std::result::Result<DType, (String, String)> {
    named(word, is_cpp).ok_or_else(|| {
        let names = DTYPES.iter().map(|it| it.numpy);
        let is_upper = word.starts_with(|it: char| it.is_ascii_uppercase());
        let in_c = IN_C.iter().find(|(name, _)| *name == word);
        let known = names.clone().chain(["inout", "out"]);
        let of_several = || names.clone().find(|it| it.starts_with(&format!("{word}_"))); // `float8`
        let of_rust = || DType::named(word).map(DType::numpy); // in C++
        let meant = in_c.map(|(_, dtype)| *dtype).or_else(of_rust);
        let meant = meant.or_else(of_several);
        // Names such as `float8_e4m3fnuz` are of other numbers, however much they look alike.
        let is_of_bits = word
            .split_once('_')
            .is_some_and(|it| kind_and_bits(it.0).is_some() || it.0 == "float8");
        let meant = meant.or(similar(word, known).filter(|_| !is_of_bits));
        let hint = match meant {
            _ if ["in", "const"].contains(&word) => {
                format!("leave `{word}` out: an array is read, unless it is `inout` or `out`")
            }
            _ if ["str", "string", "String", "text"].contains(&word) => {
                "an option is one of several texts: `mode: {'a', 'b'} = 'a'`".to_owned()
            }
            _ if let Some((kind, bits)) = kind_and_bits(word) => {
                let same = names.filter(|it| it.starts_with(kind) && !it.contains('_'));
                format!(
                    "there is none of {bits} bits; {kind} dtypes are {}",
                    quoted_list(same)
                )
            }
            None if is_of_bits => format!(
                "pass its bytes as `uint8`; dtypes are {}",
                quoted_list(names)
            ),
            Some(meant) => format!("did you mean `{meant}`?"),
            None if is_upper && word.len() == 1 => {
                format!(
                    "a variable is declared before the arguments: `<{word}: float32, float64>(`"
                )
            }
            None if is_upper && is_cpp => OF_STRUCTS.to_owned(),
            None if is_upper => {
                format!("a struct is declared with `--struct '{word}(x: float32, id: int32)'`")
            }
            None if is_cpp => format!("dtypes are {}; {OF_STRUCTS}", quoted_list(names)),
            None => format!("dtypes are {}", quoted_list(names)),
        };
        (format!("`{word}` is not a dtype"), hint)
    })
}
