//! Dimensions that are solved for: `indptr: I(m+1)` gives `m`.

use cuvec_spec::Spec;

use super::function::Function;
use super::shapes::{SizeSource, Sizes};
use crate::array::Array;
use crate::error::{Error, Result};
use crate::shape;

/// The axes that give the dimensions which nothing else gives, as indices of an argument and of an extent.
pub(super) fn of(spec: &Spec) -> Vec<(usize, usize)> {
    let axes = || {
        let arguments = spec.parameters().iter().enumerate();
        arguments.flat_map(|(index, argument)| {
            let extents = argument.shape.extents.iter().enumerate();
            extents.map(move |(axis, extent)| ((index, axis), *extent))
        })
    };
    let dimensions = spec.dimensions.iter().enumerate();
    let given = |(index, _): &(usize, _)| axes().any(|(_, it)| it.dimension() == Some(*index));
    dimensions
        .filter(|(_, dimension)| dimension.scalar.is_none())
        .filter(|it| !given(it))
        .filter_map(|(index, _)| Some(axes().find(|(_, it)| it.solvable() == Some(index))?.0))
        .collect()
}

impl Function {
    /// Sets the dimension that an axis gives, if it is one of those.
    pub(super) fn solve(
        &self,
        sizes: &mut Sizes,
        (index, array): (usize, &Array),
        (axis, size): (usize, usize),
    ) -> Result<()> {
        if !self.solved.contains(&(index, axis)) {
            return Ok(());
        }
        let extent = self.spec.arguments[index].shape.extents[axis];
        let solution = extent.solve(size as i64); // addresses have fewer bits
        let (Some(dimension), Some(value)) = (extent.solvable(), solution) else {
            return Err(Error::wrong_value(format_args!(
                "{} has shape {}, but {} cannot be {size}",
                self.name(index),
                shape::display(&array.shape),
                extent.text(self.spec.dimensions)
            )));
        };
        sizes.set(dimension, value, SizeSource::array(index));
        Ok(())
    }
}
