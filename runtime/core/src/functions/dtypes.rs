//! Which dtypes a call is for.

use cuvec_spec::{Argument, DType, MAX_VARIABLES, Type};

use super::function::{Arrays, Function};
use crate::check;
use crate::error::{Error, Result};

/// The dtypes of the function's variables in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dtypes {
    variables: [DType; MAX_VARIABLES],
    /// The index of the function's variant for them.
    pub(super) variant: usize,
}

impl Default for Dtypes {
    fn default() -> Self {
        Self {
            variables: [DType::Bool; MAX_VARIABLES],
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
}

impl Function {
    /// Checks the dtypes of the arrays, and puts those of the call where they are to be: to copy them
    /// right after they were written takes longer than to write them.
    ///
    /// # Errors
    /// `Kind::Type` for a dtype that the function does not take, and for arrays that must have
    /// the same and have not.
    #[inline]
    pub fn dtypes(&self, arrays: &Arrays, dtypes: &mut Dtypes) -> Result<()> {
        let variant = self.choose(arrays, &mut dtypes.variables);
        dtypes.variant = variant.ok_or_else(|| self.wrong_dtype(arrays))?;
        Ok(())
    }

    /// The variant for these arrays, and its dtypes; none when an array has another dtype than it must
    /// have.
    fn choose(&self, arrays: &Arrays, variables: &mut [DType; MAX_VARIABLES]) -> Option<usize> {
        let mut known = 0_u32; // a declaration has an array for each of its variables
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
        self.spec.variant(&variables[..self.spec.variables.len()])
    }

    #[cold]
    fn wrong_dtype(&self, arrays: &Arrays) -> Error {
        let checked = self.check_dtypes(arrays);
        checked.expect_err("a dtype does not fit")
    }

    /// Says what is wrong with the dtypes of arrays for which [`Function::choose`] finds none.
    fn check_dtypes(&self, arrays: &Arrays) -> Result<()> {
        for (index, array) in self.given(arrays) {
            let supported = self.spec.dtypes_of(&self.spec.arguments[index]);
            check::dtype(self.name(index), array, &supported)?;
        }
        let mut first = [None; MAX_VARIABLES];
        for (index, array) in self.given(arrays) {
            match self.spec.arguments[index].dtype {
                Type::Variable(variable) => {
                    let (before, other) = *first[variable].get_or_insert((index, array));
                    check::same_dtype(|| [self.name(before), self.name(index)], other, array)?;
                }
                Type::Real(variable) => {
                    let real = first[variable].map(|(_, other)| other.dtype.real());
                    check::dtype(self.name(index), array, real.as_slice())?;
                }
                Type::Fixed(_) => {}
            }
        }
        Ok(())
    }
}
