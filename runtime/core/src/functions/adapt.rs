//! Calls whose arrays are not laid out as the body takes them. An element-wise body that takes a walk
//! finds elements where they are. For others, arrays that are only read are copied first, if they have
//! other strides or are broadcast; and dimensions in front of the declared ones belong to a loop
//! around the body, as NumPy promises of such signatures.

use cuvec_spec::Role;

use super::arguments::{Arrays, Scalars};
use super::dtypes::Dtypes;
use super::function::Function;
use super::plan::{Adaptation, PendingResult, Plan, with_views};
use super::shapes::{Leading, Sizes};
use crate::array::{self, Array, Place};
use crate::check::{self, Fix};
use crate::error::{Error, Result};
use crate::gather::Gather;
use crate::shape;

impl Function {
    /// Checks whether a body takes the arrays as they are, as far as dimensions and layouts say.
    #[inline]
    pub(super) fn fit(&self, arrays: &Arrays) -> bool {
        let mut first = None;
        self.given(arrays).all(|(index, array)| {
            let Some(more) = array.shape.len().checked_sub(self.own(index)) else {
                return false;
            };
            let before = &array.shape[..more];
            let is_shape = match (self.leads(index), first) {
                (false, _) => more == 0,
                (true, Some(first)) => before == first,
                (true, None) => {
                    first = Some(before);
                    true
                }
            };
            is_shape && (self.laid_out.has(index) || array.is_contiguous())
        })
    }

    /// The plan of a call whose arrays are not as the body takes them; none if it cannot be adapted.
    #[inline(never)]
    pub(super) fn adapt(
        &self,
        arrays: &Arrays,
        scalars: &Scalars,
        dtypes: Dtypes,
    ) -> Result<Option<Plan<'_>>> {
        self.sizes_of_scalars(&mut Sizes::default(), scalars, &dtypes)?;
        let Some(mut leading) = self.leading_in(arrays)? else {
            return Ok(None);
        };
        let walks = self.spec.walks();
        if walks {
            leading = Leading::Looped;
        }
        let common = match self.broadcasts() {
            true => self.common(arrays)?,
            false => Vec::new(), // leading dimensions are compared, as in any call
        };
        if self.broadcasts() {
            self.check_written(arrays, leading, &common)?;
        }
        let mut adaptation = Adaptation {
            views: vec![None; arrays.len()].into(),
            looped: Vec::new(),
            walked: None,
        };
        let read = self
            .given(arrays)
            .filter(|&(index, _)| !self.written.has(index));
        for (index, array) in read {
            let own = self.own(index);
            let extra = match self.leads(index) {
                true => &*common,
                false => &[],
            };
            let is_whole = leading == Leading::Looped
                || !self.broadcasts()
                || array.shape[..array.shape.len() - own] == *extra;
            adaptation.views[index] = match is_whole {
                false => Some(broadcast(array, extra, own)),
                true if walks => self
                    .may_be_overwritten(array, arrays, index)
                    .then(|| strided(array)),
                true if self.is_copied((index, array), leading, arrays) => Some(strided(array)),
                true => None,
            };
        }
        if walks {
            let mut given = self.given(arrays);
            let own = given
                .next()
                .map(|(index, it)| own_shape(it, self.own(index)));
            adaptation.walked = Some([&common, own.unwrap_or_default()].concat());
        }
        if leading == Leading::Looped {
            adaptation.looped = common;
        }
        if adaptation.is_nothing() {
            return Ok(None);
        }
        let plan = self.plan_adapted(arrays, scalars, dtypes, (adaptation, leading))?;
        Ok(Some(plan))
    }

    fn plan_adapted(
        &self,
        arrays: &Arrays,
        scalars: &Scalars,
        dtypes: Dtypes,
        (adaptation, leading): (Adaptation, Leading),
    ) -> Result<Plan<'_>> {
        self.check_memory(&adaptation.not_copied(arrays))?;
        let arrays = &*with_views(arrays, &adaptation.views);
        let mut sizes = Sizes::default();
        self.measure(&mut sizes, arrays, scalars, &dtypes, leading)?;
        for (index, array) in self.given(arrays) {
            match adaptation.views[index] {
                _ if adaptation.walked.is_some() => self.check_walked(index, array)?,
                Some(_) if !array.is_contiguous() => self.check_view(index, array)?,
                _ => self.check_layout(index, array, leading)?,
            }
        }
        let mut pending = Vec::new();
        for (argument, declared) in self.results() {
            let is_scalar = declared.is_number && adaptation.looped.is_empty();
            if arrays[argument].is_none() && !is_scalar {
                let own = self.shape_of(&sizes, argument, arrays)?;
                let shape = [&*adaptation.looped, &own].concat();
                pending.push(PendingResult::new(argument, dtypes.of(declared), shape)?);
            }
        }
        let device = array::common_device(arrays.iter().flatten().copied())?;
        let adaptation = Some(Box::new(adaptation));
        Ok(Plan::new(self, dtypes, device, adaptation, pending))
    }

    /// How many dimensions an argument is declared with, besides leading ones.
    pub(super) fn own(&self, index: usize) -> usize {
        self.spec.arguments[index].shape.extents.len()
    }

    pub(super) fn leads(&self, index: usize) -> bool {
        self.spec.arguments[index].shape.leading
    }

    /// Checks whether a body gets leading dimensions, as one.
    fn folds(&self) -> bool {
        let mut arguments = self.spec.arguments.iter();
        arguments.any(|it| it.shape.leading)
    }

    /// Checks whether further dimensions are broadcast: not if a body works on leading ones as a
    /// whole, or finds how large a result is.
    #[must_use]
    pub fn broadcasts(&self) -> bool {
        self.counted.is_empty() && self.spec.class.is_none() && self.can_broadcast()
    }

    fn can_broadcast(&self) -> bool {
        !self.folds() || self.spec.loops && self.written.iter().all(|it| self.leads(it))
    }

    /// Returns this call's dimensions before the declared ones; none if an array has too many.
    fn leading_in(&self, arrays: &Arrays) -> Result<Option<Leading>> {
        let folds = self.folds();
        let mut leading = Leading::Adapted;
        for (index, array) in self.given(arrays) {
            let (rank, own) = (array.shape.len(), self.own(index));
            if rank < own {
                return Err(self.other_rank(index, array));
            }
            let is_broadcast = folds && array.shape[..rank - own].iter().all(|&size| size == 1);
            if rank > own && !self.leads(index) && !is_broadcast {
                leading = Leading::Looped;
            }
        }
        Ok((leading == Leading::Adapted || self.broadcasts()).then_some(leading))
    }

    /// The dimensions before the declared ones, broadcast. Results that the caller passes have no say.
    fn common(&self, arrays: &Arrays) -> Result<Vec<usize>> {
        let mut common = Vec::new();
        let mut first = None;
        for (index, array) in self.given(arrays) {
            if self.spec.arguments[index].role == Role::Result {
                continue;
            }
            let mine = &array.shape[..array.shape.len() - self.own(index)];
            let (before, other) = *first.get_or_insert((index, array));
            common = broadcast_shape(&common, mine).ok_or_else(|| {
                Error::wrong_value(format_args!(
                    "{} and {} cannot be broadcast together, with shapes {} and {}",
                    self.name(before),
                    self.name(index),
                    shape::display(&other.shape),
                    shape::display(&array.shape)
                ))
            })?;
        }
        Ok(common)
    }

    /// Checks that no written array would be broadcast.
    fn check_written(&self, arrays: &Arrays, leading: Leading, common: &[usize]) -> Result<()> {
        for index in self.written.iter() {
            let Some(array) = arrays[index] else {
                continue;
            };
            let own = own_shape(array, self.own(index));
            let is_compared = leading == Leading::Looped || self.leads(index);
            let target = [common, own].concat();
            if is_compared && target != *array.shape {
                return Err(Error::wrong_value(format_args!(
                    "{} is written and must have shape {}, not {}",
                    self.name(index),
                    shape::display(&target),
                    shape::display(&array.shape)
                )));
            }
        }
        Ok(())
    }

    fn check_view(&self, index: usize, view: &Array) -> Result<()> {
        if !matches!(view.place, Place::Host) {
            check::aligned(|| (self.name(index), Fix::Copy), view)?;
        }
        Gather::of(self.name(index), view).map(drop)
    }

    /// Checks whether an array that is only read is copied, for its layout or because the call may
    /// write to it.
    fn is_copied(
        &self,
        (index, array): (usize, &Array),
        leading: Leading,
        arrays: &Arrays,
    ) -> bool {
        let is_host = matches!(array.place, Place::Host);
        let is_aligned = array.is_aligned();
        !array.is_contiguous() && self.check_layout(index, array, leading).is_err()
            || is_host && !is_aligned
            || self.may_be_overwritten(array, arrays, index)
    }

    /// Checks whether an array that is only read overlaps one that is written, in a function that allows it.
    fn may_be_overwritten(&self, array: &Array, arrays: &Arrays, index: usize) -> bool {
        self.spec.loops && self.is_element_wise() && self.is_overwritten(array, arrays, index)
    }

    pub(super) fn is_element_wise(&self) -> bool {
        self.arrays
            .iter()
            .all(|it| self.leads(it) && self.own(it) == 0)
    }

    fn is_overwritten(&self, array: &Array, arrays: &Arrays, index: usize) -> bool {
        let mut written = self.written.iter().filter(|&it| it != index);
        written
            .any(|it| arrays[it].is_some_and(|it| check::disjoint(|| ["", ""], array, it).is_err()))
    }
}

/// The last dimensions, which are declared.
pub(super) fn own_shape(array: &Array, own: usize) -> &[usize] {
    &array.shape[array.shape.len() - own..]
}

/// As NumPy broadcasts two shapes; none if it does not.
fn broadcast_shape(one: &[usize], other: &[usize]) -> Option<Vec<usize>> {
    let (long, short) = match one.len() < other.len() {
        true => (other, one),
        false => (one, other),
    };
    let mut shape = long.to_vec();
    let last = shape.len() - short.len();
    for (size, &other) in shape[last..].iter_mut().zip(short) {
        match (*size, other) {
            (1, _) => *size = other,
            (_, 1) => {}
            (one, other) if one == other => {}
            _ => return None,
        }
    }
    Some(shape)
}

/// The array with strides, in any case.
pub(super) fn strided(array: &Array) -> Array {
    let mut view = array.clone();
    let dense = || shape::strides(&array.shape, array.dtype).into();
    view.strides = Some(view.strides.unwrap_or_else(dense));
    view
}

/// A view whose first dimensions are `leading`, and the last `own` its own; others of one
/// element are left out.
fn broadcast(array: &Array, leading: &[usize], own: usize) -> Array {
    let target = [leading, own_shape(array, own)].concat();
    let dense = shape::strides(&array.shape, array.dtype);
    let strides = array.strides.as_deref().unwrap_or(&dense);
    let mut last = array.shape.iter().zip(strides).rev();
    let stride = |&size: &usize| match last.next() {
        Some((&own, &stride)) if own == size => stride,
        _ => 0,
    };
    let mut strides: Box<[isize]> = target.iter().rev().map(stride).collect();
    strides.reverse();
    let is_dense = *strides == *shape::strides(&target, array.dtype);
    Array {
        shape: target[..].into(),
        strides: (!is_dense).then_some(strides),
        ..array.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_broadcast_as_in_numpy() {
        for (one, other, both) in [
            (&[][..], &[][..], Some(vec![])),
            (&[3], &[], Some(vec![3])),
            (&[2, 1], &[4], Some(vec![2, 4])),
            (&[1], &[0], Some(vec![0])),
            (&[2, 3], &[2, 1], Some(vec![2, 3])),
            (&[2], &[3], None),
            (&[0], &[2], None),
        ] {
            assert_eq!(broadcast_shape(one, other), both);
            assert_eq!(broadcast_shape(other, one), both);
        }
    }
}
