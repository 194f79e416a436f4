//! Which dtypes a call is for.

use std::slice;

use declared::{Argument, DType, MAX_VARIABLES, Type};

use super::{Arrays, Function};
use crate::check;
use crate::error::Result;

/// The dtypes of the function's variables in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dtypes {
    variables: [DType; MAX_VARIABLES],
    /// The index of the function's variant for them.
    pub(super) variant: usize,
}

impl Dtypes {
    /// The dtype that an argument has in this call.
    #[must_use]
    pub fn of(&self, argument: &Argument) -> DType {
        match argument.dtype {
            Type::Fixed(dtype) => dtype,
            Type::Variable(variable) => self.variables[variable],
        }
    }
}

impl Function {
    /// Checks the dtypes of the arrays.
    ///
    /// # Errors
    /// `Error::Type` for a dtype that the function does not take, and for arrays that must have
    /// the same and have not.
    pub fn dtypes(&self, arrays: &Arrays) -> Result<Dtypes> {
        self.choose(arrays).ok_or_else(|| {
            let checked = self.check_dtypes(arrays);
            checked.expect_err("a dtype does not fit")
        })
    }

    /// None when an array has another dtype than it must have.
    fn choose(&self, arrays: &Arrays) -> Option<Dtypes> {
        let mut first = [None; MAX_VARIABLES];
        for (index, array) in self.given(arrays) {
            let dtype = match self.spec.arguments[index].dtype {
                Type::Fixed(dtype) => dtype,
                Type::Variable(variable) => *first[variable].get_or_insert(array.dtype),
            };
            if array.dtype != dtype {
                return None;
            }
        }
        // A declaration has an array for each of its variables.
        let variables = first.map(|dtype| dtype.unwrap_or(DType::Bool));
        let variant = self.spec.variant(&variables[..self.spec.variables.len()])?;
        Some(Dtypes { variables, variant })
    }

    /// Says what is wrong with the dtypes of arrays for which [`Function::choose`] finds none.
    fn check_dtypes(&self, arrays: &Arrays) -> Result<()> {
        for (index, array) in self.given(arrays) {
            let supported = match &self.spec.arguments[index].dtype {
                Type::Fixed(dtype) => slice::from_ref(dtype),
                Type::Variable(variable) => self.spec.variables[*variable].dtypes,
            };
            check::dtype(self.name(index), array, supported)?;
        }
        let mut first = [None; MAX_VARIABLES];
        for (index, array) in self.given(arrays) {
            if let Type::Variable(variable) = self.spec.arguments[index].dtype {
                let named = (self.name(index), array);
                check::same_dtype(*first[variable].get_or_insert(named), named)?;
            }
        }
        Ok(())
    }
}
