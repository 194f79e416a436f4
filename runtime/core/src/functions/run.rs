//! Runs a call that has passed all checks.

use std::sync::Arc;

use cuvec_spec::{DType, Value, c};

use super::adapt::{own_shape, strided};
use super::arguments::{Arrays, Scalars};
use super::body::{self, Provider};
use super::plan::{Adaptation, PendingResult, Plan, ScalarResult, with_views};
use super::scalar::Scalar;
use crate::array::{Array, Place};
use crate::device::Device;
use crate::error::{Kind, Result};
use crate::gather::Gather;
use crate::gpu::Stream;
use crate::interrupt::Watch;
use crate::memory::Block;
use crate::{nvtx, shape};

impl Plan<'_> {
    /// Does the work, with the arguments that were planned for and arrays for the results that were
    /// pending. With `stream` it is done when the stream has reached it, otherwise on return.
    ///
    /// Returns the results that are scalars, in their order, but for those that the caller has
    /// passed an array for; then how much there is of those results of which the function finds that.
    ///
    /// # Errors
    /// Errors of the function, or of CUDA; `Kind::Interrupted` when a signal handler has raised.
    pub fn run(
        &self,
        arrays: &Arrays,
        scalars: &Scalars,
        stream: Option<Stream>,
    ) -> Result<Box<[ScalarResult]>> {
        let function = self.function;
        let _range = nvtx::range(function.spec.name)?;
        let mut results = match function.scalar_results.is_empty() && function.counted.is_empty() {
            true => Box::default(), // as mostly
            false => self.scalar_results(arrays),
        };
        let has_object = self.has_object();
        let _turn = match has_object {
            false => None, // as mostly
            true => self.turn()?,
        };
        if !results.is_empty() || has_object || !self.writes_only_empty_arrays(arrays) {
            match self.device {
                _ if self.adaptation.is_some()
                    || !self.unsaved.is_empty()
                    || self.has_strided_on_host(arrays) =>
                {
                    self.run_adapted(arrays, scalars, stream, &mut results)?;
                }
                Device::Cpu => self.run_on_cpu(arrays, scalars, &mut results)?,
                Device::Gpu(gpu) => self.run_on_gpu(gpu, stream, arrays, scalars, &mut results)?,
            }
        }
        self.check_counts(arrays, &results)?;
        Ok(results)
    }

    #[cold]
    fn run_adapted(
        &self,
        arrays: &Arrays,
        scalars: &Scalars,
        stream: Option<Stream>,
        results: &mut [ScalarResult],
    ) -> Result<()> {
        let mut views = self.views(arrays.len());
        let staged = self.strided_on_host(arrays);
        for (index, array) in &staged {
            views[*index] = Some(array.clone());
        }
        let _copies = self.copy_on_host(&mut views)?;
        let mut arrays = with_views(arrays, &views);
        let unsaved = self.unsaved.iter().map(|it| self.memory_for(it));
        let unsaved = unsaved.collect::<Result<Vec<_>>>()?;
        for (pending, (array, _)) in self.unsaved.iter().zip(&unsaved) {
            arrays[pending.argument] = Some(array);
        }
        match self.device {
            Device::Cpu => self.run_on_cpu(&arrays, scalars, results)?,
            Device::Gpu(gpu) => self.run_on_gpu(gpu, stream, &arrays, scalars, results)?,
        }
        let written = staged
            .iter()
            .filter(|(index, _)| self.function.written.has(*index));
        for (index, array) in written {
            let copy = arrays[*index].map_or(0, |copy| copy.address);
            // SAFETY: arrays of the call, which wait for the GPU where they are the host's; its copy is as long.
            unsafe { Gather::of(self.function.name(*index), array)?.put_back(copy as *const u8) };
        }
        Ok(())
    }

    /// Checks whether the GPU gets contiguous copies of arrays that are declared otherwise.
    fn has_strided_on_host(&self, arrays: &Arrays) -> bool {
        !self.function.laid_out.is_empty() && !self.strided_on_host(arrays).is_empty()
    }

    /// Arrays of the host with their strides, which a walk does not need where an array has no gaps.
    fn strided_on_host(&self, arrays: &Arrays) -> Vec<(usize, Array)> {
        let on_gpu = matches!(self.device, Device::Gpu(_));
        let walks = self.walks();
        let is_staged = |index: usize, array: &Array| {
            let is_meant = match walks {
                true => !array.is_dense(),
                false => self.function.laid_out.has(index) && !array.is_contiguous(),
            };
            on_gpu && is_meant && matches!(array.place, Place::Host) && !self.copies(index)
        };
        let given = self.function.given(arrays);
        given
            .filter(|&(index, array)| is_staged(index, array))
            .map(|(index, array)| (index, strided(array)))
            .collect()
    }

    /// An array for a result that nobody wants. The GPU's has no address before the call begins.
    fn memory_for(&self, result: &PendingResult) -> Result<(Array, Option<Arc<Block>>)> {
        let (block, place) = match self.device {
            Device::Cpu => (Some(Block::on_host(result.bytes)?), Place::Host),
            Device::Gpu(gpu) => (None, Place::Foreign { gpu: gpu.index }),
        };
        let array = Array {
            address: block.as_ref().map_or(0, |block| block.address()),
            dtype: result.dtype,
            shape: result.shape[..].into(),
            strides: None,
            writable: true,
            place,
            ready: None,
        };
        Ok((array, block))
    }

    /// Checks whether an argument is a result that was allocated for this call.
    pub(super) fn is_new(&self, argument: usize) -> bool {
        let mut pending = self.pending.iter();
        pending.any(|it| it.argument == argument)
    }

    /// Checks whether an argument is a result that nobody wants.
    pub(super) fn is_unsaved(&self, argument: usize) -> bool {
        self.unsaved.iter().any(|it| it.argument == argument)
    }

    /// Checks whether the call writes arrays, and all of them are empty. One that writes none has
    /// other effects, so that its body always runs.
    pub(super) fn writes_only_empty_arrays(&self, arrays: &Arrays) -> bool {
        let written = self.function.written.iter();
        let mut given = written.filter_map(|index| arrays[index]).peekable();
        given.peek().is_some() && given.all(|array| array.count() == 0)
    }

    /// The results that are returned as scalars, with nothing in them.
    #[inline(never)]
    pub(super) fn scalar_results(&self, arrays: &Arrays) -> Box<[ScalarResult]> {
        let results = self.function.scalar_results.iter();
        let returned = results.filter(|&argument| arrays[argument].is_none());
        let result = |argument| ScalarResult {
            argument,
            dtype: self.dtypes.of(&self.function.spec.arguments[argument]),
            value: Scalar::default(),
        };
        let counts = self.function.counted.iter();
        let counts = counts.map(ScalarResult::count);
        returned.map(result).chain(counts).collect()
    }
}

impl Plan<'_> {
    /// The views that are copied, at the places of their arguments.
    pub(super) fn views(&self, count: usize) -> Box<[Option<Array>]> {
        let adaptation = self.adaptation.as_ref();
        adaptation.map_or_else(
            || vec![None; count].into(),
            |adaptation| adaptation.views.clone(),
        )
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

impl Plan<'_> {
    /// Runs a body: once, in the loop of the call, or with a walk.
    ///
    /// # Safety
    /// As for [`body::run`]; the values are of these arrays.
    pub(super) unsafe fn run_body<P: Provider>(
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

impl ScalarResult {
    /// How much there is of a result: nothing, as yet.
    pub(super) fn count(argument: usize) -> Self {
        Self {
            argument,
            dtype: DType::I64,
            value: Scalar::default(),
        }
    }
}

impl Plan<'_> {
    /// No result has more than there is memory for.
    pub(super) fn check_counts(&self, arrays: &Arrays, results: &[ScalarResult]) -> Result<()> {
        let counted = |it: &&ScalarResult| self.function.counted.has(it.argument);
        for result in results.iter().filter(counted) {
            let count = result.value.as_integer(result.dtype);
            let most = arrays[result.argument].map_or(0, |array| array.shape[0]);
            if !(0..=most as i128).contains(&count) {
                let spec = &self.function.spec;
                let name = spec.arguments[result.argument].shown_name();
                let function = spec.name;
                return Err(Kind::Kernel(format!(
                    "{name} has at most {most}, but {function}() counted {count}"
                ))
                .into());
            }
        }
        Ok(())
    }
}
