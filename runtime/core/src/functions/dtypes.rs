//! Which dtypes a call is for.

use cuvec_spec::{Argument, DType, MAX_VARIABLES, Type};

use super::arguments::Arrays;
use super::function::Function;
use crate::array::Array;
use crate::check;
use crate::error::{Error, Result};

/// The dtypes of the function's variables in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dtypes {
    variables: [DType; MAX_VARIABLES],
    /// A bit for each variable that an argument chooses.
    chosen: u32,
    /// The index of the function's variant for them.
    pub(super) variant: usize,
}

impl Default for Dtypes {
    fn default() -> Self {
        Self {
            variables: [DType::Bool; MAX_VARIABLES],
            chosen: 0,
            variant: 0,
        }
    }
}

impl Dtypes {
    /// The dtype that an argument has in this call.
    #[must_use]
    pub fn of(&self, argument: &Argument) -> DType {
        match argument.dtype {
            Type::Fixed(dtype) => dtype,
            Type::Variable(variable) => self.variables[variable],
            Type::Real(variable) => self.variables[variable].real(),
        }
    }

    /// The first variables, as another call has them.
    pub(super) fn take(&mut self, other: &Self, count: usize) {
        self.variables[..count].copy_from_slice(&other.variables[..count]);
        self.chosen |= (1 << count) - 1;
    }

    /// The names of the first ones.
    pub(super) fn names(&self, count: usize) -> Vec<&'static str> {
        self.variables[..count].iter().map(|it| it.name()).collect()
    }

    fn chosen(&self, variable: usize) -> Option<DType> {
        (self.chosen & 1 << variable != 0).then(|| self.variables[variable])
    }
}

impl Function {
    /// Chooses the dtype for which an argument is, by its index among the dtypes of its variable: before the
    /// others are known. None for an index that is none, or another argument.
    pub fn choose_dtype(&self, argument: usize, index: usize, dtypes: &mut Dtypes) -> Option<()> {
        let variable = self.spec.arguments[argument].chooses?;
        dtypes.variables[variable] = *self.spec.variables[variable].dtypes.get(index)?;
        dtypes.chosen |= 1 << variable;
        Some(())
    }

    /// Checks the dtypes of the arrays, and puts the dtypes of the call where they are to be: to copy them
    /// right after they were written takes longer than to write them.
    ///
    /// # Errors
    /// `Kind::Type` for a dtype that the function does not take, and for arrays that must have
    /// the same and have not.
    #[inline]
    pub fn dtypes(&self, arrays: &Arrays, dtypes: &mut Dtypes) -> Result<()> {
        let variant = self.choose(arrays, dtypes);
        dtypes.variant = variant.ok_or_else(|| self.wrong_dtype(arrays, dtypes))?;
        Ok(())
    }

    /// The variant for these arrays, and its dtypes; none when an array has another dtype than it must
    /// have.
    fn choose(&self, arrays: &Arrays, dtypes: &mut Dtypes) -> Option<usize> {
        let mut known = dtypes.chosen;
        let variables = &mut dtypes.variables;
        for (index, array) in self.given(arrays) {
            let dtype = match self.spec.arguments[index].dtype {
                Type::Fixed(dtype) => dtype,
                Type::Variable(variable) if known & 1 << variable == 0 => {
                    known |= 1 << variable;
                    variables[variable] = array.dtype;
                    array.dtype
                }
                Type::Variable(variable) => variables[variable],
                Type::Real(variable) => variables[variable].real(), // of a result, behind all arrays
            };
            if array.dtype != dtype {
                return None;
            }
        }
        let mut left = self.optional_variables & !known;
        while left != 0 {
            let variable = left.trailing_zeros() as usize;
            variables[variable] = self.spec.variables[variable].dtypes[0];
            left &= left - 1;
        }
        self.spec.variant(&variables[..self.spec.variables.len()])
    }

    #[cold]
    fn wrong_dtype(&self, arrays: &Arrays, dtypes: &Dtypes) -> Error {
        let checked = self.check_dtypes(arrays, dtypes);
        checked.expect_err("a dtype does not fit")
    }

    /// Says what is wrong with the dtypes of arrays for which [`Function::choose`] finds none.
    fn check_dtypes(&self, arrays: &Arrays, dtypes: &Dtypes) -> Result<()> {
        for (index, array) in self.given(arrays) {
            let argument = &self.spec.arguments[index];
            if !matches!(argument.dtype, Type::Variable(it) if it < self.fixed_variables) {
                check::dtype(self.name(index), array, &self.spec.dtypes_of(argument))?;
            }
        }
        let mut first: [Option<(usize, &Array)>; MAX_VARIABLES] = [None; MAX_VARIABLES];
        for (index, array) in self.given(arrays) {
            match self.spec.arguments[index].dtype {
                Type::Variable(variable) => match dtypes.chosen(variable) {
                    Some(dtype) if variable < self.fixed_variables && dtype != array.dtype => {
                        return Err(self.not_of_object(index, array, variable, dtype));
                    }
                    Some(dtype) if dtype != array.dtype => {
                        return Err(self.not_chosen(index, array, variable, dtype));
                    }
                    Some(_) => {}
                    None => {
                        let (before, other) = *first[variable].get_or_insert((index, array));
                        check::same_dtype(|| [self.name(before), self.name(index)], other, array)?;
                    }
                },
                Type::Real(variable) => {
                    let other = first[variable].map(|(_, other)| other.dtype);
                    let real = other.or(dtypes.chosen(variable)).map(DType::real);
                    if let Some(dtype) = real.filter(|it| *it != array.dtype) {
                        return Err(self.not_chosen(index, array, variable, dtype));
                    }
                }
                Type::Fixed(_) => {}
            }
        }
        Ok(())
    }

    /// An array whose dtype is another than an argument chose.
    fn not_chosen(&self, index: usize, array: &Array, variable: usize, dtype: DType) -> Error {
        let (spec, has, wants) = (&self.spec, array.dtype.name(), dtype.name());
        let is_real = matches!(spec.arguments[index].dtype, Type::Real(_));
        let of_array = |it: &&DType| array.dtype == if is_real { it.real() } else { **it };
        let choice = spec.variables[variable].dtypes.iter().find(of_array);
        let mut choosers = self.choosers().map(|it| &spec.arguments[it]);
        let chooser = choosers.find(|it| it.chooses == Some(variable));
        let hint = chooser.zip(choice);
        let hint =
            hint.map(|(it, dtype)| format!("; {}='{}' chooses {has}", it.name, dtype.name()));
        Error::wrong_type(format_args!(
            "{} has dtype {has}, but must have {wants}{}",
            self.name(index),
            hint.unwrap_or_default()
        ))
    }

    /// An array whose dtype is another than the object was constructed for.
    fn not_of_object(&self, index: usize, array: &Array, variable: usize, dtype: DType) -> Error {
        let class = self.class();
        Error::wrong_type(format_args!(
            "{} has dtype {}, but {} of the {class} is {}; convert it, or construct another {class}",
            self.name(index),
            array.dtype.name(),
            self.spec.variables[variable].name,
            dtype.name()
        ))
    }
}
