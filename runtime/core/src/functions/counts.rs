//! Results of a size that the function finds: `index: int64(at most n)` has memory for n, and the body counts.

use cudarc::driver::result;
use cudarc::driver::sys::CUdeviceptr;
use cuvec_spec::{DType, Value};

use super::arguments::Arrays;
use super::plan::{Plan, ScalarResult};
use super::scalar::Scalar;
use crate::calls::StreamCall;
use crate::error::{Kind, Result};

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

/// Where the kernels of a call count: memory of the GPU, where threads add to it quickly.
pub(super) struct Counts(CUdeviceptr);

impl Counts {
    /// Has the body count there.
    #[inline(never)]
    pub fn provide(
        plan: &Plan,
        results: &[ScalarResult],
        values: &mut [Value],
        call: &mut StreamCall<'_>,
    ) -> Result<Self> {
        let bytes = size_of_val(results);
        let start = call.scratch(bytes)?;
        // SAFETY: begun, so that the GPU is current; as many bytes.
        unsafe { result::memset_d8_async(start, 0, bytes, call.stream().raw()) }?;
        for (place, result) in results.iter().enumerate() {
            if plan.function.counted.has(result.argument) {
                values[result.argument].count = Self::at(start, place) as *mut i64;
            }
        }
        Ok(Self(start))
    }

    fn at(start: CUdeviceptr, place: usize) -> CUdeviceptr {
        start + (place * size_of::<Scalar>()) as CUdeviceptr
    }

    /// Copies what was counted, in the order of the stream.
    ///
    /// # Safety
    /// There must be room for as many as there are results, until the call is finished.
    #[inline(never)]
    pub unsafe fn fetch(
        &self,
        plan: &Plan,
        results: &[ScalarResult],
        to: &mut [u8],
        call: &StreamCall<'_>,
    ) -> Result<()> {
        let places = to.chunks_mut(size_of::<Scalar>()).enumerate();
        for ((place, to), result) in places.zip(results) {
            if plan.function.counted.has(result.argument) {
                let from = Self::at(self.0, place);
                // SAFETY: the caller's.
                unsafe { result::memcpy_dtoh_async(to, from, call.stream().raw()) }?;
            }
        }
        Ok(())
    }
}
