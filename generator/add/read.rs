//! Reads a signature: `(m,n),(n)->(m)`, or the whole declaration, `gemv<T: float32>(a: T(m,n), …) -> y: T(m)`.

mod formula;

use super::declaration::{
    Argument, Declaration, Extent, Kind, Member, Outcome, Role, Shape, Structure, Type, Variable,
};
use super::dtype::{DTYPES, DType};
use super::fault::Fault;
use super::literal::{DefaultValue, Literal};
use crate::wording::{quoted_list, similar};

type Read<T> = Result<T, Fault>;

/// The limits of the runtime: names, numbers and signs of all sizes, and what is read without end.
const TERMS: usize = 64;
const PARENTHESES: usize = 16;
/// Of all tuples of a function.
pub const ITEMS: usize = 64;

pub const EXAMPLE: &str =
    "such as 'gemv<T: float32, float64>(a: T(m,n), x: T(n), *, beta: T = 0) -> y: T(m)'";

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

    // ---- letters

    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|it| it.is_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn take(&mut self, mark: &str) -> bool {
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

    fn need(&mut self, marks: &[&str]) -> Read<()> {
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

    fn end(&mut self) -> Read<()> {
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
    fn word(&mut self, what: &str) -> Read<(String, usize)> {
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

    fn take_word(&mut self, word: &str) -> bool {
        let start = self.at;
        let found = self.word("").is_ok_and(|(found, _)| found == word);
        if !found {
            self.at = start;
        }
        found
    }

    /// A number as it is written.
    fn literal(&mut self) -> Read<Literal> {
        self.peek();
        let at = self.at;
        for (word, in_rust) in [("True", "true"), ("False", "false")] {
            if self.take_word(word) || self.take_word(in_rust) {
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

    fn digits(&mut self) -> Read<String> {
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

    // ---- dtypes and shapes

    fn dtype_of_result(&mut self) -> Read<Type> {
        match self.variable_of("real")? {
            Some(Type::Variable(variable)) => Ok(Type::Real(variable)),
            _ => self.dtype(),
        }
    }

    /// The variable in the parentheses behind this word, if it is there.
    fn variable_of(&mut self, word: &str) -> Read<Option<Type>> {
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

    fn dtype(&mut self) -> Read<Type> {
        let (word, at) = self.word("a dtype")?;
        if word == "real" && self.peek() == Some('(') {
            let hint = "give an argument a variable of its own: `<T: complex64, R: float32>`";
            return Err(Fault::new(at, "`real` is the dtype of results alone", hint));
        }
        if let Some(variable) = self.variables.iter().position(|it| it.name == word) {
            return Ok(Type::Variable(variable));
        }
        if let Some(structure) = self.structs.iter().find(|it| it.name == word) {
            let place = self.named.iter().position(|it| it == structure);
            return Ok(Type::Struct(place.unwrap_or_else(|| {
                self.named.push(structure.clone());
                self.named.len() - 1
            })));
        }
        dtype(&word)
            .map(Type::Fixed)
            .map_err(|(problem, hint)| Fault::new(at, problem, hint))
    }

    /// Counts one more name, number or sign.
    fn term(&mut self) -> Read<()> {
        self.terms += 1;
        match self.terms > TERMS {
            true => Err(Fault::new(
                self.at,
                format!("the sizes have more than {TERMS} names, numbers and signs"),
                "let an integer argument be the size: `n: int64`",
            )),
            false => Ok(()),
        }
    }

    fn factor(&mut self) -> Read<Extent> {
        if self.take("(") {
            self.open += 1;
            if self.open > PARENTHESES {
                let problem = format!("more than {PARENTHESES} parentheses are open");
                return Err(Fault::new(
                    self.at - 1,
                    problem,
                    "leave out those that do nothing",
                ));
            }
            let inner = self.extent()?;
            self.need(&[")"])?;
            self.open -= 1;
            return Ok(Extent::Grouped(Box::new(inner)));
        }
        self.peek();
        self.term()?;
        if self.peek().is_some_and(|it| it.is_ascii_digit()) {
            let at = self.at;
            let digits = self.digits()?;
            let number = digits.parse();
            let hint = "a size has at most 18 digits";
            return number
                .map(Extent::Number)
                .map_err(|_| Fault::new(at, "the number is too large", hint));
        }
        Ok(Extent::Name(self.word("a size")?.0))
    }

    fn chain(&mut self, signs: &[char], part: fn(&mut Self) -> Read<Extent>) -> Read<Extent> {
        let mut whole = part(self)?;
        while let Some(sign) = self.peek().filter(|it| signs.contains(it)) {
            // `n->` is no difference.
            if self.text.get(self.at + 1) == Some(&'>') {
                break;
            }
            self.term()?;
            self.at += 1;
            if sign == '/' {
                self.no_second_slash()?;
            }
            self.peek();
            let at = self.at;
            let right = part(self)?;
            if sign == '/' && right.names().is_empty() && right.value(&|_| 0) == Some(0) {
                let hint = "divide by a number that is not 0";
                return Err(Fault::new(at, "a size is divided by zero", hint));
            }
            whole = Extent::Of(Box::new(whole), sign, Box::new(right));
        }
        Ok(whole)
    }

    /// Fails at the second one of `//`.
    fn no_second_slash(&mut self) -> Read<()> {
        match self.text.get(self.at) {
            Some('/') => {
                let hint = "sizes are divided by `/`, which rounds down: `n/2`";
                Err(Fault::new(self.at - 1, "`//` where `/` is expected", hint))
            }
            _ => Ok(()),
        }
    }

    fn extent(&mut self) -> Read<Extent> {
        self.chain(&['+', '-'], |it| it.chain(&['*', '/'], Self::factor))
    }

    /// What is behind the `(`, or in Rust `[`, of an array that ends with its counterpart.
    fn shape_of_result(&mut self, end: &str) -> Read<Shape> {
        let start = self.at;
        if !(self.take_word("at") && self.take_word("most")) {
            self.at = start;
            return self.shape(end);
        }
        let at = self.at;
        let shape = self.shape(end)?;
        if shape.leading || shape.extents.is_empty() {
            let problem = "`at most` is followed by a size";
            return Err(Fault::new(
                at,
                problem,
                "such as `-> index: int64(at most n)`",
            ));
        }
        Ok(Shape {
            at_most: true,
            ..shape
        })
    }

    fn shape(&mut self, end: &str) -> Read<Shape> {
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

    /// The same, and what is behind the shape of an argument.
    fn laid_out_shape(&mut self, end: &str) -> Read<Shape> {
        let mut shape = self.shape(end)?;
        let mut words = ["strided", "rows"].into_iter();
        shape.layout = words.find(|word| self.take_word(word)).unwrap_or_default();
        Ok(shape)
    }

    /// Whether a word begins here.
    fn is_at_word(&mut self) -> bool {
        self.peek()
            .is_some_and(|it| it.is_ascii_alphabetic() || it == '_')
    }

    /// A colon, or else this hint.
    fn colon(&mut self, hint: &str) -> Read<()> {
        self.need(&[":"])
            .map_err(|it| Fault::new(it.at, it.problem, hint))
    }

    /// Whether a type may begin with this word.
    fn is_dtype(&self, word: &str) -> bool {
        ["saved", "real"].contains(&word)
            || DType::named(word).is_some()
            || self.variables.iter().any(|it| it.name == word)
            || self.structs.iter().any(|it| it.name == word)
    }

    // ---- the whole declaration

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
            derivative: None,
            gradients_of: None,
        })
    }

    /// The last variables, whose list is the next one's.
    fn shared(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().rev().take_while(|it| it.is_shared)
    }

    fn read_variables(&mut self) -> Read<()> {
        loop {
            let (mut word, mut at) = self.word("a dtype variable")?;
            let is_name = DType::named(&word).is_none();
            if is_name && self.is_at_word() {
                self.colon(&format!("such as `<{word}: float32, float64>`"))?;
            }
            let is_in_a_list = self.variables.iter().any(|it| !it.dtypes.is_empty());
            if is_name && !is_in_a_list && self.take(">") {
                let problem = format!("`{word}` has no dtypes");
                let hint = format!("such as `<{word}: float32, float64>`");
                return Err(Fault::new(at, problem, hint));
            }
            let is_shared = is_name && self.take(",");
            if is_shared || self.take(":") {
                self.variables.push(Variable {
                    name: word,
                    dtypes: Vec::new(),
                    is_shared,
                    at,
                });
                if is_shared {
                    continue;
                }
                (word, at) = self.word("a dtype")?;
            } else if let Some(first) = self.shared().last() {
                // No variable with a list comes: it was to be a dtype.
                dtype(&first.name)
                    .map_err(|(problem, hint)| Fault::new(first.at, problem, hint))?;
            }
            let found = dtype(&word).map_err(|(problem, hint)| Fault::new(at, problem, hint))?;
            let Some(variable) = self.variables.last_mut() else {
                return Err(Fault::new(
                    at,
                    "a dtype without a variable before it",
                    EXAMPLE,
                ));
            };
            if variable.dtypes.contains(&found) {
                return Err(Fault::new(
                    at,
                    format!("`{word}` is there twice"),
                    "remove one of them",
                ));
            }
            variable.dtypes.push(found);
            if self.take(">") {
                break;
            }
            self.need(&[",", "|", ">"])?;
        }
        for place in (1..self.variables.len()).rev() {
            if self.variables[place - 1].is_shared {
                self.variables[place - 1].dtypes = self.variables[place].dtypes.clone();
            }
        }
        Ok(())
    }

    fn arguments(&mut self) -> Read<Vec<Argument>> {
        let mut arguments = Vec::new();
        let mut keyword_only = false;
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            if self.take("*") {
                keyword_only = true;
                self.need(&[","])?;
            }
            arguments.push(self.argument(keyword_only)?);
            if self.take(")") {
                return Ok(arguments);
            }
            self.need(&[",", ")"])?;
            if self.take(")") {
                return Ok(arguments); // behind a comma, as in Rust where each has its line
            }
        }
    }

    fn argument(&mut self, keyword_only: bool) -> Read<Argument> {
        let (name, at) = self.word("the name of an argument")?;
        self.need(&[":"])?;
        let (dtype, mut kind) = match self.take("{") {
            true => (Type::Fixed(DType::OPTION), Kind::Option(self.choices()?)),
            false => self.array_or_numbers(&name, at)?,
        };
        let mut default = None;
        if self.take("=") {
            default = Some(match self.dtype_default(dtype, &kind)? {
                Some(chosen) => {
                    kind = Kind::DType;
                    DefaultValue::DType(chosen)
                }
                None => self.default_of(&name, dtype, &kind)?,
            });
        }
        Ok(Argument {
            name,
            dtype,
            kind,
            default,
            keyword_only,
            at,
        })
    }

    fn array_or_numbers(&mut self, name: &str, at: usize) -> Read<(Type, Kind)> {
        if self.take("&") {
            return self.reference(false);
        }
        if self.take("[") {
            let dtype = self.dtype()?;
            self.need(&[";"])?;
            return Ok((dtype, Kind::Tuple(self.count()?)));
        }
        if self.take_word("usize") {
            return Ok((Type::Fixed(DType::SIZE), Kind::Number));
        }
        if self.take("Option<") {
            self.need(&["&"])?;
            let read = self.reference(true)?;
            self.need(&[">"])?;
            return Ok(read);
        }
        let role = match () {
            () if self.take_word("inout") => Role::Inout,
            () if self.take_word("out") => Role::Out,
            () => Role::In,
        };
        if let Some(dtype) = self.variable_of("dtype")? {
            return Ok((dtype, Kind::DType));
        }
        let dtype = self.dtype()?;
        let kind = match () {
            () if self.take("(") => self.array(role)?,
            () if self.take("[") => Kind::Tuple(self.count()?),
            () => Kind::Number,
        };
        if role != Role::In && !matches!(kind, Kind::Array { .. }) {
            let what = if kind == Kind::Number {
                "number"
            } else {
                "tuple"
            };
            let hint = "give it a shape, such as `()`, or return the number: `-> float64`";
            let problem = format!("`{name}` is a {what}, which cannot be written");
            return Err(Fault::new(at, problem, hint));
        }
        Ok((dtype, kind))
    }

    /// What is behind the `&` of an array as in Rust: `mut T[n]`.
    fn reference(&mut self, is_optional: bool) -> Read<(Type, Kind)> {
        let role = match () {
            () if self.take_word("mut") => Role::Inout,
            () if self.take_word("out") => Role::Out,
            () => Role::In,
        };
        let dtype = self.dtype()?;
        self.need(&["["])?;
        let shape = self.laid_out_shape("]")?;
        let kind = Kind::Array {
            role,
            shape,
            is_optional,
        };
        Ok((dtype, kind))
    }

    /// What is behind the `(`.
    fn array(&mut self, role: Role) -> Read<Kind> {
        let shape = self.laid_out_shape(")")?;
        let is_optional = self.take("?");
        Ok(Kind::Array {
            role,
            shape,
            is_optional,
        })
    }

    /// How many items a tuple has, which is behind the `[`.
    fn count(&mut self) -> Read<usize> {
        let found = self.peek();
        let at = self.at;
        if found.is_some_and(|it| !it.is_ascii_digit()) {
            let problem = "here the number of items of a tuple is expected";
            return Err(Fault::new(
                at,
                problem,
                "an array is `x: T(n)`, or `x: &T[n]`",
            ));
        }
        let count = self.digits()?.parse().unwrap_or(usize::MAX);
        self.need(&["]"])?;
        match count {
            1..=ITEMS => Ok(count),
            _ => {
                let problem = format!("a tuple has 1 to {ITEMS} items");
                Err(Fault::new(
                    at,
                    problem,
                    "an array has more: `a: float64(n)`",
                ))
            }
        }
    }

    /// What is behind the `{`.
    fn choices(&mut self) -> Read<Vec<Literal>> {
        let mut choices: Vec<Literal> = Vec::new();
        loop {
            let choice = self.text()?;
            if choices.iter().any(|it| it.text == choice.text) {
                let problem = format!("`{}` is there twice", choice.text);
                return Err(Fault::new(choice.at, problem, "remove one of them"));
            }
            choices.push(choice);
            if self.take("}") {
                return Ok(choices);
            }
            self.need(&[",", "}"])?;
        }
    }

    /// A name in quotes of either kind, or as in Rust without them.
    fn text(&mut self) -> Read<Literal> {
        let found = self.peek();
        if found.is_some_and(|it| it.is_ascii_alphabetic() || it == '_') {
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
        let text = self.word("a text of letters, digits and `_`");
        let (text, at) = text.map_err(with_hint)?;
        self.need(&[quote.encode_utf8(&mut [0; 4])])
            .map_err(with_hint)?;
        Ok(plain(text, at))
    }

    /// A dtype behind the `=` of what would be a number of a variable: the argument chooses which it is.
    fn dtype_default(&mut self, dtype: Type, kind: &Kind) -> Read<Option<DType>> {
        let start = self.at;
        let Type::Variable(variable) = dtype else {
            return Ok(None);
        };
        let word = self.word("");
        let found = word.as_ref().ok().and_then(|(it, _)| DType::named(it));
        let (Kind::Number, Some(found), Ok((word, at))) = (kind, found, word) else {
            self.at = start;
            return Ok(None);
        };
        let Variable { name, dtypes, .. } = &self.variables[variable];
        match dtypes.contains(&found) {
            true => Ok(Some(found)),
            false => {
                let problem = format!("`{word}` is not a dtype of `{name}`");
                let hint = format!(
                    "they are {}",
                    quoted_list(dtypes.iter().map(|it| it.numpy()))
                );
                Err(Fault::new(at, problem, hint))
            }
        }
    }

    /// What is behind the `=`.
    fn default_of(&mut self, name: &str, dtype: Type, kind: &Kind) -> Read<DefaultValue> {
        self.peek();
        let at = self.at;
        let is_nothing = self.take_word("None");
        let refused = |problem: String, hint: &str| Err(Fault::new(at, problem, hint));
        match kind {
            Kind::Array {
                is_optional: true, ..
            } if is_nothing => Ok(DefaultValue::Nothing),
            Kind::Array {
                is_optional: true, ..
            } => refused(
                format!("`{name}` is an optional array, whose default is `None`"),
                "write `= None`",
            ),
            Kind::Array { shape, .. }
                if matches!(self.peek(), Some('(' | '['))
                    && matches!(&shape.extents[..], [Extent::Number(1..)]) =>
            {
                let dtype = match dtype {
                    Type::Fixed(dtype) => dtype.numpy(),
                    Type::Variable(number) => &self.variables[number].name,
                    Type::Real(_) | Type::Struct(_) => "float64",
                };
                let count = shape
                    .written(|it| it.written(&str::to_owned, "/"))
                    .join(",");
                refused(
                    format!("`{name}` is an array, which every call must have"),
                    &format!("a tuple of numbers has brackets: `{name}: {dtype}[{count}]`"),
                )
            }
            Kind::Array { .. } => refused(
                format!("`{name}` is an array, which every call must have"),
                "remove the default, or let it be None: `x: T(n)? = None`",
            ),
            _ if is_nothing => refused(
                format!("`{name}` is no array, and cannot be None"),
                "only optional arrays can: `x: T(n)? = None`",
            ),
            Kind::Number => Ok(DefaultValue::Number(self.number()?)),
            Kind::Option(_) => Ok(DefaultValue::Choice(self.text()?)),
            Kind::Tuple(count) => Ok(DefaultValue::Items(self.items(*count)?)),
            Kind::DType => refused(
                format!("`{name}` is a dtype without a default"),
                "with one it is `dtype: T = float32`",
            ),
        }
    }

    /// The default of a tuple.
    fn items(&mut self, count: usize) -> Read<Vec<Literal>> {
        self.peek();
        let at = self.at;
        let end = match self.take("[") {
            true => "]",
            false => ")",
        };
        if end == ")" && !self.take("(") {
            let hint = "in parentheses: `= (1, 1)`, or `= (1,)`";
            let problem = format!("here the {count} items of a tuple are expected");
            return Err(Fault::new(at, problem, hint));
        }
        let mut items = vec![self.number()?];
        while !self.take(end) {
            self.need(&[",", end])?;
            if self.take(end) {
                break; // as Python writes one item
            }
            items.push(self.number()?);
        }
        match items.len() == count {
            true => Ok(items),
            false => {
                let problem = format!("{} items, and the tuple has {count}", items.len());
                Err(Fault::new(at, problem, "give each item a default"))
            }
        }
    }

    fn results(&mut self) -> Read<Vec<Outcome>> {
        let mut results = Vec::new();
        let in_parentheses = self.take("("); // as in Rust
        loop {
            self.peek();
            let at = self.at;
            let (name, _) = self.word("a result")?;
            let name = match self.take(":") {
                true if name.starts_with('_') => String::new(), // as in Rust
                true => name,
                false => {
                    if !self.is_dtype(&name) && self.is_at_word() {
                        self.colon(&format!("a result with a name is `{name}: float32(n)`"))?;
                    }
                    self.at = at;
                    String::new()
                }
            };
            let is_saved = self.take_word("saved");
            let dtype = self.dtype_of_result()?;
            let shape = match () {
                () if self.take("(") => Some(self.shape_of_result(")")?),
                () if self.take("[") => Some(self.shape_of_result("]")?),
                () => None,
            };
            results.push(Outcome {
                name,
                dtype,
                shape,
                is_saved,
                at,
            });
            if !self.take(",") {
                if in_parentheses {
                    self.need(&[",", ")"])?;
                }
                return Ok(results);
            }
        }
    }

    // ---- structs

    fn structure(mut self) -> Read<Structure> {
        let (name, _) = self.word("the name of the struct")?;
        self.need(&["("])?;
        let mut members = Vec::new();
        loop {
            let (name, _) = self.word("a member")?;
            self.need(&[":"])?;
            let (word, at) = self.word("a dtype")?;
            let dtype = dtype(&word).map_err(|(problem, hint)| Fault::new(at, problem, hint))?;
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

    // ---- NumPy's notation

    fn shapes(mut self, name: &str, dtypes: &[DType]) -> Read<Declaration> {
        let inputs = self.list()?;
        self.need(&["->"])?;
        let outputs = self.list()?;
        self.end()?;
        let mut declaration = Declaration {
            name: name.to_owned(),
            variables: vec![Variable {
                name: "T".to_owned(),
                dtypes: dtypes.to_vec(),
                is_shared: false,
                at: 0,
            }],
            structs: Vec::new(),
            arguments: Vec::new(),
            results: Vec::new(),
            derivative: None,
            gradients_of: None,
        };
        let shapes = inputs.iter().chain(&outputs);
        let dimensions: Vec<_> = shapes
            .flat_map(|(it, _)| &it.extents)
            .flat_map(Extent::names)
            .collect();
        let letters = match &*inputs {
            [_] => "xabcdefghijklmnopqrstuvw",
            // As for a matrix and a vector.
            [(a, _), (x, _)] if a.extents.len() != x.extents.len() => "axbcdefghijklmnopqrstuvw",
            _ => "abcdefghijklmnopqrstuvwx",
        };
        let free = |it: &String| it != name && !dimensions.contains(&it.as_str());
        let mut names = letters.chars().map(String::from).filter(free);
        for (shape, at) in &inputs {
            let too_many = || Fault::new(*at, "too many arguments", "write the whole declaration");
            declaration.arguments.push(Argument {
                name: names.next().ok_or_else(too_many)?,
                dtype: Type::Variable(0),
                kind: Kind::Array {
                    role: Role::In,
                    shape: shape.clone(),
                    is_optional: false,
                },
                default: None,
                keyword_only: false,
                at: *at,
            });
        }
        for (shape, at) in outputs {
            let is_number = shape == Shape::default();
            declaration.results.push(Outcome {
                name: String::new(),
                dtype: Type::Variable(0),
                shape: (!is_number).then_some(shape),
                is_saved: false,
                at,
            });
        }
        Ok(declaration)
    }

    fn list(&mut self) -> Read<Vec<(Shape, usize)>> {
        let mut found = Vec::new();
        loop {
            self.peek();
            let at = self.at;
            self.need(&["("])?;
            found.push((self.shape(")")?, at));
            if !self.take(",") {
                return Ok(found);
            }
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

/// What some dtypes are called in C and CUDA, which is like the name of another one or of none.
const IN_C: [(&str, &str); 6] = [
    ("half", "float16"),
    ("float", "float32"),
    ("double", "float64"),
    ("int", "int32"),
    ("long", "int64"),
    ("size_t", "int64"),
];

/// Of a word like `float128`, the kind and the bits.
fn kind_and_bits(word: &str) -> Option<(&str, &str)> {
    let kind = word.trim_end_matches(|it: char| it.is_ascii_digit());
    let kinds = ["int", "uint", "float", "complex"];
    let bits = &word[kind.len()..];
    let begins_one = DTYPES.iter().any(|(numpy, ..)| numpy.starts_with(word)); // `float8`
    (kinds.contains(&kind) && !bits.is_empty() && !begins_one).then_some((kind, bits))
}

/// A dtype by its name; else what is wrong with it, and a hint.
pub fn dtype(word: &str) -> std::result::Result<DType, (String, String)> {
    DType::named(word).ok_or_else(|| {
        let names = DTYPES.iter().map(|(numpy, ..)| *numpy);
        let is_upper = word.starts_with(|it: char| it.is_ascii_uppercase());
        let in_c = IN_C.iter().find(|(name, _)| *name == word);
        let known = names.clone().chain(["inout", "out"]);
        let of_several = || names.clone().find(|it| it.starts_with(&format!("{word}_"))); // `float8`
        let meant = in_c.map(|(_, dtype)| *dtype).or_else(of_several);
        let meant = meant.or(similar(word, known));
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
            Some(meant) => format!("did you mean `{meant}`?"),
            None if is_upper && word.len() == 1 => {
                format!(
                    "a variable is declared before the arguments: `<{word}: float32, float64>(`"
                )
            }
            None if is_upper => {
                format!("a struct is declared with `--struct '{word}(x: float32, id: int32)'`")
            }
            None => format!("dtypes are {}", quoted_list(names)),
        };
        (format!("`{word}` is not a dtype"), hint)
    })
}
