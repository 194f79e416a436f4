//! Declaration of a function: names, arguments and results.

use crate::dtype::DType;
use crate::literal::{DefaultValue, Literal};

/// A dtype, or a variable by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Fixed(DType),
    Variable(usize),
    /// The dtype of the real part of such a variable: `real(T)`.
    Real(usize),
    /// One of the declaration's structs.
    Struct(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub dtypes: Vec<DType>,
    /// True if the list is written at the next one: `I, J: int32`.
    pub is_shared: bool,
    /// Where it was written.
    pub at: usize,
}

/// A struct: `Particle(pos: float32(3), energy: float32, id: int32)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    pub name: String,
    pub members: Vec<Member>,
    /// The file in `kernels/` that declares it, from which others have it.
    pub file: Option<String>,
}

impl Structure {
    /// One of which no more is known.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            members: Vec::new(),
            file: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub dtype: DType,
    /// Shape of an array; empty for a number.
    pub shape: Vec<i64>,
}

/// An extent: names, numbers and what is calculated of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    Number(i64),
    Name(Name),
    Of(Box<Extent>, char, Box<Extent>),
    Grouped(Box<Extent>),
}

/// A name in an extent: the same wherever it was written.
#[derive(Clone, Debug, Eq)]
pub struct Name {
    pub text: String,
    pub at: usize,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// A step of an extent in postfix notation.
#[derive(Clone, Copy)]
pub enum Step<'a> {
    Number(i64),
    Name(&'a Name),
    Sign(char),
}

impl Extent {
    /// Written with the sign of division of some language.
    pub fn written(&self, over: &str) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Name(it) => it.text.clone(),
            Self::Of(left, sign, right) => {
                let (left, right) = (left.written(over), right.written(over));
                match sign {
                    '/' => format!("{left} {over} {right}"),
                    sign => format!("{left} {sign} {right}"),
                }
            }
            Self::Grouped(inner) => format!("({})", inner.written(over)),
        }
    }

    pub fn names(&self) -> Vec<&str> {
        let placed = self.placed_names().into_iter();
        placed.map(|it| it.text.as_str()).collect()
    }

    pub fn placed_names(&self) -> Vec<&Name> {
        let names = self.postfix().into_iter().filter_map(|step| match step {
            Step::Name(name) => Some(name),
            Step::Number(_) | Step::Sign(_) => None,
        });
        names.collect()
    }

    /// Its steps in postfix notation, as the runtime has them.
    pub fn postfix(&self) -> Vec<Step<'_>> {
        match self {
            Self::Number(number) => vec![Step::Number(*number)],
            Self::Name(name) => vec![Step::Name(name)],
            Self::Of(left, sign, right) => {
                [left.postfix(), right.postfix(), vec![Step::Sign(*sign)]].concat()
            }
            Self::Grouped(inner) => inner.postfix(),
        }
    }

    /// True if its value determines this size: it has no other name, and no quotient.
    pub fn gives(&self, name: &str) -> bool {
        self.names() == [name] && !self.divides()
    }

    fn divides(&self) -> bool {
        match self {
            Self::Number(_) | Self::Name(_) => false,
            Self::Of(left, sign, right) => *sign == '/' || left.divides() || right.divides(),
            Self::Grouped(inner) => inner.divides(),
        }
    }

    /// Its value, if it is a size.
    pub fn value(&self, size: &dyn Fn(&str) -> i64) -> Option<i64> {
        let value = match self {
            Self::Number(number) => *number,
            Self::Name(name) => size(&name.text),
            Self::Of(left, sign, right) => {
                let (left, right) = (left.value(size)?, right.value(size)?);
                match sign {
                    '+' => left.checked_add(right)?,
                    '-' => left.checked_sub(right)?,
                    '*' => left.checked_mul(right)?,
                    _ => left.checked_div(right)?,
                }
            }
            Self::Grouped(inner) => inner.value(size)?,
        };
        (0..1 << 20).contains(&value).then_some(value)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// True if any dimensions come before `extents`: `(...)`, `(...,n)`.
    pub leading: bool,
    /// True if the function finds how much there is of the first axis: `(at most n)`.
    pub at_most: bool,
    pub extents: Vec<Extent>,
    /// `strided`, `rows` or nothing.
    pub layout: &'static str,
}

impl Shape {
    /// The shape of a contiguous array of one dimension.
    pub fn of(extent: &Extent) -> Self {
        Self {
            extents: vec![extent.clone()],
            ..Self::default()
        }
    }

    /// The axes that code sees: the leading ones are one.
    pub fn rank(&self) -> usize {
        usize::from(self.leading) + self.extents.len()
    }

    /// Returns the words after the parentheses.
    pub fn words(&self) -> String {
        match self.layout {
            "" => String::new(),
            layout => format!(" {layout}"),
        }
    }

    /// All that is between the parentheses, in some language.
    pub fn written(&self, extent: impl Fn(&Extent) -> String) -> Vec<String> {
        let leading = self.leading.then(|| "...".to_owned());
        let mut shown: Vec<_> = leading
            .into_iter()
            .chain(self.extents.iter().map(extent))
            .collect();
        if let (true, Some(first)) = (self.at_most, shown.first_mut()) {
            first.insert_str(0, "at most ");
        }
        shown
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    In,
    Inout,
    Out,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Number,
    /// One of these texts.
    Option(Vec<Literal>),
    /// So many numbers.
    Tuple(usize),
    /// A dtype, which its variable has then.
    DType,
    Array {
        role: Role,
        shape: Shape,
        /// True if it may be None.
        is_optional: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    pub name: String,
    pub dtype: Type,
    pub kind: Kind,
    pub default: Option<DefaultValue>,
    pub keyword_only: bool,
    /// Where it was written.
    pub at: usize,
}

impl Argument {
    /// Returns its role, if it is an array.
    pub fn role(&self) -> Option<Role> {
        match self.kind {
            Kind::Array { role, .. } => Some(role),
            _ => None,
        }
    }

    pub fn shape(&self) -> Option<&Shape> {
        match &self.kind {
            Kind::Array { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// True if it is an array that may be None.
    pub fn is_optional(&self) -> bool {
        matches!(
            self.kind,
            Kind::Array {
                is_optional: true,
                ..
            }
        )
    }

    /// The texts that an option may be; others have none.
    pub fn choices(&self) -> &[Literal] {
        match &self.kind {
            Kind::Option(choices) => choices,
            _ => &[],
        }
    }

    /// How many numbers a tuple has; others have none.
    pub fn items(&self) -> usize {
        match self.kind {
            Kind::Tuple(count) => count,
            _ => 0,
        }
    }

    pub fn is_array(&self) -> bool {
        self.role().is_some()
    }

    /// True if it has a value before the call: all but those only written.
    pub fn is_read(&self) -> bool {
        self.role() != Some(Role::Out)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Empty if it has none in Python.
    pub name: String,
    pub dtype: Type,
    /// Nothing for a number.
    pub shape: Option<Shape>,
    /// True if only the derivative sees it.
    pub is_saved: bool,
    pub at: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    pub name: String,
    pub variables: Vec<Variable>,
    /// Those that it names.
    pub structs: Vec<Structure>,
    pub arguments: Vec<Argument>,
    pub results: Vec<Outcome>,
}

impl Declaration {
    /// A dtype as it is declared: the name of its variable, or its own in some language.
    pub fn typed(&self, dtype: Type, name: fn(DType) -> &'static str) -> String {
        match dtype {
            Type::Fixed(dtype) => name(dtype).to_owned(),
            Type::Variable(number) => self.variables[number].name.clone(),
            Type::Real(number) => format!("real({})", self.variables[number].name),
            Type::Struct(number) => self.structs[number].name.clone(),
        }
    }

    /// Names of variables, arguments and results: kind, name and place of each.
    pub fn names(&self) -> impl Iterator<Item = (&'static str, &String, usize)> {
        let variables = self.variables.iter();
        let variables = variables.map(|it| ("a dtype variable", &it.name, it.at));
        let arguments = self.arguments.iter();
        let arguments = arguments.map(|it| ("an argument", &it.name, it.at));
        let results = self.results.iter().filter(|it| !it.name.is_empty());
        let results = results.map(|it| ("a result", &it.name, it.at));
        variables.chain(arguments).chain(results)
    }

    /// How many results the caller gets: those that are saved come last.
    pub fn returned(&self) -> usize {
        self.results.iter().filter(|it| !it.is_saved).count()
    }

    pub fn shapes(&self) -> impl Iterator<Item = &Shape> {
        let arguments = self.arguments.iter().filter_map(Argument::shape);
        arguments.chain(self.results.iter().filter_map(|it| it.shape.as_ref()))
    }

    /// The arguments that have choices.
    pub fn options(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|it| !it.choices().is_empty())
    }

    /// The arguments that choose the dtype of a variable.
    pub fn choosers(&self, variable: usize) -> impl Iterator<Item = &Argument> {
        let is_chooser =
            move |it: &&Argument| it.kind == Kind::DType && it.dtype == Type::Variable(variable);
        self.arguments.iter().filter(is_chooser)
    }

    /// Checks whether optional arrays have the dtype of a variable, and no result has it.
    pub fn is_of_optional(&self, variable: usize) -> bool {
        let of = [Type::Variable(variable), Type::Real(variable)];
        let mut optional = self.arguments.iter().filter(|it| it.is_optional());
        optional.any(|it| it.dtype == of[0])
            && !self.results.iter().any(|it| of.contains(&it.dtype))
    }

    /// The arguments that are arrays in every call, which decide what others are.
    pub fn given(&self) -> impl Iterator<Item = (&Argument, &Shape)> {
        let given = self.arguments.iter().filter(|it| !it.is_optional());
        given.filter_map(|it| Some((it, it.shape()?)))
    }

    /// True if one of them has leading axes.
    pub fn is_leading(&self) -> bool {
        self.given().any(|(_, shape)| shape.leading)
    }

    /// The names in extents, each once.
    pub fn dimensions(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for name in self
            .shapes()
            .flat_map(|it| &it.extents)
            .flat_map(Extent::names)
        {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The sizes that methods may name, if this is a constructor: its dimensions and its integers.
    pub fn sizes(&self) -> Vec<String> {
        let is_integer = |it: &&Argument| {
            it.kind == Kind::Number && matches!(it.dtype, Type::Fixed(dtype) if dtype.is_integer())
        };
        let integers = self.arguments.iter().filter(is_integer);
        let integers = integers.map(|it| it.name.clone());
        let dimensions = self.dimensions().into_iter().map(str::to_owned);
        dimensions.chain(integers).collect()
    }

    /// The place of the argument that is this dimension, if one is.
    pub fn integer(&self, dimension: &str) -> Option<usize> {
        let is_it = |it: &Argument| it.name == dimension && it.kind == Kind::Number;
        self.arguments.iter().position(is_it)
    }

    /// The place of a default among the choices, or the dtypes, of an argument that has those.
    pub fn choice(&self, argument: &Argument) -> Option<usize> {
        match argument.default.as_ref()? {
            DefaultValue::Choice(default) => {
                let mut choices = argument.choices().iter();
                choices.position(|it| it.text == default.text)
            }
            DefaultValue::DType(default) => {
                let dtypes = self.dtypes_of(argument.dtype);
                dtypes.iter().position(|it| it == default)
            }
            DefaultValue::Nothing | DefaultValue::Number(_) | DefaultValue::Items(_) => None,
        }
    }

    /// The dtypes that a type may be; a struct is none.
    pub fn dtypes_of(&self, dtype: Type) -> Vec<DType> {
        match dtype {
            Type::Fixed(dtype) => vec![dtype],
            Type::Variable(number) => self.variables[number].dtypes.clone(),
            Type::Real(number) => {
                let dtypes = self.variables[number].dtypes.iter();
                dtypes.map(|it| it.real()).collect()
            }
            Type::Struct(_) => Vec::new(),
        }
    }

    /// The struct that a type is.
    pub fn structure(&self, dtype: Type) -> Option<&Structure> {
        match dtype {
            Type::Struct(number) => Some(&self.structs[number]),
            Type::Fixed(_) | Type::Variable(_) | Type::Real(_) => None,
        }
    }
}
