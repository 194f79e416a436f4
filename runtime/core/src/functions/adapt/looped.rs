//! The loop around a body, in a call with further dimensions.

use cuvec_spec::{Value, c};

use super::Adaptation;
use super::broadcast::own_shape;
use crate::error::{Kind, Result};
use crate::functions::body::{self, Provider};
use crate::functions::function::Arrays;
use crate::functions::plan::Plan;
use crate::shape;

impl Plan<'_> {
    /// Runs a body: once, in the loop of the call, or with a walk.
    ///
    /// # Safety
    /// As for [`body::run`]; the values are of these arrays.
    pub(in crate::functions) unsafe fn run_body<P: Provider>(
        &self,
        body: Option<c::Body>,
        provider: &mut P,
        values: &mut [Value],
        arrays: &Arrays,
    ) -> Result<()> {
        let Some(Adaptation { looped, walked, .. }) = self.adaptation.as_deref() else {
            // SAFETY: the caller's.
            return unsafe { body::run(body, provider, values) };
        };
        // SAFETY: the caller's.
        unsafe {
            match walked {
                Some(shape) => self.run_walk(shape, body, provider, values, arrays),
                None if looped.is_empty() => body::run(body, provider, values),
                None => self.run_loop(looped, body, provider, values, arrays),
            }
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
            let as_rows = &mut shapes[index];
            as_rows.extend(self.function.leads(index).then_some(1)); // as one dimension
            as_rows.extend(own.iter().map(|&size| size as i64));
            values[index].shape = as_rows.as_ptr();
            values[index].size = as_rows.iter().product();
            let strides = array.strides.as_ref().filter(|_| !self.copies(index));
            let mut step = values[index].size as isize * array.dtype.size() as isize;
            let looped = array.shape[..array.shape.len() - own.len()].iter();
            let looped = looped.enumerate().rev();
            for (at, (axis, &size)) in steps[index].iter_mut().rev().zip(looped) {
                let own = strides.map_or(step, |strides| strides[axis]);
                *at = if size == 1 { 0 } else { own };
                step *= size as isize;
            }
        }
        let first: Vec<_> = values.iter().map(|value| value.data).collect();
        for place in 0..looped.iter().product::<usize>() {
            if provider.watch().interrupted() {
                return Err(Kind::Interrupted.into());
            }
            for ((value, first), steps) in values.iter_mut().zip(&first).zip(&steps) {
                let dimensions = looped.iter().copied().zip(steps.iter().copied());
                value.data = first.wrapping_byte_offset(shape::offset(place, dimensions));
            }
            // SAFETY: the caller's; the values are for one place in the loop.
            unsafe { body::run(body, provider, values)? };
            provider.reuse_scratch();
        }
        Ok(())
    }
}
