//! A function.

use std::borrow::Cow;
use std::slice;

use crate::argument::{Argument, Role, Type};
use crate::c::{End, Variant};
use crate::dtype::DType;
use crate::extent::Dimension;

/// A dtype variable, `T: float32, float64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: &'static str,
    pub dtypes: &'static [DType],
}

/// A declared function.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub name: &'static str,
    /// The declaration, as it was written.
    pub signature: &'static str,
    /// First part of `help()`, without leading and trailing blank lines.
    pub doc: &'static str,
    /// Where it is declared: `kernels/NAME.cu`, or `.rs`.
    pub file: &'static str,
    /// How its derivative is calculated, as it was written; empty if it declares none.
    pub derivative: &'static str,
    /// Architectures that its GPU code is compiled for, if declared: see
    /// [`runs_on`].
    pub architectures: Option<&'static str>,
    /// True if leading dimensions belong to a loop: elements at one of their indices depend on
    /// nothing at others.
    pub loops: bool,
    /// True if a CUDA graph may have calls of it.
    pub allow_cuda_graph: bool,
    /// Results come last, and behind the others those that are saved for the derivative.
    pub arguments: &'static [Argument],
    pub dimensions: &'static [Dimension],
    pub variables: &'static [Variable],
    /// One for each choice of dtypes, the last variable's changing fastest.
    pub variants: &'static [Variant],
    /// Class that a constructor makes objects of; functions and methods have none.
    pub class: Option<Class>,
}

/// A declared class. Its name is its constructor's.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// Called `Class.method`. Their first variables are the constructor's.
    pub methods: &'static [Spec],
    /// Ends an object that no stream uses any more.
    pub destroy: End,
}

impl Spec {
    /// A function of nothing, for those that say only what they have.
    pub const EMPTY: Self = Self {
        name: "",
        signature: "",
        doc: "",
        file: "",
        derivative: "",
        architectures: None,
        loops: false,
        allow_cuda_graph: true,
        arguments: &[],
        dimensions: &[],
        variables: &[],
        variants: &[],
        class: None,
    };

    /// Its name without the class that it is a method of.
    #[must_use]
    pub fn own_name(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or_default()
    }

    /// Checks whether the bodies are element-wise and find the elements of arrays where they are.
    #[must_use]
    pub fn walks(&self) -> bool {
        !self.variants.is_empty() && self.variants.iter().all(|it| it.lanes > 0)
    }

    /// Arguments that the caller gives, without the results.
    #[must_use]
    pub fn parameters(&self) -> &'static [Argument] {
        &self.arguments[..self.first_result()]
    }

    /// Results that the caller gets.
    #[must_use]
    pub fn results(&self) -> &'static [Argument] {
        let saved = self.saved().len();
        &self.arguments[self.first_result()..self.arguments.len() - saved]
    }

    /// The results that only the derivative sees.
    #[must_use]
    pub fn saved(&self) -> &'static [Argument] {
        let first = self.arguments.iter().position(|it| it.is_saved);
        &self.arguments[first.unwrap_or(self.arguments.len())..]
    }

    /// The name of the named tuple that the results are returned in, if they are several and have names that
    /// it can have.
    #[must_use]
    pub fn result_type(&self) -> Option<String> {
        let results = self.results();
        let mut names = results.iter().map(|it| it.name);
        let is_named = names.all(|name| !name.is_empty() && !name.starts_with('_'));
        (results.len() > 1 && is_named).then(|| format!("{}_result", self.name.replace('.', "_")))
    }

    /// The dtypes that an argument may have.
    #[must_use]
    pub fn dtypes_of<'a>(&self, argument: &'a Argument) -> Cow<'a, [DType]> {
        match &argument.dtype {
            Type::Fixed(dtype) => slice::from_ref(dtype).into(),
            Type::Variable(variable) => self.variables[*variable].dtypes.into(),
            Type::Real(variable) => {
                let dtypes = self.variables[*variable].dtypes.iter();
                dtypes.map(|dtype| dtype.real()).collect()
            }
        }
    }

    /// A dtype as it is declared: `float32`, `T`, `real(T)`.
    #[must_use]
    pub fn dtype_text(&self, dtype: Type) -> Cow<'static, str> {
        match dtype {
            Type::Fixed(dtype) => dtype.name().into(),
            Type::Variable(variable) => self.variables[variable].name.into(),
            Type::Real(variable) => format!("real({})", self.variables[variable].name).into(),
        }
    }

    /// The axes that give the dimensions which nothing else gives, as indices of an argument and of an extent:
    /// `indptr: I(m+1)` gives `m`.
    #[must_use]
    pub fn solved_axes(&self) -> Vec<(usize, usize)> {
        let axes = || {
            let arguments = self.parameters().iter().enumerate();
            arguments.flat_map(|(index, argument)| {
                let extents = argument.shape.extents.iter().enumerate();
                extents.map(move |(axis, extent)| ((index, axis), *extent))
            })
        };
        let dimensions = self.dimensions.iter().enumerate();
        let given = |(index, _): &(usize, _)| axes().any(|(_, it)| it.dimension() == Some(*index));
        dimensions
            .filter(|(_, dimension)| dimension.scalar.is_none())
            .filter(|it| !given(it))
            .filter_map(|(index, _)| Some(axes().find(|(_, it)| it.solvable() == Some(index))?.0))
            .collect()
    }

    fn first_result(&self) -> usize {
        let is_result = |argument: &Argument| argument.role == Role::Result;
        let first = self.arguments.iter().position(is_result);
        first.unwrap_or(self.arguments.len())
    }

    /// The index of the variant for these dtypes of the variables; none if it has no such.
    #[must_use]
    pub fn variant(&self, dtypes: &[DType]) -> Option<usize> {
        self.variables
            .iter()
            .zip(dtypes)
            .try_fold(0, |index, (variable, dtype)| {
                let place = variable.dtypes.iter().position(|known| known == dtype)?;
                Some(index * variable.dtypes.len() + place)
            })
    }
}

/// Checks whether a GPU of this compute capability runs code for the architectures: `90a` is for
/// that one only, `100f` and `100` for later ones of the same major version as well, and `100+`,
/// which is PTX too, for all later ones.
#[must_use]
pub fn runs_on(architectures: &str, (major, minor): (i32, i32)) -> bool {
    architectures.split(", ").any(|it| {
        let number = it.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let Ok(oldest) = number.parse::<i32>() else {
            return false; // there is none
        };
        let gpu = 10 * major + minor;
        match &it[number.len()..] {
            "a" => gpu == oldest,
            "+" => gpu >= oldest,
            _ => major == oldest / 10 && gpu >= oldest,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_runs_what_is_compiled_for_it() {
        for (architectures, gpus) in [
            ("90a, 103a", &[90, 103][..]),
            ("100f", &[100, 103]),
            ("80, 89", &[80, 86, 89]),
            ("90, 120+", &[90, 120, 121, 130]),
            ("", &[]),
        ] {
            let all = [75, 80, 86, 89, 90, 100, 103, 120, 121, 130];
            let is_run = |gpu: &i32| runs_on(architectures, (gpu / 10, gpu % 10));
            assert_eq!(all.into_iter().filter(is_run).collect::<Vec<_>>(), gpus);
        }
    }
}
