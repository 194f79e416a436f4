//! Which dtypes a call is for.

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
        let variables = self.spec.variables;
        for (index, array) in self.given(arrays) {
            match &self.spec.arguments[index].dtype {
                Type::Fixed(dtype) => check::dtype(self.name(index), array, &[*dtype])?,
                Type::Variable(variable) => {
                    check::dtype(self.name(index), array, variables[*variable].dtypes)?;
                }
            }
        }
        let mut first = [None; MAX_VARIABLES];
        for (index, array) in self.given(arrays) {
            if let Type::Variable(variable) = self.spec.arguments[index].dtype {
                let named = (self.name(index), array);
                check::same_dtype(*first[variable].get_or_insert(named), named)?;
            }
        }
        // A declaration has an array for each of its variables.
        let chosen = first.map(|named| named.map_or(DType::Bool, |(_, array)| array.dtype));
        let variant = self.spec.variant(&chosen[..variables.len()]);
        Ok(Dtypes {
            variables: chosen,
            variant: variant.expect("each dtype is in its list"),
        })
    }
}
