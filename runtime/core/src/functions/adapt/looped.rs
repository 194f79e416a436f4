//! The loop around a body, in a call with further dimensions.

use cuvec_spec::{Value, c};

use super::broadcast::own_shape;
use crate::error::{Kind, Result};
use crate::functions::body::{self, Provider};
use crate::functions::function::Arrays;
use crate::functions::plan::Plan;

impl Plan<'_> {
    /// Runs a body, once or in the loop of the call.
    ///
    /// # Safety
    /// As for [`body::run`]; the arrays are those of the values, and contiguous now.
    pub(in crate::functions) unsafe fn run_body<P: Provider>(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_loop_is_an_offset() {
        let offsets: Vec<_> = (0..6).map(|at| offset(at, &[2, 3], &[100, 8])).collect();
        assert_eq!(offsets, [0, 8, 16, 100, 108, 116]);
        assert_eq!(offset(5, &[2, 3], &[0, 8]), 16);
    }
}
