//! Runs a call that has passed all checks.

use super::adapt::with_views;
use super::function::{Arrays, Scalars};
use super::plan::{Plan, ScalarResult};
use super::scalar::Scalar;
use crate::device::Device;
use crate::error::Result;
use crate::gpu::Stream;

impl Plan<'_> {
    /// Does the work, with the arguments that were planned for and arrays for the results that were
    /// pending. With `stream` it is done when the stream has reached it, otherwise on return.
    ///
    /// Returns the results that are scalars, in their order, but for those that the caller has
    /// passed an array for; then how much there is of those results of which the function finds that.
    ///
    /// # Errors
    /// What the function raises, or CUDA; `Kind::Interrupted` when a signal's handler has raised.
    pub fn run(
        &self,
        arrays: &Arrays,
        scalars: &Scalars,
        stream: Option<Stream>,
    ) -> Result<Box<[ScalarResult]>> {
        let function = self.function;
        let mut results = match function.scalar_results.is_empty() && function.counted.is_empty() {
            true => Box::default(), // as mostly
            false => self.scalar_results(arrays),
        };
        if !results.is_empty() || !self.writes_only_empty_arrays(arrays) {
            match self.device {
                _ if self.adaptation.is_some() => {
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
        let mut views = self.views();
        let _copies = self.copy_on_host(&mut views)?;
        let arrays = with_views(arrays, &views);
        match self.device {
            Device::Cpu => self.run_on_cpu(&arrays, scalars, results),
            Device::Gpu(gpu) => self.run_on_gpu(gpu, stream, &arrays, scalars, results),
        }
    }

    /// Whether the function writes arrays, and all of them are empty. One that writes none has other
    /// effects, so that its body always runs.
    fn writes_only_empty_arrays(&self, arrays: &Arrays) -> bool {
        let written = self.function.written;
        let mut given = written.iter().filter_map(|index| arrays[index]);
        !written.is_empty() && given.all(|array| array.count() == 0)
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
