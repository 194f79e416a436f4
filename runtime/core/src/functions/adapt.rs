//! Calls whose arrays are not laid out as the body takes them. Arrays that are only read are copied
//! first, if they have other strides or are broadcast; and dimensions in front of the declared ones
//! are those of a loop around the body, as NumPy promises of such signatures.

use std::sync::Arc;

use cuvec_spec::{Role, Value, c};

use super::body::{self, Provider};
use super::dtypes::Dtypes;
use super::function::{Arrays, Function, Scalars};
use super::plan::{PendingResult, Plan};
use super::shapes::{Leading, Sizes};
use crate::array::{self, Array, Place};
use crate::device::Device;
use crate::error::{Error, Kind, Result};
use crate::gather::Gather;
use crate::interrupt::Watch;
use crate::memory::Block;
use crate::{check, shape};

/// What is done for a call besides its body.
pub(super) struct Adaptation {
    /// What is copied into the order of C, at the places of its arguments.
    views: Box<[Option<Array>]>,
    /// The shape of the loop around the body; empty if there is none.
    looped: Vec<usize>,
}

impl Function {
    /// Checks a call again that [`Function::plan`] refuses with this error, if it can be adapted.
    #[cold]
    pub(super) fn adapt(
        &self,
        arrays: &Arrays,
        scalars: &Scalars,
        dtypes: Dtypes,
        error: Error,
    ) -> Result<Plan<'_>> {
        self.sizes_of_scalars(&mut Sizes::default(), scalars, &dtypes)?;
        let Some(leading) = self.leading_in(arrays)? else {
            return Err(error);
        };
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
                true if self.is_copied(index, array, arrays) => Some(strided(array)),
                true => None,
            };
        }
        if leading == Leading::Looped {
            adaptation.looped = common;
        }
        if adaptation.is_nothing() {
            return Err(error);
        }
        self.plan_adapted(arrays, scalars, dtypes, (adaptation, leading))
    }

    fn plan_adapted(
        &self,
        arrays: &Arrays,
        scalars: &Scalars,
        dtypes: Dtypes,
        (adaptation, leading): (Adaptation, Leading),
    ) -> Result<Plan<'_>> {
        self.check_memory(&adaptation.not_copied(arrays))?;
        let arrays = &*adaptation.arrays(arrays);
        let mut sizes = Sizes::default();
        self.measure(&mut sizes, arrays, scalars, &dtypes, leading)?;
        for (index, array) in self.given(arrays) {
            match adaptation.views[index] {
                Some(_) if !array.is_contiguous() => self.check_view(index, array)?,
                _ => check::contiguous(|| self.name(index), array)?,
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
        Ok(Plan {
            function: self,
            dtypes,
            device,
            adaptation: Some(Box::new(adaptation)),
            pending,
        })
    }

    /// How many dimensions an argument is declared with, besides leading ones.
    fn own(&self, index: usize) -> usize {
        self.spec.arguments[index].shape.extents.len()
    }

    fn leads(&self, index: usize) -> bool {
        self.spec.arguments[index].shape.leading
    }

    /// Whether further dimensions are broadcast: not if a body works on leading ones as a whole.
    #[must_use]
    pub fn broadcasts(&self) -> bool {
        let mut arguments = self.spec.arguments.iter();
        let folds = arguments.any(|it| it.shape.leading);
        !folds || self.spec.loops && self.written.iter().all(|it| self.leads(it))
    }

    /// What dimensions before the declared ones are in this call; none if an array has more than it may.
    fn leading_in(&self, arrays: &Arrays) -> Result<Option<Leading>> {
        let folds = self.spec.arguments.iter().any(|it| it.shape.leading);
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

    /// What is written is not broadcast.
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
            check::aligned(|| self.name(index), view)?;
        }
        Gather::of(self.name(index), view).map(drop)
    }

    /// Whether an array that is only read is copied, for its layout or because the call may write to it.
    fn is_copied(&self, index: usize, array: &Array, arrays: &Arrays) -> bool {
        let is_host = matches!(array.place, Place::Host);
        let is_aligned = check::aligned(|| "", array).is_ok();
        !array.is_contiguous()
            || is_host && !is_aligned
            || self.spec.loops
                && self.is_element_wise()
                && self.is_overwritten(array, arrays, index)
    }

    fn is_element_wise(&self) -> bool {
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

impl Adaptation {
    /// The arrays of a call, with what is copied as the view that is copied.
    pub fn arrays<'a>(&'a self, arrays: &Arrays<'a>) -> Vec<Option<&'a Array>> {
        let views = self.views.iter().zip(arrays);
        views
            .map(|(view, array)| view.as_ref().or(*array))
            .collect()
    }

    fn not_copied<'a>(&self, arrays: &Arrays<'a>) -> Vec<Option<&'a Array>> {
        let views = self.views.iter().zip(arrays);
        views
            .map(|(view, array)| array.filter(|_| view.as_ref().is_none_or(Array::is_contiguous)))
            .collect()
    }

    fn is_nothing(&self) -> bool {
        self.looped.is_empty() && self.views.iter().all(Option::is_none)
    }
}

impl Plan<'_> {
    /// Runs a body, once or in the loop of the call.
    ///
    /// # Safety
    /// As for [`body::run`]; the arrays are those of the values, and contiguous now.
    pub(super) unsafe fn run_body<P: Provider>(
        &self,
        body: Option<c::Body>,
        provider: &mut P,
        values: &mut [Value],
        arrays: &Arrays,
    ) -> Result<()> {
        let looped = self.adaptation.as_ref().map(|it| &*it.looped);
        match looped.filter(|looped| !looped.is_empty()) {
            // SAFETY: the caller's.
            None => unsafe { body::run(body, provider, values) },
            // SAFETY: the caller's.
            Some(looped) => unsafe { self.run_loop(looped, body, provider, values, arrays) },
        }
    }

    /// # Safety
    /// As above.
    #[cold]
    unsafe fn run_loop<P: Provider>(
        &self,
        looped: &[usize],
        body: Option<c::Body>,
        provider: &mut P,
        values: &mut [Value],
        arrays: &Arrays,
    ) -> Result<()> {
        let mut steps = vec![vec![0; looped.len()]; values.len()];
        let mut shapes = vec![Vec::new(); values.len()];
        for (index, array) in self.function.given(arrays) {
            let own = own_shape(array, self.function.own(index));
            let shape = &mut shapes[index];
            shape.extend(self.function.leads(index).then_some(1)); // as one dimension
            shape.extend(own.iter().map(|&size| size as i64));
            values[index].shape = shape.as_ptr();
            values[index].size = shape.iter().product();
            let mut step = values[index].size as usize * array.dtype.size();
            let looped = array.shape[..array.shape.len() - own.len()].iter().rev();
            for (at, &size) in steps[index].iter_mut().rev().zip(looped) {
                *at = if size == 1 { 0 } else { step };
                step *= size;
            }
        }
        let first: Vec<_> = values.iter().map(|value| value.data).collect();
        for place in 0..looped.iter().product::<usize>() {
            if provider.watch().interrupted() {
                return Err(Kind::Interrupted.into());
            }
            for ((value, first), steps) in values.iter_mut().zip(&first).zip(&steps) {
                value.data = first.wrapping_byte_add(offset(place, looped, steps));
            }
            // SAFETY: the caller's; the values are those of one place in the loop.
            unsafe { body::run(body, provider, values)? };
            provider.reuse_scratch();
        }
        Ok(())
    }

    /// The views that are copied, at the places of their arguments.
    pub(super) fn views(&self) -> Box<[Option<Array>]> {
        let adaptation = self.adaptation.as_ref();
        adaptation.map_or_else(Box::default, |adaptation| adaptation.views.clone())
    }

    /// Copies the views of host memory; they are arrays in the blocks then.
    pub(super) fn copy_on_host(&self, views: &mut [Option<Array>]) -> Result<Vec<Arc<Block>>> {
        let on_cpu = matches!(self.device, Device::Cpu);
        let mut blocks = Vec::new();
        for (index, slot) in views.iter_mut().enumerate() {
            let is_here = |view: &Array| on_cpu || matches!(view.place, Place::Host);
            let scattered = slot.as_mut().filter(|view| !view.is_contiguous());
            let Some(view) = scattered.filter(|view| is_here(view)) else {
                continue;
            };
            let block = Block::on_host(view.bytes())?;
            let gather = Gather::of(self.function.name(index), view)?;
            let mut watch = Watch::default();
            // SAFETY: an array of the call, and as much memory as it has elements.
            if unsafe { gather.copy(block.address() as *mut u8, &mut watch) } {
                return Err(Kind::Interrupted.into());
            }
            view.address = block.address();
            view.strides = None;
            view.place = Place::Host;
            blocks.push(block);
        }
        Ok(blocks)
    }
}

/// Bytes from the first place of a loop to another one.
fn offset(place: usize, looped: &[usize], steps: &[usize]) -> usize {
    let mut rest = place;
    let dimensions = looped.iter().zip(steps).rev();
    dimensions.fold(0, |offset, (size, step)| {
        let index = rest % size;
        rest /= size;
        offset + index * step
    })
}

/// The last dimensions, which are declared.
fn own_shape(array: &Array, own: usize) -> &[usize] {
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
fn strided(array: &Array) -> Array {
    let mut view = array.clone();
    let dense = || shape::strides(&array.shape, array.dtype).into();
    view.strides = Some(view.strides.unwrap_or_else(dense));
    view
}

/// A view whose first dimensions are those of `leading`, and the last `own` its own; others of one
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

    #[test]
    fn a_place_in_a_loop_is_an_offset() {
        let offsets: Vec<_> = (0..6).map(|at| offset(at, &[2, 3], &[100, 8])).collect();
        assert_eq!(offsets, [0, 8, 16, 100, 108, 116]);
        assert_eq!(offset(5, &[2, 3], &[0, 8]), 16);
    }
}
