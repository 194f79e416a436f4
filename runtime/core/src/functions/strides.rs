//! Arrays that are declared `strided` or `rows`: whether they are.

use cuvec_spec::Layout;

use super::function::Function;
use super::shapes::Leading;
use crate::array::{Array, Place};
use crate::check::{self, Fix};
use crate::error::{Error, Result};

impl Function {
    /// Checks that the body takes an array as it is: contiguous, or as the declaration says.
    #[inline]
    pub(super) fn check_layout(&self, index: usize, array: &Array, leading: Leading) -> Result<()> {
        let checked = match self.laid_out.has(index) && !array.is_contiguous() {
            false => check::contiguous(|| (self.name(index), self.fix_of_layout(index)), array),
            true => self.check_strides(index, array, leading),
        };
        checked.map_err(|error| self.read_only(index, array).unwrap_or(error))
    }

    /// The error for an array that is to be written and is read-only, whatever its layout: nothing is copied back
    /// into it.
    #[cold]
    fn read_only(&self, index: usize, array: &Array) -> Option<Error> {
        let name = || self.name(index);
        let is_written = self.written.has(index);
        is_written.then(|| check::writable(name, array).err())?
    }

    /// Returns the fix for an array with another layout than its body takes.
    fn fix_of_layout(&self, index: usize) -> Fix {
        // An element-wise body takes no array that is declared `strided`.
        let is_element_wise = self.spec.loops && self.folded.is_empty();
        match Fix::of(self.spec.arguments[index].role) {
            Fix::CopyBack if !is_element_wise => Fix::CopyBackOrDeclare,
            fix => fix,
        }
    }

    #[cold]
    fn check_strides(&self, index: usize, array: &Array, leading: Leading) -> Result<()> {
        let argument = &self.spec.arguments[index];
        let fix = Fix::of(argument.role);
        check::aligned(|| (self.name(index), fix), array)?;
        let first = array
            .shape
            .len()
            .saturating_sub(argument.shape.extents.len());
        let strides = array.strides.as_deref().unwrap_or_default();
        let element = array.dtype.size() as isize; // of a struct no power of two
        let folds = argument.shape.leading && leading != Leading::Looped;
        let (wrong, fix) = match argument.layout {
            _ if strides.iter().any(|stride| stride % element != 0) => (
                "has strides that are no multiples of the size of its elements",
                fix,
            ),
            Layout::Rows if !is_dense(array) => (
                "is not contiguous along its last dimension",
                self.fix_of_layout(index),
            ),
            _ if folds && folded(&array.shape[..first], strides).is_none() => (
                "has leading dimensions that are not one behind the other, as its body takes them",
                fix,
            ),
            _ => return self.check_apart(index, array),
        };
        Err(self.laid_out_otherwise(index, wrong, fix))
    }

    /// Checks whether an element-wise body finds the elements of an array where they are.
    pub(super) fn check_walked(&self, index: usize, array: &Array) -> Result<()> {
        if !matches!(array.place, Place::Host) {
            let fix = Fix::of(self.spec.arguments[index].role);
            check::aligned(|| (self.name(index), fix), array)?;
        }
        self.check_apart(index, array)
    }

    /// The elements of an array that is written are apart.
    fn check_apart(&self, index: usize, array: &Array) -> Result<()> {
        if self.written.has(index) && may_overlap_itself(array) {
            let wrong = "is written, and its elements may overlap in memory";
            return Err(self.laid_out_otherwise(index, wrong, Fix::Copy));
        }
        Ok(())
    }

    #[cold]
    fn laid_out_otherwise(&self, index: usize, wrong: &str, fix: Fix) -> Error {
        let name = self.name(index);
        Error::wrong_value(format_args!(
            "{name} {wrong}; pass a C-contiguous copy{}",
            fix.after_copy(name)
        ))
    }
}

/// Checks whether the elements along the last dimension are adjacent.
fn is_dense(array: &Array) -> bool {
    let dimensions = array.shape.iter().zip(array.strides.iter().flatten());
    let last = dimensions.last();
    last.is_none_or(|(&size, &stride)| size == 1 || stride == array.dtype.size() as isize)
}

/// The stride of these dimensions as one; none if they have none.
pub(super) fn folded(shape: &[usize], strides: &[isize]) -> Option<isize> {
    let dimensions = shape.iter().zip(strides).filter(|it| *it.0 != 1);
    let mut last = None;
    let mut next = None;
    for (&size, &stride) in dimensions.rev() {
        if next.is_some_and(|next| next != stride) {
            return None;
        }
        last = last.or(Some(stride));
        next = Some(stride.wrapping_mul(size as isize));
    }
    Some(last.unwrap_or(0))
}

/// Checks whether elements may overlap: each dimension has to reach beyond all smaller ones.
fn may_overlap_itself(array: &Array) -> bool {
    let dimensions = array.shape.iter().zip(array.strides.iter().flatten());
    let mut dimensions: Vec<_> = dimensions
        .filter(|it| *it.0 != 1)
        .map(|(&size, &stride)| (stride.unsigned_abs(), size))
        .collect();
    dimensions.sort_unstable();
    let mut reach = array.dtype.size();
    dimensions.into_iter().any(|(stride, size)| {
        let overlaps = stride < reach;
        reach = reach.saturating_add(stride.saturating_mul(size - 1));
        overlaps
    })
}
