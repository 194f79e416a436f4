//! Declaration of a function, as its stub and its test are written of it.

use std::ops::{Deref, DerefMut};

use cuvec_declare::declaration::{Argument, Extent, Kind, Role, Shape, Type};
use cuvec_declare::signature::words;
use cuvec_declare::{self as declare, DType};

/// Width of the first line of a signature, after `static constexpr auto signature = R"(`.
const WIDTH: usize = 60;

pub struct Declaration {
    read: declare::Declaration,
    /// How its gradients are calculated, if it has any.
    pub derivative: Option<String>,
    /// The function whose gradients it calculates, if it does that.
    pub gradients_of: Option<String>,
}

impl Deref for Declaration {
    type Target = declare::Declaration;

    fn deref(&self) -> &Self::Target {
        &self.read
    }
}

impl DerefMut for Declaration {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.read
    }
}

impl From<declare::Declaration> for Declaration {
    fn from(read: declare::Declaration) -> Self {
        Self {
            read,
            derivative: None,
            gradients_of: None,
        }
    }
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
    /// Its text, in lines that could be joined by blanks.
    pub fn signature(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in words(self, 0) {
            match lines.last_mut() {
                Some(line) if line.len() + 1 + word.len() <= WIDTH => *line += &format!(" {word}"),
                _ => lines.push(word),
            }
        }
        lines
    }

    /// Lines of its documentation, which say what to write there.
    pub fn doc(&self) -> Vec<String> {
        if let Some(function) = &self.gradients_of {
            return vec![format!("The gradients of `{function}`.")];
        }
        let results = self.results.iter().map(|it| it.name.as_str());
        let unnamed = results.clone().filter(|name| name.is_empty()).count();
        let results = results.map(|name| if name.is_empty() { "out" } else { name });
        let results = results.filter(|name| *name != "out" || unnamed == 1); // which it would mean all
        let arguments = self.arguments.iter().map(|it| it.name.as_str());
        let mut lines = vec![format!("Say here what `{}` does.", self.name)];
        for (number, name) in arguments.chain(results).enumerate() {
            lines.extend((number == 0).then(String::new)); // a paragraph of their own
            lines.push(format!("{name}: say here what it is"));
        }
        lines
    }

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

    /// The arguments that code has: a dtype it is compiled for.
    pub fn passed(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|it| it.kind != Kind::DType)
    }

    /// Names of so many indices, which nothing else has.
    pub fn indices(&self, rank: usize) -> Vec<String> {
        let names = ('i'..='z').map(String::from);
        names.filter(|it| !self.is_taken(it)).take(rank).collect()
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
