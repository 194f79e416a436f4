//! Declaration of a function: names, arguments and results.

use super::dtype::DType;
use super::literal::{DefaultValue, Literal};

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
    Name(String),
    Of(Box<Extent>, char, Box<Extent>),
    Grouped(Box<Extent>),
}

impl Extent {
    /// Written with the sign of division of some language.
    pub fn written(&self, over: &str) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Name(it) => it.clone(),
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
        match self {
            Self::Number(_) => Vec::new(),
            Self::Name(name) => vec![name],
            Self::Of(left, _, right) => [left.names(), right.names()].concat(),
            Self::Grouped(inner) => inner.names(),
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
            Self::Name(name) => size(name),
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
    /// How its gradients are calculated, if it has any.
    pub derivative: Option<String>,
    /// The function whose gradients it calculates, if it does that.
    pub gradients_of: Option<String>,
}

/// An array that a function writes, result or not.
pub struct Written<'a> {
    pub name: String,
    pub dtype: Type,
    pub shape: Shape,
    /// The argument, of one that is none of the results.
    pub argument: Option<&'a Argument>,
    pub is_saved: bool,
    pub is_scalar: bool,
}

impl Written<'_> {
    pub fn may_be_none(&self) -> bool {
        self.argument.is_some_and(Argument::is_optional)
    }

    /// True if it is a result that is no Python scalar.
    pub fn is_new_array(&self) -> bool {
        self.argument.is_none() && !self.is_scalar
    }

    /// True if it has values before the call, which a stub leaves.
    pub fn stays(&self) -> bool {
        self.argument.is_some_and(Argument::is_read)
    }
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

    /// All dtypes that arguments and results can have.
    pub fn all_dtypes(&self) -> impl Iterator<Item = DType> {
        let arguments = self.arguments.iter().map(|it| it.dtype);
        let types = arguments.chain(self.results.iter().map(|it| it.dtype));
        types.flat_map(|it| self.dtypes_of(it))
    }

    /// Fate of the elements in a stub.
    pub fn in_stub(&self) -> &'static str {
        match self.written().iter().all(Written::stays) {
            true => "stays as it is",
            false => "is zero",
        }
    }

    /// Where its code is to be written.
    pub fn place(&self) -> &'static str {
        match self.gradients_of {
            None => "write it here, and in the test",
            Some(_) => "write it here",
        }
    }

    /// Returns the arrays that are written, in the order of arguments and results.
    pub fn written(&self) -> Vec<Written<'_>> {
        let of_argument = |argument: &'_ Argument| match &argument.kind {
            Kind::Array { role, shape, .. } if *role != Role::In => {
                Some((argument.name.clone(), shape.clone()))
            }
            _ => None,
        };
        let arguments = self.arguments.iter().filter_map(|argument| {
            let (name, shape) = of_argument(argument)?;
            let dtype = argument.dtype;
            Some(Written {
                name,
                dtype,
                shape,
                argument: Some(argument),
                is_saved: false,
                is_scalar: false,
            })
        });
        let results = self
            .results
            .iter()
            .enumerate()
            .map(|(number, result)| Written {
                name: self.name_of_result(number),
                dtype: result.dtype,
                shape: result.shape.clone().unwrap_or_default(),
                argument: None,
                is_saved: result.is_saved,
                is_scalar: result.shape.is_none(),
            });
        arguments.chain(results).collect()
    }

    /// Results of which the function finds how much there is, by size: one size may mean that they belong together.
    pub fn found(&self) -> Vec<Vec<Written<'_>>> {
        let mut passes: Vec<Vec<Written>> = Vec::new();
        for written in self.written().into_iter().filter(|it| it.shape.at_most) {
            let size = |it: &Written| it.shape.extents.first().cloned();
            match passes.iter_mut().find(|it| size(&it[0]) == size(&written)) {
                Some(pass) => pass.push(written),
                None => passes.push(vec![written]),
            }
        }
        passes
    }

    /// The first of these names that nothing in it has.
    pub fn free(&self, names: &[&str]) -> String {
        let is_result =
            |name: &str| (0..self.results.len()).any(|it| self.name_of_result(it) == name);
        let free = names.iter().find(|it| !self.is_taken(it) && !is_result(it));
        let last = names.last().copied().unwrap_or_default();
        free.map_or_else(|| format!("the_{last}"), |it| (*it).to_owned())
    }

    /// Checks whether something in it is called so.
    fn is_taken(&self, name: &str) -> bool {
        let arguments = self.arguments.iter().map(|it| &it.name);
        let results = self.results.iter().map(|it| &it.name);
        let variables = self.variables.iter().map(|it| &it.name);
        let mut names = arguments
            .chain(results)
            .chain(variables)
            .chain([&self.name]);
        names.any(|it| it == name) || self.dimensions().contains(&name)
    }

    /// True if it writes nothing, and is called for its other effects.
    pub fn is_effect(&self) -> bool {
        self.written().is_empty()
    }

    /// How many results the caller gets: those that are saved come last.
    pub fn returned(&self) -> usize {
        self.results.iter().filter(|it| !it.is_saved).count()
    }

    /// Returns the name of a result in code: its own, or one that nothing else has.
    pub fn name_of_result(&self, number: usize) -> String {
        let result = &self.results[number];
        if !result.name.is_empty() {
            return result.name.clone();
        }
        let last = match self.results.len() {
            1 => String::new(),
            _ => (number + 1).to_string(),
        };
        let names = ["y", "result", "answer", "the_result"].map(|it| format!("{it}{last}"));
        let free = names.iter().find(|it| !self.is_taken(it));
        free.unwrap_or(&names[3]).clone()
    }

    pub fn shapes(&self) -> impl Iterator<Item = &Shape> {
        let arguments = self.arguments.iter().filter_map(Argument::shape);
        arguments.chain(self.results.iter().filter_map(|it| it.shape.as_ref()))
    }

    /// The arguments that have choices.
    pub fn options(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|it| !it.choices().is_empty())
    }

    /// The arguments that code has: a dtype it is compiled for.
    pub fn passed(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|it| it.kind != Kind::DType)
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

    pub fn has_arrays_of_structs(&self) -> bool {
        let arrays = self.arguments.iter().filter(|it| it.is_array());
        let mut dtypes = arrays
            .map(|it| it.dtype)
            .chain(self.results.iter().map(|it| it.dtype));
        dtypes.any(|it| matches!(it, Type::Struct(_)))
    }

    /// True if an array has axes behind leading ones.
    pub fn has_rows(&self) -> bool {
        self.shapes().any(|it| it.leading && !it.extents.is_empty())
    }

    /// Checks whether it is an array of integers that is read: perhaps indices into another one.
    pub fn is_index(&self, argument: &Argument) -> bool {
        let is_read = |it: &&Argument| it.is_array() && it.is_read();
        let of_integers = || {
            let dtypes = self.dtypes_of(argument.dtype);
            !dtypes.is_empty() && dtypes.into_iter().all(DType::is_integer)
        };
        is_read(&argument) && of_integers() && self.arguments.iter().filter(is_read).count() > 1
    }

    /// Checks whether a number is the size of an array.
    pub fn is_size(&self, argument: &Argument) -> bool {
        self.dimensions().contains(&argument.name.as_str())
    }

    /// True if one element of each array is enough to compute one: all have one shape.
    pub fn is_by_element(&self) -> bool {
        let mut shapes = self.shapes();
        let first = shapes.next();
        !self.is_effect()
            && self.arguments.iter().any(Argument::is_array)
            && self.results.iter().all(|it| it.shape.is_some())
            && shapes.all(|it| Some(it) == first)
            && first.is_some_and(|it| it.layout.is_empty())
    }

    /// Returns the extent of a row if one row of each array is enough: all that is written has rows of this extent,
    /// or one element for each row.
    pub fn row(&self) -> Option<Extent> {
        let written = self.written();
        let extent_of = |shape: &Shape| match shape.leading {
            true => shape.extents.first().cloned(),
            false => None,
        };
        let of_written = written.iter().rev().map(|it| &it.shape);
        let of_given = self.given().map(|(_, shape)| shape);
        let extent = of_written.chain(of_given).find_map(extent_of)?;
        let is_plain = |shape: &Shape| match shape.extents.len() {
            0 => shape.layout.is_empty(),
            count => count == 1 && !(shape.leading && shape.layout == "strided"),
        };
        let by_row = |it: &Written| {
            let shape = &it.shape;
            let is_row = shape.leading && shape.extents.first().is_none_or(|it| *it == extent);
            is_row && !it.may_be_none()
        };
        let is_by_row = !written.is_empty()
            && written.iter().all(by_row)
            && self.shapes().all(is_plain)
            && !self.has_arrays_of_structs();
        is_by_row.then_some(extent)
    }
}
