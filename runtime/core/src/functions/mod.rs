//! The functions of the package.
//!
//! A call goes three steps: [`Function::dtypes`] looks at the dtypes of the arrays, so that a
//! bridge knows what its numbers are to become; [`Function::plan`] checks everything else; and
//! [`Plan::run`] does the work. Nothing is touched before all checks have passed.

mod body;
mod cpu;
mod dtypes;
mod gpu;
pub mod hand;
mod places;
mod plan;
mod scalar;
mod shapes;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use cuvec_spec::{Argument, DType, Role, Shape, Spec, Type};

use crate::array::Array;
use crate::error::{Kind, Result};
use crate::library;

pub use dtypes::Dtypes;
use places::Places;
pub use plan::{Number, PendingResult, Plan};
pub use scalar::Scalar;

/// The arrays of a call, each at the place of its argument. Numbers have none, and results that
/// are still to be allocated.
pub type Arrays<'a> = [Option<&'a Array>];

/// The numbers of a call, each at the place of its argument.
pub type Scalars = [Scalar];

/// As many arguments as most functions have at most: room for so many takes a small part of a call.
pub const INLINE_ARGS: usize = 4;

/// A function of the package.
#[derive(Debug)]
pub struct Function {
    pub spec: Spec,
    /// How messages name the arguments.
    names: Vec<&'static str>,
    /// The place of the first result, behind all parameters.
    first_result: usize,
    /// All but the numbers that are given.
    arrays: Places,
    /// Arguments with an extent that is not a dimension by itself.
    computed: Places,
    /// Arrays that are written.
    written: Places,
    /// Results that are numbers, unless the caller gives an array for them.
    numbers: Places,
}

impl Function {
    #[must_use]
    pub fn new(spec: Spec) -> Self {
        let is_computed = |argument: &Argument| match argument.shape {
            Shape::Any => false,
            Shape::Extents(extents) => extents.iter().any(|extent| extent.dimension().is_none()),
        };
        let name = |argument: &Argument| match argument.name {
            "" => "out", // a result without a name is what the caller gives as `out`
            name => name,
        };
        let places = |is_meant: &dyn Fn(&Argument) -> bool| -> Places {
            let arguments = spec.arguments.iter().enumerate();
            let meant = arguments.filter(|(_, argument)| is_meant(argument));
            meant.map(|(place, _)| place).collect()
        };
        Self {
            spec,
            names: spec.arguments.iter().map(name).collect(),
            first_result: spec.parameters().len(),
            arrays: places(&|argument| argument.role != Role::Scalar),
            computed: places(&is_computed),
            written: places(&|argument| argument.role.is_written()),
            numbers: places(&|argument| argument.is_number),
        }
    }

    /// Every default fits into every dtype that its argument may have.
    fn check_defaults(&self) -> Result<()> {
        for argument in self.spec.arguments {
            let Some(number) = argument.default else {
                continue;
            };
            let dtypes = match &argument.dtype {
                Type::Fixed(dtype) => std::slice::from_ref(dtype),
                Type::Variable(variable) => self.spec.variables[*variable].dtypes,
            };
            let unfit = |dtype: &&DType| Scalar::declared(number, **dtype).is_none();
            if let Some(dtype) = dtypes.iter().find(unfit) {
                let (file, name, dtype) = (self.spec.file, argument.name, dtype.name());
                return Err(Kind::Unavailable(format!(
                    "{file}: the default {name} = {number} does not fit into {dtype}"
                ))
                .into());
            }
        }
        Ok(())
    }

    /// How messages name an argument.
    #[must_use]
    pub fn name(&self, argument: usize) -> &'static str {
        self.names[argument]
    }

    /// The arrays that a call was given, with their places.
    fn given<'a, 'b>(
        &self,
        arrays: &'b Arrays<'a>,
    ) -> impl Iterator<Item = (usize, &'a Array)> + use<'a, 'b> {
        let arrays = arrays[..self.spec.arguments.len()].iter().enumerate();
        arrays.filter_map(|(index, array)| Some((index, (*array)?)))
    }

    /// The results, with their places.
    fn results(&self) -> impl Iterator<Item = (usize, &'static Argument)> + use<> {
        let first = self.first_result;
        let results = self.spec.arguments[first..].iter().enumerate();
        results.map(move |(index, result)| (first + index, result))
    }

    fn is_scalar(&self, argument: usize) -> bool {
        self.spec.arguments[argument].role == Role::Scalar
    }
}

/// All functions, in the order of their names.
///
/// # Errors
/// `Kind::Unavailable` when the package was put together from parts that do not fit.
#[inline]
pub fn all() -> Result<&'static [Function]> {
    match FUNCTIONS.get() {
        Some(Ok(functions)) => Ok(functions), // as all calls but the first find them
        _ => read_all(),
    }
}

static FUNCTIONS: OnceLock<Result<Vec<Function>>> = OnceLock::new();

#[cold]
fn read_all() -> Result<&'static [Function]> {
    let read = || {
        let specs = library::specs().map_err(Kind::Unavailable)?;
        let functions: Vec<_> = specs.into_iter().map(Function::new).collect();
        functions.iter().try_for_each(Function::check_defaults)?;
        Ok(functions)
    };
    match FUNCTIONS.get_or_init(read) {
        Ok(functions) => Ok(functions),
        Err(error) => Err(error.clone()),
    }
}
