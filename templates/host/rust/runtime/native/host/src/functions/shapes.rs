//! Sizes of a call: what arrays and numbers say, and whether they agree.

use declared::{Extent, MAX_DIMENSIONS, Shape};

use super::{Arrays, Dtypes, Function, Scalars};
use crate::array::Array;
use crate::check;
use crate::error::{Error, Result};
use crate::shape;

/// Who has given a dimension its size.
#[derive(Clone, Copy)]
enum Giver<'a> {
    Nobody,
    Scalar,
    Array(usize, &'a Array),
}

/// The sizes of a call's dimensions.
pub(super) struct Sizes<'a> {
    values: [i64; MAX_DIMENSIONS],
    givers: [Giver<'a>; MAX_DIMENSIONS],
    /// The first array of `(...)`.
    any: Option<(usize, &'a Array)>,
}

impl Function {
    /// Checks the shapes of the arrays, and what results will have.
    pub(super) fn sizes<'a>(
        &self,
        arrays: &Arrays<'a>,
        scalars: &Scalars,
        dtypes: &Dtypes,
    ) -> Result<Sizes<'a>> {
        let mut sizes = Sizes {
            values: [0; MAX_DIMENSIONS],
            givers: [Giver::Nobody; MAX_DIMENSIONS],
            any: None,
        };
        self.sizes_of_scalars(&mut sizes, scalars, dtypes)?;
        for (index, array) in self.given(arrays) {
            match self.spec.arguments[index].shape {
                Shape::Any => {
                    let (first, other) = *sizes.any.get_or_insert((index, array));
                    check::same_shape((self.name(first), other), (self.name(index), array))?;
                }
                Shape::Extents(extents) => {
                    self.sizes_of_array(&mut sizes, index, array, extents)?
                }
            }
        }
        for (index, argument) in self.spec.arguments.iter().enumerate() {
            if let Shape::Extents(extents) = argument.shape
                && extents.iter().any(|extent| extent.dimension().is_none())
            {
                self.expressions(&sizes, index, arrays[index], extents)?;
            }
        }
        Ok(sizes)
    }

    fn sizes_of_scalars(
        &self,
        sizes: &mut Sizes,
        scalars: &Scalars,
        dtypes: &Dtypes,
    ) -> Result<()> {
        for (index, dimension) in self.spec.dimensions.iter().enumerate() {
            let Some(scalar) = dimension.scalar else {
                continue;
            };
            let given = scalars[scalar].as_integer(dtypes.of(&self.spec.arguments[scalar]));
            let size = i64::try_from(given).ok().filter(|&size| size >= 0);
            sizes.values[index] = size.ok_or_else(|| {
                Error::Value(format!(
                    "{} is a size and cannot be {given}",
                    dimension.name
                ))
            })?;
            sizes.givers[index] = Giver::Scalar;
        }
        Ok(())
    }

    /// Takes from an array the dimensions that nobody has given before, and compares the others.
    fn sizes_of_array<'a>(
        &self,
        sizes: &mut Sizes<'a>,
        index: usize,
        array: &'a Array,
        extents: &[Extent],
    ) -> Result<()> {
        let name = self.name(index);
        if array.shape.len() != extents.len() {
            let (count, plural) = (extents.len(), if extents.len() == 1 { "" } else { "s" });
            return Err(Error::Value(format!(
                "{name} must have {count} dimension{plural} {}, not shape {}",
                self.spec.shape_text(extents),
                shape::display(&array.shape)
            )));
        }
        for (&extent, &here) in extents.iter().zip(&array.shape) {
            let Some(dimension) = extent.dimension() else {
                continue;
            };
            let size = sizes.values[dimension];
            match sizes.givers[dimension] {
                Giver::Nobody => {
                    sizes.values[dimension] = here as i64; // addresses have fewer bits
                    sizes.givers[dimension] = Giver::Array(index, array);
                }
                _ if size == here as i64 => {}
                giver => {
                    let whose = match giver {
                        Giver::Array(other, array) => {
                            let shape = shape::display(&array.shape);
                            format!(" in {} of shape {shape}", self.name(other))
                        }
                        _ => String::new(),
                    };
                    return Err(Error::Value(format!(
                        "{name} has shape {}, but {} is {size}{whose}",
                        shape::display(&array.shape),
                        self.spec.dimensions[dimension].name
                    )));
                }
            }
        }
        Ok(())
    }

    /// Compares an array, if there is one, with a shape that has expressions or numbers in it.
    fn expressions(
        &self,
        sizes: &Sizes,
        index: usize,
        array: Option<&Array>,
        extents: &[Extent],
    ) -> Result<()> {
        let expected = self.evaluate(sizes, index, extents)?;
        match array {
            Some(array) if array.shape != expected => Err(Error::Value(format!(
                "{} has shape {}, but must have {} = {}",
                self.name(index),
                shape::display(&array.shape),
                self.spec.shape_text(extents),
                shape::display(&expected)
            ))),
            _ => Ok(()),
        }
    }

    /// The shape that a result is to have.
    pub(super) fn shape_of(&self, sizes: &Sizes, index: usize) -> Result<Vec<usize>> {
        match self.spec.arguments[index].shape {
            Shape::Extents(extents) => self.evaluate(sizes, index, extents),
            // a declaration has an array of any shape, if it has such a result
            Shape::Any => Ok(sizes
                .any
                .map_or_else(Vec::new, |(_, array)| array.shape.clone())),
        }
    }

    fn evaluate(&self, sizes: &Sizes, index: usize, extents: &[Extent]) -> Result<Vec<usize>> {
        let value = |extent: &Extent| {
            let wrong = |what: &str| {
                let (text, name) = (extent.text(self.spec.dimensions), self.name(index));
                Error::Value(format!("the extent {text} of {name} {what}"))
            };
            let value = extent.value(&sizes.values);
            let value = value.map_err(|impossible| wrong(&impossible.to_string()))?;
            usize::try_from(value).map_err(|_| wrong("is negative"))
        };
        extents.iter().map(value).collect()
    }
}
