//! Runs a call that has passed all checks.

use std::sync::Arc;

use super::adapt::{strided, with_views};
use super::function::{Arrays, Scalars};
use super::plan::{PendingResult, Plan, ScalarResult};
use super::scalar::Scalar;
use crate::array::{Array, Place};
use crate::device::Device;
use crate::error::Result;
use crate::gather::Gather;
use crate::gpu::Stream;
use crate::memory::Block;
use crate::nvtx;

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
