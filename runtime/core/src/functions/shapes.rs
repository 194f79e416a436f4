//! Sizes of a call: what arrays and scalars say, and whether they agree.

use cuvec_spec::{DType, Extent, MAX_DIMENSIONS};

use super::arguments::{Arrays, Scalars};
use super::dtypes::Dtypes;
use super::function::Function;
use crate::array::Array;
use crate::error::{Error, Result};
use crate::{check, shape};

/// Source of a dimension's size: nothing, a scalar, or the array at a place. A byte, for each call
/// begins with all of them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SizeSource(u8);

impl SizeSource {
    const NOTHING: Self = Self(0);
    const SCALAR: Self = Self(1);

    pub(super) fn array(place: usize) -> Self {
        Self(place as u8 + 2) // at most MAX_ARGUMENTS
    }

    fn place(self) -> Option<usize> {
        self.0.checked_sub(2).map(usize::from)
    }
}

/// Dimensions of an array that come before the declared ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leading {
    /// The declared ones, `...`: the same for all such arrays.
    Declared,
    /// The same, in a call that is adapted: arrays may have any strides.
    Adapted,
    /// Shapes of a loop, which were compared before; arrays may have any strides.
    Looped,
}

/// The sizes of a call's dimensions.
pub(super) struct Sizes {
    values: [i64; MAX_DIMENSIONS],
    sources: [SizeSource; MAX_DIMENSIONS],
    /// The place of the first array that has leading dimensions.
    leading: Option<usize>,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            values: [0; MAX_DIMENSIONS],
            sources: [SizeSource::NOTHING; MAX_DIMENSIONS],
            leading: None,
        }
    }
}

impl Sizes {
    pub(super) fn value(&self, dimension: usize) -> i64 {
        self.values[dimension]
    }

    pub(super) fn set(&mut self, dimension: usize, size: i64, source: SizeSource) {
        self.values[dimension] = size;
        self.sources[dimension] = source;
    }
}

impl Function {
    /// Checks the layouts and shapes of the arrays, and what results will have; `sizes` are new.
    pub(super) fn measure(
        &self,
        sizes: &mut Sizes,
        arrays: &Arrays,
        scalars: &Scalars,
        dtypes: &Dtypes,
        leading: Leading,
    ) -> Result<()> {
        self.sizes_of_scalars(sizes, scalars, dtypes)?;
        for (index, array) in self.given(arrays) {
            if leading == Leading::Declared {
                self.check_layout(index, array, leading)?;
            }
            self.sizes_of_array(sizes, (index, array), arrays, leading)?;
            if leading != Leading::Looped && self.spec.arguments[index].shape.leading {
                let first = *sizes.leading.get_or_insert(index);
                if let Some(other) = arrays[first].filter(|_| first != index) {
                    self.same_leading((first, other), (index, array))?;
                }
            }
        }
        for index in self.computed.iter() {
            self.expressions(sizes, index, arrays)?;
        }
        Ok(())
    }

    /// The leading dimensions of an array that has as many as it must.
    fn leading<'a>(&self, index: usize, array: &'a Array) -> &'a [usize] {
        let own = self.spec.arguments[index].shape.extents.len();
        &array.shape[..array.shape.len() - own]
    }

    fn same_leading(
        &self,
        (first, other): (usize, &Array),
        (index, array): (usize, &Array),
    ) -> Result<()> {
        let shapes = [first, index].map(|place| self.spec.arguments[place].shape);
        if shapes.iter().all(|shape| shape.extents.is_empty()) {
            return check::same_shape(|| [self.name(first), self.name(index)], other, array);
        }
        let (theirs, own) = (self.leading(first, other), self.leading(index, array));
        if theirs == own {
            return Ok(());
        }
        Err(Error::wrong_value(format_args!(
            "{} and {} must have the same leading dimensions, not {} and {}",
            self.name(first),
            self.name(index),
            shape::display(theirs),
            shape::display(own)
        )))
    }

    pub(super) fn sizes_of_scalars(
        &self,
        sizes: &mut Sizes,
        scalars: &Scalars,
        dtypes: &Dtypes,
    ) -> Result<()> {
        for (index, dimension) in self.spec.dimensions.iter().enumerate() {
            if let Some(scalar) = dimension.scalar {
                let dtype = dtypes.of(&self.spec.arguments[scalar]);
                self.size_of_scalar(sizes, index, scalars[scalar].as_integer(dtype))?;
            }
        }
        if !self.methods.is_empty() {
            self.check_sizes_of_methods(scalars, dtypes)?;
        }
        if !self.fixed.is_empty() {
            for (&(index, _), size) in self.fixed.iter().zip(&scalars[self.first_fixed()..]) {
                self.size_of_scalar(sizes, index, size.as_integer(DType::I64))?;
            }
        }
        Ok(())
    }

    fn size_of_scalar(&self, sizes: &mut Sizes, dimension: usize, value: i128) -> Result<()> {
        let size = i64::try_from(value).ok().filter(|&size| size >= 0);
        let size = size.ok_or_else(|| {
            let name = self.spec.dimensions[dimension].name;
            Error::wrong_value(format_args!("{name} is a size and cannot be {value}"))
        })?;
        sizes.set(dimension, size, SizeSource::SCALAR);
        Ok(())
    }

    /// Takes from an array the dimensions that nothing has set before, and compares the others.
    fn sizes_of_array(
        &self,
        sizes: &mut Sizes,
        (index, array): (usize, &Array),
        arrays: &Arrays,
        leading: Leading,
    ) -> Result<()> {
        let declared = self.spec.arguments[index].shape;
        let (rank, own) = (array.shape.len(), declared.extents.len());
        if rank < own || rank > own && !declared.leading && leading != Leading::Looped {
            return Err(self.other_rank(index, array));
        }
        let here = declared.extents.iter().zip(&array.shape[rank - own..]);
        for (axis, (&extent, &here)) in here.enumerate() {
            let Some(dimension) = extent.dimension() else {
                self.solve(sizes, (index, array), (axis, here))?;
                continue;
            };
            let size = sizes.values[dimension];
            let source = sizes.sources[dimension];
            if source == SizeSource::NOTHING {
                let size = here as i64; // addresses have fewer bits
                sizes.set(dimension, size, SizeSource::array(index));
            } else if size != here as i64 {
                return Err(self.other_size((index, array), (dimension, size), source, arrays));
            }
        }
        Ok(())
    }

    /// Sets the dimension that an axis gives, if it is one of those.
    fn solve(
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

    #[cold]
    pub(super) fn other_rank(&self, index: usize, array: &Array) -> Error {
        let declared = self.spec.arguments[index].shape;
        let (name, count) = (self.name(index), declared.extents.len());
        let least = if declared.leading { "at least " } else { "" };
        let plural = if count == 1 { "" } else { "s" };
        Error::wrong_value(format_args!(
            "{name} must have {least}{count} dimension{plural} {}, not shape {}",
            self.spec.shape_text(declared),
            shape::display(&array.shape)
        ))
    }

    #[cold]
    fn other_size(
        &self,
        (index, array): (usize, &Array),
        (dimension, size): (usize, i64),
        source: SizeSource,
        arrays: &Arrays,
    ) -> Error {
        let other = source
            .place()
            .and_then(|place| arrays[place].zip(Some(place)));
        let whose = other.map_or_else(String::new, |(array, place)| {
            let shape = shape::display(&array.shape);
            format!(" in {} of shape {shape}", self.name(place))
        });
        Error::wrong_value(format_args!(
            "{} has shape {}, but {} is {size}{whose}",
            self.name(index),
            shape::display(&array.shape),
            self.spec.dimensions[dimension].name
        ))
    }

    /// Compares an array, if there is one, with a shape that has expressions or literals in it.
    fn expressions(&self, sizes: &Sizes, index: usize, arrays: &Arrays) -> Result<()> {
        if arrays[index].is_none() && self.spec.arguments[index].is_optional {
            return Ok(());
        }
        let expected = self.shape_of(sizes, index, arrays)?;
        match arrays[index] {
            Some(array) if !array.shape.ends_with(&expected) => {
                Err(Error::wrong_value(format_args!(
                    "{} has shape {}, but must have {} = {}",
                    self.name(index),
                    shape::display(&array.shape),
                    self.spec.shape_text(self.spec.arguments[index].shape),
                    shape::display(&expected)
                )))
            }
            _ => Ok(()),
        }
    }

    /// The shape that a result is to have.
    pub(super) fn shape_of(
        &self,
        sizes: &Sizes,
        index: usize,
        arrays: &Arrays,
    ) -> Result<Vec<usize>> {
        let declared = self.spec.arguments[index].shape;
        // A declaration has an argument with leading dimensions, if it has such a result.
        let first = sizes.leading.filter(|_| declared.leading);
        let like = first.and_then(|first| Some(self.leading(first, arrays[first]?)));
        let leading = like.unwrap_or_default().iter().map(|&size| Ok(size));
        let value = |extent: &Extent| {
            let wrong = |what: &str| {
                let text = extent.text(self.spec.dimensions);
                let name = self.spec.arguments[index].shown_name();
                Error::wrong_value(format_args!("the size {text} of {name} {what}"))
            };
            let value = extent.value(&sizes.values);
            let value = value.map_err(|impossible| wrong(&impossible.to_string()))?;
            usize::try_from(value).map_err(|_| wrong("is negative"))
        };
        leading.chain(declared.extents.iter().map(value)).collect()
    }
}
